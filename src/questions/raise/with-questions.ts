/**
 * Adds to the outcome of an operation the questions that its records raise, and closes questions that no longer apply.
 * Both happen in the same entry, so that no reader sees a record without its questions (SEMANTICS 6).
 */
import assert from 'node:assert/strict'
import type { DecideContext } from '../../deciding/context.ts'
import type { NewRow, Outcome } from '../../deciding/outcome.ts'
import { wholeOf } from '../../deciding/state-at-head.ts'
import { decidedAt } from '../../deciding/supersession.ts'
import { type RecordId, recordOfRow } from '../../ids.ts'
import { type AnyMutable, recordsNamedBy } from '../../records/body.ts'
import { kinds } from '../../records/kinds.ts'
import { recordOfQuestion } from '../../records/named.ts'
import { changedRow, type Envelope, type RecordOf } from '../../records/record.ts'
import { proposalOf } from '../../records/revisions.ts'
import { claimsIn } from '../../records/superseded-claims.ts'
import { cut } from '../../records/title.ts'
import { isApplicable, isRetracted } from '../is-applicable.ts'
import { bodyOfFinding, type Finding, judgmentIdOf, questionIdOf, questionRow } from '../question.ts'
import { lossesIn } from './losses.ts'
import { isAboutOldProposals, withoutProposals } from './old-proposals.ts'
import { withoutRecovered } from './recovered.ts'
import { explicitFindingsOf, findingsOf, hasSingleSource, judgmentFindingsOf } from './rules.ts'
import { replacedStrategic } from './strategic.ts'

type Changed = Outcome['changed'][number]

/** Earlier answers that a question keeps. */
const mostEarlier = 50

export async function raiseQuestions<Input>(context: DecideContext<Input>, outcome: Outcome): Promise<Outcome> {
  const made = outcome.created.filter((row) => kinds[row.kind].isKnowledge)
  const findings = [
    ...(await Promise.all(made.map((row) => findingsIn(row, context)))),
    await findingsOfAccepted(context, outcome),
  ].flat()
  const isAllNew = outcome.changed.length === 0 && made.every((row) => row.revision === 1)
  // new records cannot have open questions yet: most imported records end here
  if (isAllNew && findings.length === 0) return outcome
  const replaced = outcome.changed.length === 0 ? [] : await replacedStrategic(context, outcome)
  const losses = await lossesIn(context, outcome)
  const found = [...findings, ...replaced, ...losses.findings]
  const asked = await askQuestions(context, [...found, ...(await withoutRecovered(context, outcome))])
  const closed = isAllNew ? [] : await closedQuestions(context, outcome, asked.ids)
  const isClosed = new Set(closed.map(({ id }) => id))
  for (const question of losses.settled) {
    if (!isClosed.has(question.id)) closed.push(closing(question, context.at, { valid_to: decidedAt(context) }))
  }
  return {
    ...outcome,
    created: [...outcome.created, ...asked.created],
    changed: [...outcome.changed, ...asked.changed, ...closed],
  }
}

async function findingsIn<Input>(row: NewRow, { state }: DecideContext<Input>): Promise<Finding[]> {
  if (row.feed !== 'none') return findingsOf(row)
  const revisions = await state.revisions(row.record_id)
  // an older revision that is imported late is history and raises no questions
  return revisions.some(({ accepted }) => accepted > row.accepted) ? [] : judgmentFindingsOf(row)
}

async function findingsOfAccepted<Input>({ state }: DecideContext<Input>, { changed }: Outcome): Promise<Finding[]> {
  const found: Finding[] = []
  for (const { id, set } of changed.filter(isAcceptedProposal)) {
    found.push(...explicitFindingsOf(changedRow(await wholeOf(state, { id }), set)))
  }
  return found
}

/** A proposal beside a decided revision that becomes the current revision. */
function isAcceptedProposal({ set }: Changed): boolean {
  return set.feed !== undefined && set.feed !== 'none'
}

interface QuestionChanges {
  created: NewRow[]
  changed: Changed[]
  /** Record ids of all questions found, also of those that were open before. */
  ids: ReadonlySet<RecordId>
}

/** Creates new questions and reopens those that had closed. An answered question stays closed, except for a new proposal. */
export async function askQuestions<Input>(
  context: DecideContext<Input>,
  findings: readonly Finding[],
): Promise<QuestionChanges> {
  const { receipt, state, at } = context
  const created: NewRow[] = []
  const changed: Changed[] = []
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
    if (finding.form === 'judgment' || (known.valid_to !== null && known.mutable.answer === null)) {
      changed.push(reopened(known, finding, at))
    }
  }
  return { created, changed, ids }
}

