/** Asks what was learned from a decision that failed (loss_ledger_gap), and closes these questions. */
import type { DecideContext } from '../../deciding/context.ts'
import type { NewRow, Outcome } from '../../deciding/outcome.ts'
import type { StateAtHead } from '../../deciding/state-at-head.ts'
import type { RecordId } from '../../ids.ts'
import type { Envelope, RecordOf } from '../../records/record.ts'
import { proposalOf } from '../../records/revisions.ts'
import { cut } from '../../records/title.ts'
import { priorityOf } from '../priority.ts'
import type { Finding } from '../question.ts'
import { subjectOf } from './rules.ts'

interface Losses {
  findings: Finding[]
  /** Questions about earlier outcomes that this outcome settles, or replaces by a new question. */
  settled: RecordOf<'question'>[]
}

/** Only for an outcome that leads: an older one says nothing about how the decision works out by now. */
export async function lossesIn<Input>({ state }: DecideContext<Input>, outcome: Outcome): Promise<Losses> {
  const found: Losses = { findings: [], settled: [] }
  for (const row of outcome.created) {
    if (row.kind !== 'outcome' || row.body.outcome_status === 'mixed' || !leads(row, outcome)) continue
    const decision = await state.record(row.body.decision)
    if (!decision) continue
    const asked = (await state.questionsOn(decision.record_id)).filter(({ body }) => body.reason === 'loss_ledger_gap')
    found.settled.push(...asked.filter(({ valid_to }) => valid_to === null))
    if (row.body.outcome_status === 'failure' && (await isUnanswered(state, decision))) {
      found.findings.push(findingOf(decision, row.record_id))
    }
  }
  return found
}

/** Whether the new outcome leads. */
export function leads({ record_id }: NewRow, { changed }: Outcome): boolean {
  return changed.some(
    ({ set }) => (set.mutable as { outcome?: { id: RecordId } } | undefined)?.outcome?.id === record_id,
  )
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
function findingOf(decision: Envelope, outcome: RecordId): Finding {
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
