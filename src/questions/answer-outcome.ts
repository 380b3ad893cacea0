/** Builds the changes that answers have in common: confirming a record, and turning a note into a memory. */
import { wholeOf } from '../journal/state.ts'
import { memoryRow } from '../memories/row.ts'
import type { DecideContext, NewRow, Outcome } from '../operation.ts'
import { normalisedHash } from '../records/content-hash.ts'
import type { Audience, RecordId } from '../records/ids.ts'
import type { Envelope } from '../records/record.ts'
import { covers } from '../records/supersession.ts'

export interface AnswerOutcome {
  outcome: Outcome
  /** The record made from the note. */
  made: RecordId | null
}

/** The change to a record that a person confirmed. It halves the doubt: confidence moves half way to 1. */
export async function confirmation<Input>(
  { state, at }: DecideContext<Input>,
  row: Envelope,
  defaultConfidence: number,
): Promise<Outcome['changed'][number]> {
  const { body } = await wholeOf(state, row)
  const before = row.confidence ?? defaultConfidence
  const confidence = Math.round((before + (1 - before) / 2) * 1000) / 1000
  return { id: row.id, set: { confidence, updated_at: at, body: { ...body, confirmed_at: at } } }
}

/**
 * The note as a memory. It corrects those of the `replaced` records that everyone who sees the note can see.
 * `beside`: records that it contradicts but leaves in force.
 */
export function memoryFromNote<Input>(
  context: DecideContext<Input>,
  note: string,
  audience: Audience,
  replaced: readonly Pick<Envelope, 'kind' | 'record_id' | 'audience' | 'topics'>[],
  beside: readonly RecordId[] = [],
): NewRow {
  // for other records, the memory must reveal neither a topic nor that they exist
  const corrects = replaced.filter((row) => covers(row.audience, audience))
  const memory = corrects.find(({ kind }) => kind === 'memory')
  const kind = memory ? 'correction' : 'fact'
  return memoryRow(context, {
    text: note,
    audience,
    // the answer of a person
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
