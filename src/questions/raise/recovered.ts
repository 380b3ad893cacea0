/** Asks judgments anew without the decisions that they name as failed, once these have recovered or were revised. */

import assert from 'node:assert/strict'
import type { DecideContext } from '../../deciding/context.ts'
import type { Outcome } from '../../deciding/outcome.ts'
import { wholeOf } from '../../deciding/state-at-head.ts'
import { type RecordId, recordOfRow } from '../../ids.ts'
import { proposalOf } from '../../records/revisions.ts'
import type { Finding } from '../question.ts'
import { leads } from './losses.ts'
import { judgmentOf } from './rules.ts'

/**
 * A revised decision says something else. If the proposal repeats that too, comparing finds it again
 * (compare/repeats.ts).
 */
export async function withoutRecovered<Input>({ state }: DecideContext<Input>, outcome: Outcome): Promise<Finding[]> {
  const found: Finding[] = []
  const gone = new Set([...recoveredIn(outcome), ...revisedIn(outcome)])
  const seen = new Set<RecordId>()
  // the same outcome may also answer the judgment, or replace the proposal: then the judgment closes
  const isEnding = (record: RecordId) =>
    outcome.changed.some(({ id, set }) => recordOfRow(id) === record && (set.kind === 'question' || set.superseded_by))
  for (const decision of gone) {
    for (const { record_id, body, valid_to } of await state.questionsOn(decision)) {
      const { failed = [] } = body
      const { record: proposed } = body.about[0] as (typeof body.about)[number]
      if (valid_to !== null || seen.has(record_id) || !failed.some(({ record }) => record === decision)) continue
      if (isEnding(record_id) || isEnding(proposed)) continue
      seen.add(record_id)
      const proposal = proposalOf(await state.revisions(proposed))
      const row = proposal && (await wholeOf(state, proposal))
      assert(row?.kind === 'decision', 'an open judgment has a proposal')
      found.push(
        judgmentOf(
          row,
          failed.filter(({ record }) => !gone.has(record)),
        ),
      )
    }
  }
  return found
}

/** Decisions whose leading outcome is no failure any more. */
function recoveredIn(outcome: Outcome): RecordId[] {
  return outcome.created.flatMap((row) =>
    row.kind === 'outcome' && row.body.outcome_status !== 'failure' && leads(row, outcome) ? [row.body.decision] : [],
  )
}

function revisedIn({ created, changed }: Outcome): RecordId[] {
  return [
    ...created.flatMap((row) =>
      row.kind === 'decision' && row.revision > 1 && row.feed !== 'none' ? [row.record_id] : [],
    ),
    ...changed.flatMap(({ id, set }) => (set.feed === 'decisions' ? [recordOfRow(id)] : [])),
  ]
}
