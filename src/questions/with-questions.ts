/**
 * Extends an operation: it also creates the questions that its records raise, and closes questions that no longer apply.
 * Both happen in the same entry, so that no reader sees a record without its questions (SEMANTICS 6).
 */
import { wholeOf } from '../journal/state.ts'
import type { DecideContext, NewRow, Operation, Outcome } from '../operation.ts'
import { bodyOf, type QuestionBody, type RecordBody } from '../records/body.ts'
import { type RecordId, recordOfRow } from '../records/ids.ts'
import { recordOfQuestion } from '../records/named.ts'
import { changedRow, type Envelope, type PrecedentRecord } from '../records/record.ts'
import { proposalOf } from '../records/revisions.ts'
import { claimsIn } from '../records/superseded-claims.ts'
import { decidedAt } from '../records/supersession.ts'
import { cut } from '../records/title.ts'
import { isApplicable } from './is-applicable.ts'
import { type Finding, openBody, questionIdOf, questionRow } from './question.ts'
import { isRetracted } from './retracted.ts'
import { explicitFindingsOf, findingsOf, hasSingleSource, judgmentFindingsOf } from './rules.ts'
import { replacedStrategic } from './strategic.ts'

type Changed = Outcome['changed'][number]

/** Earlier answers that a question keeps. */
const mostEarlier = 50

export function withQuestions<Input>(operation: Operation<Input>): Operation<Input> {
  return {
    ...operation,
    async decide(context) {
      return addQuestions(context, await operation.decide(context))
    },
  }
}

async function addQuestions<Input>(context: DecideContext<Input>, outcome: Outcome): Promise<Outcome> {
  const made = outcome.created.filter((row) => row.kind !== 'question')
  const findings = [
    ...(await Promise.all(made.map((row) => findingsIn(row, context)))),
    await findingsOfAccepted(context, outcome),
  ].flat()
  const isAllNew = outcome.changed.length === 0 && made.every((row) => row.revision === 1)
  // new records cannot have open questions yet: most imported records end here
  if (isAllNew && findings.length === 0) return outcome
  const replaced = outcome.changed.length === 0 ? [] : await replacedStrategic(context.state, outcome)
  const asked = await askQuestions(context, [...findings, ...replaced])
  const closed = isAllNew ? [] : await closedQuestions(context, outcome, asked.ids)
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

export interface QuestionChanges {
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
    } else if (finding.form === 'judgment' || (known.valid_to !== null && bodyOf(known, 'question').answer === null)) {
      changed.push(reopened(known, finding, at))
    }
  }
  return { created, changed, ids }
}

/** With the claim as found now, because the wording of the records may have changed. */
function reopened(known: PrecedentRecord, finding: Finding, at: string): Changed {
  const { claim, answer, earlier = [] } = bodyOf(known, 'question')
  const answered = (answer === null ? earlier : [...earlier, { claim, answer }]).slice(-mostEarlier)
  const body = { ...openBody(finding), ...(answered.length === 0 ? {} : { earlier: answered }) }
  const { id, set } = questionChange(known, { valid_to: null, body, at })
  // created_at lets projection update the rank
  return { id, set: { ...set, title: cut(body.claim, 300), text: body.claim, created_at: known.created_at } }
}

/** Closes questions about records or claims that this outcome supersedes, changes or revises. */
async function closedQuestions<Input>(
  context: DecideContext<Input>,
  outcome: Outcome,
  asked: ReadonlySet<RecordId>,
): Promise<Changed[]> {
  const moved = new Set(outcome.changed.map(({ id }) => id))
  const found = new Map<string, Changed>()
  for (const { row, revised } of await changedRecords(context, outcome)) {
    const proposal = await proposalAfter(context, outcome, row.record_id)
    for (const question of await context.state.questionsOn(row.record_id)) {
      if (question.valid_to !== null || asked.has(question.record_id) || moved.has(question.id)) continue
      const { body } = question
      // a new revision raises its own questions; a pending judgment of a proposal beside it stays open
      const ended =
        (revised && body.reason !== 'pending_judgment') ||
        !isApplicable({ ...row, proposal }, body.reason) ||
        (body.reason === 'single_source' && !hasSingleSource(row)) ||
        body.about.some((about) => about.record === row.record_id && isRetracted(body.reason, about, row.body ?? {}))
      if (ended)
        found.set(question.id, questionChange(question, { valid_to: decidedAt(context), body, at: context.at }))
    }
  }
  return [...found.values()]
}

interface ChangedRecord {
  /** The current revision after this outcome. Has no body if the body did not change: then no claim was retracted. */
  row: Omit<Envelope, 'seq'> & { body?: RecordBody }
  revised: boolean
}

async function changedRecords<Input>({ state }: DecideContext<Input>, outcome: Outcome): Promise<ChangedRecord[]> {
  const found = new Map<RecordId, ChangedRecord>()
  for (const row of outcome.created) {
    if (row.kind === 'question' || row.revision === 1) continue
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
    const isEnding = closingFields.some((field) => set[field] !== undefined) || claimsIn(set.body ?? {}).length > 0
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

/** The change includes the kind, so that projection need not read the row. */
export function questionChange(
  question: Pick<PrecedentRecord, 'id'>,
  { valid_to, body, at }: { valid_to: string | null; body: QuestionBody; at: string },
): Changed {
  return { id: question.id, set: { kind: 'question', valid_to, body, updated_at: at } }
}
