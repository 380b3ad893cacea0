/**
 * An operation that makes records also asks what they leave open, and closes what no longer stands: in the same entry,
 * so that no reader ever sees the one without the other (SEMANTICS 6).
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
import { findingsOf, hasSingleSource, judgmentOf, leftOpenBy } from './rules.ts'
import { replacedStrategic } from './strategic.ts'

type Changed = Outcome['changed'][number]

/** Answers that a question keeps of those before. */
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
    await leftOpen(context, outcome),
  ].flat()
  const isAllNew = outcome.changed.length === 0 && made.every((row) => row.revision === 1)
  // what nobody could know of yet has no question: most of an import ends here
  if (isAllNew && findings.length === 0) return outcome
  const replaced = outcome.changed.length === 0 ? [] : await replacedStrategic(context.state, outcome)
  const asked = await askQuestions(context, [...findings, ...replaced])
  const lapsed = isAllNew ? [] : await lapses(context, outcome, asked.ids)
  return {
    ...outcome,
    created: [...outcome.created, ...asked.created],
    changed: [...outcome.changed, ...asked.changed, ...lapsed],
  }
}

async function findingsIn<Input>(row: NewRow, { state }: DecideContext<Input>): Promise<Finding[]> {
  if (row.feed !== 'none') return findingsOf(row)
  const revisions = await state.revisions(row.record_id)
  // an older revision that comes late is history: nothing is asked of it
  return revisions.some(({ accepted }) => accepted > row.accepted) ? [] : judgmentOf(row)
}

async function leftOpen<Input>({ state }: DecideContext<Input>, { changed }: Outcome): Promise<Finding[]> {
  const found: Finding[] = []
  for (const { id, set } of changed.filter(isTaken)) {
    found.push(...leftOpenBy(changedRow(await wholeOf(state, { id }), set)))
  }
  return found
}

/** A proposal that stood beside what was decided, and takes its place. */
function isTaken({ set }: Changed): boolean {
  return set.feed !== undefined && set.feed !== 'none'
}

export interface QuestionChanges {
  created: NewRow[]
  changed: Changed[]
  /** Of the question's records, whether they were open before or not. */
  ids: ReadonlySet<RecordId>
}

/** Asks what was never asked, and again what had lapsed; what was answered is never asked again, but another proposal is. */
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

/** In the words of what was found now: the records may say it otherwise than they did. */
function reopened(known: PrecedentRecord, finding: Finding, at: string): Changed {
  const { claim, answer, earlier = [] } = bodyOf(known, 'question')
  const answered = (answer === null ? earlier : [...earlier, { claim, answer }]).slice(-mostEarlier)
  const body = { ...openBody(finding), ...(answered.length === 0 ? {} : { earlier: answered }) }
  const { id, set } = questionChange(known, { valid_to: null, body, at })
  // by its creation and its score it is ranked anew
  return { id, set: { ...set, title: cut(body.claim, 300), text: body.claim, created_at: known.created_at } }
}

/** Questions on records that this outcome supersedes, changes or revises, or on claims of them, which stand no longer. */
async function lapses<Input>(
  context: DecideContext<Input>,
  outcome: Outcome,
  asked: ReadonlySet<RecordId>,
): Promise<Changed[]> {
  const moved = new Set(outcome.changed.map(({ id }) => id))
  const found = new Map<string, Changed>()
  for (const { row, revised } of await touched(context, outcome)) {
    const proposal = await proposalAfter(context, outcome, row.record_id)
    for (const question of await context.state.questionsOn(row.record_id)) {
      if (question.valid_to !== null || asked.has(question.record_id) || moved.has(question.id)) continue
      const { body } = question
      // a new revision is asked anew, by its own words; what is proposed beside it stays so
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

interface Touched {
  /** The current revision as this outcome leaves it. Without its body where that stays: then no claim is withdrawn. */
  row: Omit<Envelope, 'seq'> & { body?: RecordBody }
  revised: boolean
}

async function touched<Input>({ state }: DecideContext<Input>, outcome: Outcome): Promise<Touched[]> {
  const found = new Map<RecordId, Touched>()
  for (const row of outcome.created) {
    if (row.kind === 'question' || row.revision === 1) continue
    const current = row.feed === 'none' ? await state.record(row.record_id) : row
    if (current) found.set(row.record_id, { row: current, revised: current === row })
  }
  for (const change of outcome.changed) {
    const { id, set } = change
    if (isTaken(change)) {
      const taken = changedRow(await wholeOf(state, { id }), set)
      found.set(taken.record_id, { row: taken, revised: true })
      continue
    }
    const isEnding = ending.some((field) => set[field] !== undefined) || claimsIn(set.body ?? {}).length > 0
    const matters = set.kind !== 'question' && isEnding
    if (!matters) continue
    const recordId = recordOfRow(id)
    const known = found.get(recordId)
    const before: Touched['row'] | undefined = known?.row ?? (await state.record(recordId))
    if (before?.id !== id) continue
    found.set(recordId, { row: changedRow(before, set), revised: known?.revised ?? false })
  }
  return [...found.values()]
}

/** The revision that waits to be judged, as this outcome leaves it. */
async function proposalAfter<Input>({ state }: DecideContext<Input>, { created, changed }: Outcome, id: RecordId) {
  const made = created.filter((row) => row.record_id === id)
  const revisions = [...(await state.revisions(id)), ...made].sort((a, b) => (a.accepted < b.accepted ? -1 : 1))
  const newest = revisions.at(-1)
  const sets = changed.filter((one) => one.id === newest?.id).map(({ set }) => set)
  return newest && proposalOf([changedRow(newest, ...sets)])
}

/** Changes of these may end a question. */
const ending = ['superseded_by', 'invalidated_at', 'status', 'sources'] as const

/** Names its kind, so that projection need not read the row. */
export function questionChange(
  question: Pick<PrecedentRecord, 'id'>,
  { valid_to, body, at }: { valid_to: string | null; body: QuestionBody; at: string },
): Changed {
  return { id: question.id, set: { kind: 'question', valid_to, body, updated_at: at } }
}
