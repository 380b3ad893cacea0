/** Asks what was learned from a decision that failed (loss_ledger_gap). */
import type { DecideContext } from '../../deciding/context.ts'
import type { Outcome } from '../../deciding/outcome.ts'
import type { StateAtHead } from '../../deciding/state-at-head.ts'
import type { RecordId } from '../../ids.ts'
import type { DecisionMutable, OutcomeStatus } from '../../records/body.ts'
import type { Envelope } from '../../records/record.ts'
import { proposalOf } from '../../records/revisions.ts'
import type { Finding } from '../question.ts'
import { found } from './rules.ts'

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

export async function lossesIn<Input>({ state }: DecideContext<Input>, outcome: Outcome): Promise<Finding[]> {
  const findings: Finding[] = []
  for (const { decision, status, outcome: failure } of newlyLed(outcome)) {
    const row = status === 'failure' ? await state.record(decision) : undefined
    if (row && (await isUnanswered(state, row))) findings.push(lossOf(row, failure))
  }
  return findings
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
  const about = { ...decision, kind: 'decision' } as const
  const asked = found(about, 'loss_ledger_gap', 'clarification', decision.title, { mark: outcome, whole: false })
  return { ...asked, claim: `“${decision.title}” failed. What was learned, and what replaces it?` }
}
