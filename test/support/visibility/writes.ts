/** Random histories of writes by three readers, and the input of each write in a store. */
import fc from 'fast-check'
import { recordOutcome } from '../../../src/decisions/outcome.ts'
import { recordDecision } from '../../../src/decisions/record.ts'
import { supersedeDecision } from '../../../src/decisions/supersede.ts'
import { remember } from '../../../src/memories/remember.ts'
import type { PrecedentRecord, RecordOf } from '../../../src/records/record.ts'
import { cancelRun } from '../../../src/runs/cancel.ts'
import { startRun } from '../../../src/runs/start.ts'
import { commentOnTask } from '../../../src/tasks/comment.ts'
import { createTask } from '../../../src/tasks/create.ts'
import { updateTask } from '../../../src/tasks/update.ts'
import { rows, type World } from '../apply.ts'
import { actors, visibilities } from '../readers.ts'

export const missing = '00000000-0000-7000-8000-00000000dead'
export const words = ['harbour', 'ledger', 'falcon', 'orchard', 'granite', 'meadow', 'copper', 'lantern']
const write = fc.record({
  by: fc.nat(actors.length - 1),
  kind: fc.constantFrom(
    ...(['fact', 'constraint', 'commitment', 'correction', 'correction'] as const),
    ...(['decision', 'decision', 'outcome', 'outcome', 'supersede'] as const),
    ...(['task', 'task', 'task', 'change', 'comment', 'run', 'run', 'run', 'run', 'cancel'] as const),
  ),
  outcome: fc.constantFrom('success', 'failure', 'failure', 'mixed'),
  said: fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 5 }),
  visibility: fc.option(fc.constantFrom(...visibilities), { nil: undefined }),
  targets: fc.array(fc.nat(), { minLength: 1, maxLength: 2 }),
  externalId: fc.option(fc.nat(3), { nil: undefined, freq: 2 }),
  waitsFor: fc.option(fc.nat(3), { nil: undefined, freq: 2 }),
  status: fc.constantFrom('accepted', 'accepted', 'accepted', 'proposed', 'rejected'),
  hedged: fc.boolean(),
  significance: fc.constantFrom('strategic', 'routine'),
  year: fc.option(fc.integer({ min: 2018, max: 2028 }), { nil: undefined }),
  source: fc.option(fc.nat(2), { nil: undefined }),
  namesFirst: fc.boolean(),
  category: fc.constantFrom('pricing', 'security'),
  queue: fc.option(fc.constantFrom('falcon', 'granite'), { nil: undefined }),
})
export type Write = typeof write extends fc.Arbitrary<infer W> ? W : never

/** A decision that fails, and a proposal that may repeat it. */
const part = fc.record({
  by: fc.constantFrom(0, 1),
  // of those that both actors may write for
  visibility: fc.constantFrom(...visibilities.slice(0, 3)),
  queue: fc.constantFrom('falcon', 'granite'),
})
const repeat = fc.tuple(part, part, write).map(([failed, proposed, { outcome: _, ...other }]): Write[] => {
  const plain = { ...other, externalId: undefined, waitsFor: undefined, year: undefined, targets: [], hedged: false }
  const decision = { ...plain, outcome: 'failure' as const, kind: 'decision' as const }
  return [
    { ...decision, ...failed, status: 'accepted' },
    { ...decision, ...failed, kind: 'outcome' },
    { ...decision, ...proposed, status: 'proposed' },
  ]
})
const repeats = fc.array(repeat, { minLength: 2, maxLength: 3 }).map((all) =>
  // the decisions before it are those of the repeats before it
  all.flatMap((one, at) => one.map((each) => (each.kind === 'outcome' ? { ...each, targets: [2 * at] } : each))),
)

/** Tasks of several audiences, each with a run: those of one project are queued, the others await approval. */
const executions = fc.array(fc.tuple(part, write), { minLength: 3, maxLength: 4 }).map((all) =>
  all.flatMap(([made, { said, category }], at): Write[] => {
    const plain = {
      ...made,
      said,
      category,
      source: undefined,
      externalId: undefined,
      waitsFor: undefined,
      year: undefined,
    }
    const other = {
      outcome: 'success',
      status: 'accepted',
      hedged: false,
      significance: 'routine',
      namesFirst: false,
    } as const
    const task = { ...plain, ...other, queue: undefined, targets: [0], kind: 'task' as const }
    return [task, { ...task, kind: 'run', targets: [at] }]
  }),
)

export const historiesOf = (lengths: { minLength: number; maxLength: number }) =>
  fc.tuple(executions, repeats, fc.array(write, lengths)).map((all) => all.flat())