/** With the claim as found now, because the wording of the records may have changed. */
function reopened({ body: before, mutable, ...known }: RecordOf<'question'>, finding: Finding, at: string): Changed {
  const { answer, earlier = [] } = mutable
  const answered = (answer === null ? earlier : [...earlier, { claim: before.claim, answer }]).slice(-mostEarlier)
  const body = bodyOfFinding(finding)
  const named = [...new Set([...recordsNamedBy(before), ...recordsNamedBy(body)])]
  return {
    id: known.id,
    set: {
      kind: 'question',
      valid_to: null,
      mutable: { ...mutable, records: named, answer: null, ...(answered.length === 0 ? {} : { earlier: answered }) },
      updated_at: at,
      ...{ body, title: cut(body.claim, 300), text: body.claim },
      // lets projection update the rank
      created_at: known.created_at,
    },
  }
}

/** Closes questions about records or claims that this outcome supersedes, changes or revises. */
async function closedQuestions<Input>(
  context: DecideContext<Input>,
  outcome: Outcome,
  asked: ReadonlySet<RecordId>,
): Promise<Changed[]> {
  const moved = new Set(outcome.changed.map(({ id }) => id))
  const found = new Map<string, Changed>()
  const gathered = new Map<string, { question: RecordOf<'question'>; gone: Set<RecordId> }>()
  for (const { row, revised } of await changedRecords(context, outcome)) {
    const proposal = await proposalAfter(context, outcome, row.record_id)
    for (const question of await context.state.questionsOn(row.record_id)) {
      if (question.valid_to !== null || asked.has(question.record_id) || moved.has(question.id)) continue
      const { body } = question
      // that a decision failed stays true when it is superseded
      if (!body.about.some(({ record }) => record === row.record_id)) continue
      if (isAboutOldProposals(body)) {
        const isAskedAlone = asked.has(recordOfQuestion(row.workspace, judgmentIdOf(row.record_id)))
        if (!isAskedAlone && isApplicable({ ...row, proposal }, body.reason)) continue
        const { gone } = gathered.get(question.id) ?? { gone: new Set() }
        gathered.set(question.id, { question, gone: gone.add(row.record_id) })
        continue
      }
      // a new revision raises its own questions; a pending judgment of a proposal beside it stays open. What was learned
      // from a failure is asked of the decision, not of one revision
      const ended =
        (revised && body.reason !== 'pending_judgment' && body.reason !== 'loss_ledger_gap') ||
        !isApplicable({ ...row, proposal }, body.reason) ||
        (body.reason === 'single_source' && !hasSingleSource(row)) ||
        body.about.some((about) => about.record === row.record_id && isRetracted(body.reason, about, row.mutable ?? {}))
      if (ended) found.set(question.id, closing(question, context.at, { valid_to: decidedAt(context) }))
    }
  }
  const ended = { valid_to: decidedAt(context) }
  const left = [...gathered.values()].map(
    ({ question, gone }) => withoutProposals(question, gone, context.at) ?? closing(question, context.at, ended),
  )
  return [...found.values(), ...left]
}

interface ChangedRecord {
  /** The current revision after this outcome. Has no mutable fields if none changed: then no claim was retracted. */
  row: Omit<Envelope, 'seq'> & { mutable?: AnyMutable }
  revised: boolean
}

async function changedRecords<Input>({ state }: DecideContext<Input>, outcome: Outcome): Promise<ChangedRecord[]> {
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
    const isEnding = closingFields.some((field) => set[field] !== undefined) || claimsIn(set.mutable ?? {}).length > 0
    const matters = set.kind !== 'question' && isEnding
    if (!matters) continue
    const recordId = recordOfRow(id)
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

/** The change that closes a question. */
export function closing(
  question: Pick<RecordOf<'question'>, 'id' | 'mutable'>,
  at: string,
  { valid_to = at, mutable = question.mutable }: Partial<Pick<RecordOf<'question'>, 'mutable'>> & { valid_to?: string },
): Changed {
  // the kind and the mutable fields tell projection which links to close
  return { id: question.id, set: { kind: 'question', valid_to, mutable, updated_at: at } }
}
