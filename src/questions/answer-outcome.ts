/** What answers have in common: a claim said again, and a note that becomes a memory. */
import { wholeOf } from '../journal/state.ts'
import { memoryRow } from '../memories/row.ts'
import type { DecideContext, NewRow, Outcome } from '../operation.ts'
import { normalisedHash } from '../records/content-hash.ts'
import type { Audience, RecordId } from '../records/ids.ts'
import type { Envelope } from '../records/record.ts'
import { covers } from '../records/supersession.ts'

export interface AnswerOutcome {
  outcome: Outcome
  /** The record that the note became. */
  made: RecordId | null
}

/** The change of a record that a person says holds: half of the doubt is gone. */
export async function confirmation<Input>(
  { state, at }: DecideContext<Input>,
  row: Envelope,
  doubted: number,
): Promise<Outcome['changed'][number]> {
  const { body } = await wholeOf(state, row)
  const before = row.confidence ?? doubted
  const confidence = Math.round((before + (1 - before) / 2) * 1000) / 1000
  return { id: row.id, set: { confidence, updated_at: at, body: { ...body, confirmed_at: at } } }
}

/**
 * The note as a memory. What it supersedes whole it corrects, as far as each who sees the note sees that too. `beside`:
 * records that it contradicts and leaves as they are.
 */
export function memoryFromNote<Input>(
  context: DecideContext<Input>,
  note: string,
  audience: Audience,
  replaced: readonly Pick<Envelope, 'kind' | 'record_id' | 'audience' | 'topics'>[],
  beside: readonly RecordId[] = [],
): NewRow {
  // of a record that only some of them see, neither a topic nor that it was there
  const corrects = replaced.filter((row) => covers(row.audience, audience))
  const memory = corrects.find(({ kind }) => kind === 'memory')
  const kind = memory ? 'correction' : 'fact'
  return memoryRow(context, {
    text: note,
    audience,
    // a person said so
    sources: [{ type: 'conversation', provenance: { class: 'conversation' } }],
    topics: [...new Set(corrects.flatMap(({ topics }) => topics))].slice(0, 50),
    content_hash: normalisedHash([kind, note, '', '']),
    body: {
      memory_kind: kind,
      ...(memory ? { corrects: memory.record_id } : {}),
      ...(beside.length > 0 ? { beside: [...beside] } : {}),
    },
  })
}