export async function inputFor(one: Write, at: number, on: World) {
  const there = await rows(on)
  const of = (kind: PrecedentRecord['kind']) => there.flatMap((row) => (row.kind === kind ? row.record_id : []))
  if (one.kind === 'run' || one.kind === 'cancel') {
    const tasks = of('task')
    const id = tasks[(one.targets[0] ?? 0) % tasks.length] ?? missing
    return one.kind === 'run'
      ? ([startRun, { id, mode: one.hedged ? 'plan' : 'auto' }] as const)
      : ([cancelRun, { id }] as const)
  }
  if (one.kind === 'task' || one.kind === 'change' || one.kind === 'comment') {
    return taskInputOf(one, at, of('task'), of('decision'))
  }
  const ids = of(['decision', 'outcome', 'supersede'].includes(one.kind) ? 'decision' : 'memory')
  return inputOf(one, at, ids, there.filter(isQuestion))
}

/** Parents and decisions may be hidden, or seen by fewer: then the write is refused. */
function taskInputOf(one: Write, at: number, tasks: readonly string[], decisions: readonly string[]) {
  const content = `${one.said.join(' ')} only${at}only`
  const [first = 0, second = first] = one.targets
  const id = tasks[first % tasks.length] ?? missing
  if (one.kind === 'comment') return [commentOnTask, { id, body: content }] as const
  const given = {
    description: content,
    assignees: one.said.slice(0, 2),
    labels: one.said.slice(2),
    project: one.category,
    priority: one.hedged ? 'high' : 'none',
    ...(one.queue === undefined ? {} : { status: one.queue === 'falcon' ? 'in_progress' : 'blocked' }),
    ...(one.namesFirst && tasks.length > 0 ? { parent_id: tasks[second % tasks.length] } : {}),
    ...(one.source !== undefined && decisions.length > 0
      ? { decision_ids: [decisions[first % decisions.length]] }
      : {}),
  }
  if (one.kind === 'change') return [updateTask, { id, ...given }] as const
  return [
    createTask,
    {
      name: one.said.join(' '),
      ...given,
      ...(one.visibility ? { visibility: one.visibility } : {}),
      ...(one.externalId === undefined ? {} : { external_id: `external-${one.externalId}` }),
    },
  ] as const
}

export const isQuestion = (row: PrecedentRecord): row is RecordOf<'question'> => row.kind === 'question'

/** The id in records and answers. */
export const namesOf = ({ record_id, body }: RecordOf<'question'>) =>
  [record_id, body.question_id].map((id) => ({ type: 'question', id }))

function inputOf(one: Write, at: number, ids: readonly string[], questions: readonly RecordOf<'question'>[]) {
  const targets = ids.length === 0 ? [] : one.targets.map((target) => ids[target % ids.length] as string)
  const page = one.source === undefined ? [] : [{ type: 'page', id: `page-${one.source}`, title: `Page ${one.source}` }]
  // sources name records that the reader may or may not see
  const [first = 0] = one.targets
  const asked = questions.length === 0 ? [] : namesOf(questions[first % questions.length] as never)
  const names = [...targets.map((id) => ({ type: 'memory', id })), ...asked].map((source, at) => {
    return { ...source, provenance: { class: at % 2 === 0 ? 'conversation' : 'meeting' } }
  })
  const sources = one.namesFirst ? [...names, ...page] : [...page, ...names]
  const common = { sources, ...(one.visibility ? { visibility: one.visibility } : {}) }
  // a unique word shows where the record appears
  const content = `${one.hedged ? 'I think that ' : ''}${one.said.join(' ')} only${at}only`
  const instant = one.year === undefined ? undefined : `${one.year}-06-01T00:00:00Z`
  if (one.kind === 'outcome') {
    const observed = instant ? { observed_at: `${Math.min(one.year as number, 2025)}-06-01T00:00:00Z` } : {}
    const id = targets[0] ?? missing
    return [recordOutcome, { id, outcome_status: one.outcome, outcome_notes: content, sources, ...observed }] as const
  }
  if (one.kind === 'supersede') {
    return [
      supersedeDecision,
      { id: targets[0] ?? missing, superseded_by: targets[1] ?? missing, reason: 'Why.' },
    ] as const
  }
  if (one.kind !== 'decision') {
    // a correction without a target becomes a fact
    const kind = one.kind === 'correction' && !targets[0] ? 'fact' : one.kind
    const corrects = kind === 'correction' ? { corrects_memory_id: targets[0] } : {}
    return [remember, { kind, content, ...(instant ? { occurred_at: instant } : {}), ...common, ...corrects }] as const
  }
  // decisions about one queue repeat each other
  const claim = one.queue === undefined ? '' : `Background jobs wait in the ${one.queue} queue. `
  const title = one.queue !== undefined && one.status === 'proposed' ? `The ${one.queue} queue` : content
  const waits = one.waitsFor === undefined ? [] : [`external-${one.waitsFor}`]
  return [
    recordDecision,
    {
      title,
      judgment: `${claim}${content}`,
      status: one.status,
      category: one.category,
      significance: one.significance,
      supersedes: [...targets, ...waits],
      ...(one.externalId === undefined ? {} : { external_id: `external-${one.externalId}` }),
      ...(instant ? { decided_at: instant } : {}),
      ...common,
    },
  ] as const
}
