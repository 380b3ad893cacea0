/** What outcomes of decisions ask: what was learned from a failure, and judgments of proposals that repeat one. */
import assert from 'node:assert/strict'
import type { DecideContext } from '../../deciding/context.ts'
import type { Outcome } from '../../deciding/outcome.ts'
import { type StateAtHead, wholeOf } from '../../deciding/state-at-head.ts'
import { type RecordId, recordOfRow } from '../../ids.ts'
import type { DecisionMutable, OutcomeStatus } from '../../records/body.ts'
import type { Envelope } from '../../records/record.ts'
import { proposalOf } from '../../records/revisions.ts'
import { cut } from '../../records/title.ts'
import { priorityOf } from '../priority.ts'
import type { Finding } from '../question.ts'
import { judgmentOf, subjectOf } from './rules.ts'

interface Led {
  decision: RecordId
  status: OutcomeStatus
  outcome: RecordId
}

/** Decisions that get a new leading outcome. An older outcome says nothing about how a decision works out by now. */
function newlyLed({ created, changed }: Outcome): Led[] {
  const leading = new Set(changed.map(({ set }) => (set.mutable as DecisionMutable | undefined)?.outcome?.id))
  return created.flatMap((row) =>
    row.kind === 'outcome' && leading.has(row.record_id)
      ? [{ decision: row.body.decision, status: row.body.outcome_status, outcome: row.record_id }]
      : [],
  )
}

/** Decisions whose new leading outcome settles the question what was learned from an earlier one, or asks it anew. */
export function settledLosses(outcome: Outcome): ReadonlySet<RecordId> {
  return new Set(newlyLed(outcome).flatMap(({ decision, status }) => (status === 'mixed' ? [] : [decision])))
}

/** Asks what was learned (loss_ledger_gap). */
export async function lossesIn<Input>({ state }: DecideContext<Input>, outcome: Outcome): Promise<Finding[]> {
  const found: Finding[] = []
  for (const { decision, status, outcome: failure } of newlyLed(outcome)) {
    const row = status === 'failure' ? await state.record(decision) : undefined
    if (row && (await isUnanswered(state, row))) found.push(lossOf(row, failure))
  }
  return found
}

/** The decision is accepted, and neither superseded nor about to be. */
async function isUnanswered(state: StateAtHead, { record_id, status, superseded_by }: Envelope): Promise<boolean> {
  if (status !== 'accepted' || superseded_by !== null) return false
  for (const link of await state.documents('links', 'target', record_id)) {
    if (link.target_kind !== 'decision') continue
    // the successor of a link on hold may have been rejected: then nothing is pending
    if (link.state !== 'on_hold' || proposalOf(await state.revisions(link.successor))) return false
  }
  return true
}

/** Marked with the outcome, so that a later failure asks again. */
function lossOf(decision: Envelope, outcome: RecordId): Finding {
  return {
    form: 'clarification',
    reason: 'loss_ledger_gap',
    claim: `“${decision.title}” failed. What was learned, and what replaces it?`,
    audience: decision.audience,
    about: [{ record: decision.record_id, claim: cut(decision.title, 2000), whole: false }],
    ...priorityOf('loss_ledger_gap', { kind: 'decision', significance: decision.significance }),
    subject: subjectOf(decision),
    mark: outcome,
  }
}

/**
 * Asks judgments anew without the decisions that they name as failed, once these have recovered or were revised. A revised
 * decision may no longer say what the proposal repeats. If it does, comparing finds the repeat again (compare/repeats.ts).
 */
export async function withoutRecovered<Input>({ state }: DecideContext<Input>, outcome: Outcome): Promise<Finding[]> {
  const found = new Map<RecordId, Finding>()
  const recovered = newlyLed(outcome).flatMap(({ decision, status }) => (status === 'failure' ? [] : [decision]))
  const gone = new Set([...recovered, ...revisedIn(outcome)])
  // the same outcome may also answer the judgment, or replace the proposal: then the judgment closes
  const isEnding = (record: RecordId) =>
    outcome.changed.some(({ id, set }) => recordOfRow(id) === record && (set.kind === 'question' || set.superseded_by))
  for (const decision of gone) {
    for (const { record_id, body, valid_to } of await state.questionsOn(decision)) {
      const { failed = [] } = body
      const { record: proposed } = body.about[0] as (typeof body.about)[number]
      if (valid_to !== null || found.has(record_id) || !failed.some(({ record }) => record === decision)) continue
      if (isEnding(record_id) || isEnding(proposed)) continue
      const proposal = proposalOf(await state.revisions(proposed))
      const row = proposal && (await wholeOf(state, proposal))
      assert(row?.kind === 'decision', 'an open judgment has a proposal')
      const stillFailed = failed.filter(({ record }) => !gone.has(record))
      found.set(record_id, judgmentOf(row, stillFailed))
    }
  }
  return [...found.values()]
}

function revisedIn({ created, changed }: Outcome): RecordId[] {
  const revised = created.filter((row) => row.kind === 'decision' && row.revision > 1 && row.feed !== 'none')
  const accepted = changed.filter(({ set }) => set.feed === 'decisions')
  return [...revised.map((row) => row.record_id), ...accepted.map(({ id }) => recordOfRow(id))]
}
