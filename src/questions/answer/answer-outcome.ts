/** Builds the changes that answers have in common: confirming a record, and turning a note into a memory or decision. */

import type { DecideContext } from '../../deciding/context.ts'
import { memoryRow, newRow } from '../../deciding/new-row.ts'
import type { NewRow, Outcome } from '../../deciding/outcome.ts'
import { wholeOf } from '../../deciding/state-at-head.ts'
import { covers } from '../../deciding/supersession.ts'
import type { Audience, RecordId } from '../../ids.ts'
import { exactHash, normalisedHash } from '../../records/content-hash.ts'
import type { Envelope, Source } from '../../records/record.ts'

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
  const { mutable } = await wholeOf(state, row)
  const before = row.confidence ?? defaultConfidence
  const confidence = Math.round((before + (1 - before) / 2) * 1000) / 1000
  return { id: row.id, set: { confidence, updated_at: at, mutable: { ...mutable, confirmed_at: at } } }
}

/**
 * The note as a memory. Of the `replaced` records, it corrects those that all readers of the note can see.
 * `beside`: records that it contradicts but leaves in force. `cites`: its sources in addition to the answer.
 */
export function memoryFromNote<Input>(
  context: DecideContext<Input>,
  note: string,
  audience: Audience,
  replaced: readonly Pick<Envelope, 'kind' | 'record_id' | 'audience' | 'topics'>[],
  { beside = [], cites = [] }: { beside?: readonly RecordId[]; cites?: readonly Source[] } = {},
): NewRow {
  // for other records, the memory must reveal neither a topic nor that they exist
  const corrects = replaced.filter((row) => covers(row.audience, audience))
  const memory = corrects.find(({ kind }) => kind === 'memory')
  const kind = memory ? 'correction' : 'fact'
  return memoryRow(context, {
    text: note,
    audience,
    // the answer of a person
    sources: [{ type: 'conversation', provenance: { class: 'conversation' } }, ...cites],
    topics: [...new Set(corrects.flatMap(({ topics }) => topics))].slice(0, 50),
    content_hash: normalisedHash([kind, note, '', '']),
    body: {
      memory_kind: kind,
      ...(memory ? { corrects: memory.record_id } : {}),
      ...(beside.length > 0 ? { beside: [...beside] } : {}),
    },
  })
}

/** The note as an accepted decision. It has no reasons: they were those of the proposals that it replaces. */
export function decisionFromNote<Input>(
  context: DecideContext<Input>,
  note: string,
  said: Pick<NewRow, 'audience' | 'title' | 'supersedes'> &
    Partial<Pick<NewRow, 'topics' | 'category' | 'significance' | 'surface' | 'entities'>>,
): NewRow {
  return newRow(context, {
    ...said,
    record_id: context.newId(),
    kind: 'decision',
    text: note,
    content_hash: exactHash(note),
    body: {
      judgment: note,
      context: null,
      rationale: null,
      consequences: null,
      decided_by: [],
      supersession_reason: null,
      names: [],
    },
    mutable: {},
  })
}
