/**
 * Adds to the outcome of an operation the questions that its records raise, and closes questions that no longer apply.
 * Both happen in the same entry, so that no reader sees a record without its questions (SEMANTICS 6).
 */
import assert from 'node:assert/strict'
import type { DecideContext } from '../../deciding/context.ts'
import type { NewRow, Outcome, RowUpdate } from '../../deciding/outcome.ts'
import { wholeOf } from '../../deciding/state-at-head.ts'
import { decidedAt } from '../../deciding/supersession.ts'
import { type RecordId, recordOfRow } from '../../ids.ts'
import type { About, AnyMutable, Reason } from '../../records/body.ts'
import { isImported } from '../../records/imported.ts'
import { kinds } from '../../records/kinds.ts'
import { recordOfQuestion } from '../../records/named.ts'
import { changedRow, type Envelope, type RecordOf } from '../../records/record.ts'
import { proposalOf } from '../../records/revisions.ts'
import { claimsIn } from '../../records/superseded-claims.ts'
import { isApplicable, isRetracted, retracts } from '../is-applicable.ts'
import {
  bodyOfFinding,
  closing,
  type Finding,
  judgmentIdOf,
  questionIdOf,
  questionRow,
  rewording,
} from '../question.ts'
import { isAboutOldProposals } from '../schema.ts'
import { isOld, withoutProposals } from './old-proposals.ts'
import { lossesIn, settledLosses } from './outcomes.ts'
import { findingsOf, hasSingleSource } from './rules.ts'
import { replacedStrategic } from './strategic.ts'

/** Earlier answers that a question keeps. */
const mostEarlier = 50

export async function raiseQuestions<Input>(context: DecideContext<Input>, outcome: Outcome): Promise<Outcome> {
  const made = outcome.created.filter((row) => kinds[row.kind].isKnowledge)
  const findings = [
    ...(await Promise.all(made.map((row) => findingsIn(row, context)))),
    await findingsOfAccepted(context, outcome),
    await replacedStrategic(context, outcome),
    await lossesIn(context, outcome),
  ].flat()
  const asked = await askQuestions(context, findings)
  const closed = await closedQuestions(context, outcome, asked.ids)
  return {
    ...outcome,
    created: [...outcome.created, ...asked.created],
    changed: [...outcome.changed, ...asked.changed, ...closed],
  }
}

async function findingsIn<Input>(row: NewRow, { state, at }: DecideContext<Input>): Promise<Finding[]> {
  if (row.feed !== 'none') {
    if (row.kind !== 'decision' || !isOld(row, at)) return findingsOf(row)
    // of an old proposal it is asked first whether it is still open, together with others of its source
    if (row.status === 'proposed') return findingsOf(row).filter(({ reason }) => reason === 'pending_judgment')
    // what a decision left open was answered in the time since, or it did not matter
    return findingsOf(row).filter(({ reason }) => !isImported(row) || !isDoubt(reason))
  }
  const revisions = await state.revisions(row.record_id)
  // an older revision that is imported late is history and raises no questions
  if (revisions.some(({ accepted }) => accepted > row.accepted)) return []
  // of a proposal beside a decided revision only the judgment is asked until it is accepted
  return findingsOf(row).filter(({ reason }) => reason === 'pending_judgment')
}

const isDoubt = (reason: Reason) => reason === 'explicit_question' || reason === 'low_confidence'

/** Only the explicit questions of proposals that were accepted: accepting one settles all doubts. */
async function findingsOfAccepted<Input>({ state }: DecideContext<Input>, { changed }: Outcome): Promise<Finding[]> {
  const found: Finding[] = []
  for (const { id, set } of changed) {
    if (set.status === 'accepted') found.push(...findingsOf(changedRow(await wholeOf(state, { id }), set)))
  }
  return found.filter(({ reason }) => reason === 'explicit_question')
}

/** A proposal beside a decided revision that becomes the current revision. */
function isAcceptedProposal({ set }: RowUpdate): boolean {
  return set.feed !== undefined && set.feed !== 'none'
}

interface QuestionChanges {
  created: NewRow[]
  changed: RowUpdate[]
  /** Record ids of all questions found, also of those that were open before. */
  ids: ReadonlySet<RecordId>
}

/**
 * Creates new questions and reopens those that had closed. An answered question stays closed, except for a new proposal, and
 * unless its answer retracted a claim that a revision makes again or has changed.
 */
export async function askQuestions<Input>(
  context: DecideContext<Input>,
  findings: readonly Finding[],
): Promise<QuestionChanges> {
  const { receipt, state, at } = context
  const created: NewRow[] = []
  const changed: RowUpdate[] = []
  const ids = new Set<RecordId>()
  for (const finding of findings) {
    const id = recordOfQuestion(receipt.workspace, questionIdOf(finding))
    if (ids.has(id)) continue
    ids.add(id)
    const known = (await state.record(id)) && (await state.whole(id))
    if (!known) {
      created.push(questionRow(context, finding))
      continue
    }
    assert(known.kind === 'question', `row ${id} has the id of a question`)
    if (finding.form === 'judgment' || (known.valid_to !== null && !isSettled(known))) {
      changed.push(reopened(known, finding, at))
    }
  }
  return { created, changed, ids }
}

