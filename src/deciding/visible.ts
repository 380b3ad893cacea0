/** Finds a record that the actor sees in the state at head; the counterpart of records/read/visible.ts for decide. */

import type { Audience, RecordId, RecordKind } from '../ids.ts'
import { type EnvelopeOf, noSuch, ofKind, type Visible } from '../records/read/visible.ts'
import type { StateAtHead } from './state-at-head.ts'

export function visibleAtHead(state: StateAtHead, audiences: readonly Audience[]): Visible {
  return async (id, kind, field) => {
    const record = await findAtHead(state, audiences, id, kind)
    if (!record) throw noSuch(kind, field)
    return record
  }
}

export async function findAtHead<Kind extends RecordKind>(
  state: StateAtHead,
  audiences: readonly Audience[],
  id: string,
  kind: Kind,
): Promise<EnvelopeOf<Kind> | undefined> {
  const record = await state.record(id.toLowerCase() as RecordId)
  return record && audiences.includes(record.audience) ? ofKind(record, kind) : undefined
}
