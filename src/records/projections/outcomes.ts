/** Index of the outcomes of decisions, so that reads find those of one decision, the one observed last first. */
import type { Audience, RecordId, WorkspaceId } from '../../ids.ts'
import type { Collection } from '../../ports/documents.ts'
import type { RecordOf } from '../record.ts'
import { defineProjection } from './projection.ts'

/** One for each outcome. Projection inserts it and never changes it. */
export interface OutcomeKey {
  /** The record id of the outcome. */
  id: string
  workspace: WorkspaceId
  audience: Audience
  decision: RecordId
  observed_at: string
  /** orderOfAcceptance of its receipt: it orders outcomes that were observed at the same instant. */
  accepted: string
}

export const outcomeKeys: Collection<OutcomeKey> = {
  name: 'outcome_keys',
  fields: {
    id: 'string',
    workspace: 'interned',
    audience: 'interned',
    decision: 'string',
    observed_at: 'instant',
    accepted: 'string',
  },
  unique: [],
  indexes: [['workspace', 'decision', 'audience', 'observed_at', 'accepted']],
}

export function outcomeKeyOf({ id, workspace, audience, body, valid_from, accepted }: RecordOf<'outcome'>): OutcomeKey {
  return { id, workspace, audience, decision: body.decision, observed_at: valid_from, accepted }
}

export const projectOutcomeKeys = defineProjection({
  writes: [outcomeKeys],
  write(writes, { records: changes }) {
    const made = changes.flatMap((change) =>
      change.type === 'new' && change.row.kind === 'outcome' ? [outcomeKeyOf(change.row)] : [],
    )
    if (made.length > 0) writes.insertMany(outcomeKeys, made)
  },
})