/** An answer that retracted a claim settles the question only while the claim is retracted: then it is not found again. */
function isSettled({ body: { reason }, mutable: { answer } }: RecordOf<'question'>): boolean {
  return answer !== null && !retracts(answer, reason)
}

/** With the claim as found now, because the wording of the records may have changed. */
function reopened(known: RecordOf<'question'>, finding: Finding, at: string): RowUpdate {
  const { answer, earlier = [] } = known.mutable
  const answered = (answer === null ? earlier : [...earlier, { claim: known.body.claim, answer }]).slice(-mostEarlier)
  return rewording(known, bodyOfFinding(finding), at, {
    answer: null,
    ...(answered.length > 0 && { earlier: answered }),
  })
}

/** Closes questions about records or claims that this outcome supersedes, changes or revises. */
async function closedQuestions<Input>(
  context: DecideContext<Input>,
  outcome: Outcome,
  asked: ReadonlySet<RecordId>,
): Promise<RowUpdate[]> {
  const { state, at } = context
  const moved = new Set(outcome.changed.map(({ id }) => id))
  const settled = settledLosses(outcome)
  const ended = new Map<string, { question: RecordOf<'question'>; on: Set<RecordId> }>()
  for (const changed of await changedRecords(context, outcome, settled)) {
    const { record_id, workspace } = changed.row
    const proposal = await proposalAfter(context, outcome, record_id)
    const isJudgedAnew = asked.has(recordOfQuestion(workspace, judgmentIdOf(record_id)))
    for (const question of await state.questionsOn(record_id)) {
      const { id, body } = question
      if (question.valid_to !== null || asked.has(question.record_id) || moved.has(id)) continue
      const about = body.about.find(({ record }) => record === record_id)
      const isEnded =
        (body.reason === 'loss_ledger_gap' && settled.has(record_id)) ||
        (isAboutOldProposals(body) && isJudgedAnew) ||
        (about && isEndedBy(changed, proposal, body.reason, about))
      if (isEnded) ended.set(id, { question, on: (ended.get(id)?.on ?? new Set()).add(record_id) })
    }
  }
  return [...ended.values()].map(({ question, on }) => {
    const left = isAboutOldProposals(question.body) ? withoutProposals(question, on, at) : undefined
    return left ?? closing(question, at, { valid_to: decidedAt(context) })
  })
}

/** `proposal`: the pending one. */
function isEndedBy(
  { row, revised }: ChangedRecord,
  proposal: object | undefined,
  reason: Reason,
  about: About,
): boolean {
  // a new revision raises its own questions; a pending judgment of a proposal beside it stays open. What was learned from a
  // failure is asked of the decision, not of one revision
  if (revised && reason !== 'pending_judgment' && reason !== 'loss_ledger_gap') return true
  if (reason === 'single_source' && !hasSingleSource(row)) return true
  return !isApplicable({ ...row, proposal }, reason) || isRetracted(reason, about, row.mutable ?? {})
}

interface ChangedRecord {
  /** The current revision after this outcome. Has no mutable fields if none changed: then no claim was retracted. */
  row: Omit<Envelope, 'seq'> & { mutable?: AnyMutable }
  revised: boolean
}

/** `settled`: decisions with a new leading outcome. */
async function changedRecords<Input>(
  { state }: DecideContext<Input>,
  outcome: Outcome,
  settled: ReadonlySet<RecordId>,
): Promise<ChangedRecord[]> {
  const found = new Map<RecordId, ChangedRecord>()
  for (const row of outcome.created) {
    if (!kinds[row.kind].isKnowledge || row.revision === 1) continue
    const current = row.feed === 'none' ? await state.record(row.record_id) : row
    if (current) found.set(row.record_id, { row: current, revised: current === row })
  }
  for (const change of outcome.changed) {
    const { id, set } = change
    if (isAcceptedProposal(change)) {
      const accepted = changedRow(await wholeOf(state, { id }), set)
      found.set(accepted.record_id, { row: accepted, revised: true })
      continue
    }
    const recordId = recordOfRow(id)
    const hasClosingField = closingFields.some((field) => set[field] !== undefined)
    const isEnding = hasClosingField || claimsIn(set.mutable ?? {}).length > 0 || settled.has(recordId)
    if (set.kind === 'question' || !isEnding) continue
    const known = found.get(recordId)
    const before: ChangedRecord['row'] | undefined = known?.row ?? (await state.record(recordId))
    if (before?.id !== id) continue
    found.set(recordId, { row: changedRow(before, set), revised: known?.revised ?? false })
  }
  return [...found.values()]
}

/** The pending proposal after this outcome. */
async function proposalAfter<Input>({ state }: DecideContext<Input>, { created, changed }: Outcome, id: RecordId) {
  const made = created.filter((row) => row.record_id === id)
  const revisions = [...(await state.revisions(id)), ...made].sort((a, b) => (a.accepted < b.accepted ? -1 : 1))
  const newest = revisions.at(-1)
  const sets = changed.filter((one) => one.id === newest?.id).map(({ set }) => set)
  return newest && proposalOf([changedRow(newest, ...sets)])
}

/** A change of one of these fields may close a question. */
const closingFields = ['superseded_by', 'invalidated_at', 'status', 'sources'] as const
