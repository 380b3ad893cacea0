/** Lists of random tasks after random changes, compared with filtering and sorting all of them. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type Actor, audiencesOf } from '../../src/access/actor.ts'
import { taskKeys } from '../../src/records/projections/tasks.ts'
import { type RecordOf, records } from '../../src/records/record.ts'
import { commentOnTask } from '../../src/tasks/comment.ts'
import { createTask } from '../../src/tasks/create.ts'
import { updateTask } from '../../src/tasks/update.ts'
import { openWorld, promise, quiet, type World, workspace } from '../support/apply.ts'
import { randomOf } from '../support/chaos.ts'
import { actors, visibilities } from '../support/readers.ts'
import { tries } from '../support/size.ts'
import { listed } from './tasks.ts'

const statuses = ['todo', 'in_progress', 'blocked', 'done', 'cancelled'] as const
const priorities = ['urgent', 'high', 'medium', 'low', 'none'] as const
const inbox = ['unread', 'read', 'archived'] as const
const names = ['ada', 'ben', 'me', 'Team, with a comma']
const some = <T>(values: readonly T[], maxLength = 2) => fc.array(fc.constantFrom(...values), { maxLength })
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined })
/** Together, many filters leave nothing. */
const seldom = <T>(arbitrary: fc.Arbitrary<T>) => fc.oneof({ weight: 4, arbitrary: fc.constant(undefined) }, arbitrary)

const fields = {
  status: maybe(fc.constantFrom(...statuses)),
  priority: maybe(fc.constantFrom(...priorities)),
  assignees: maybe(some(names)),
  project: maybe(fc.constantFrom('p', 'q')),
  labels: maybe(some(['x', 'y', 'z'])),
  due_at: maybe(fc.constantFrom('2026-01-01T00:00:00.000Z', '2027-01-01T00:00:00.000Z', '9999-12-31T23:59:59.999Z')),
  inbox_status: maybe(fc.constantFrom(...inbox)),
}
const write = fc.record({
  by: fc.nat(2),
  what: fc.constantFrom('create', 'create', 'change', 'change', 'comment'),
  target: fc.nat(),
  parent: maybe(fc.nat()),
  visibility: fc.constantFrom(...visibilities),
  set: fc.record(fields),
  cleared: fc.subarray(['assignees', 'project', 'labels', 'due_at', 'priority', 'parent_id']),
  // writes that wait are decided in one entry
  waits: fc.boolean(),
})
type Write = typeof write extends fc.Arbitrary<infer W> ? W : never

const filter = fc.record({
  status: seldom(fc.subarray([...statuses], { minLength: 1 })),
  priority: seldom(fc.subarray([...priorities], { minLength: 1 })),
  assignee: seldom(fc.subarray(names, { minLength: 1 })),
  project: seldom(fc.subarray(['p', 'q', 'none'], { minLength: 1 })),
  label: seldom(fc.subarray(['x', 'y', 'z'], { minLength: 1 })),
  inbox_status: seldom(fc.subarray([...inbox], { minLength: 1 })),
  parent: seldom(fc.nat()),
  since: seldom(fc.nat()),
  sort: maybe(fc.constantFrom('updated', 'created', 'due', 'priority')),
  limit: fc.integer({ min: 1, max: 5 }),
  by: fc.nat(2),
})
type Filter = typeof filter extends fc.Arbitrary<infer F> ? F : never

it('a list has exactly the tasks that pass its filters, in its order', { timeout: 240_000 }, async () => {
  const histories = fc.array(write, { minLength: 5, maxLength: 40 })
  const lists = fc.array(filter, { minLength: 10, maxLength: 10 })
  await fc.assert(
    fc.asyncProperty(histories, lists, async (writes, filters) => {
      const on = await openWorld(randomOf(3))
      try {
        for (const one of writes) await perform(one, on)
        await quiet(on)
        const all = await tasks(on)
        for (const alone of singly(filters)) await compare(alone, all, on)
        await sameKeys(on, all)
      } finally {
        await on.close()
      }
    }),
    { numRuns: tries(15), endOnFailure: true },
  )
})

/** Each filter as it is, and one of its fields alone. */
function singly(filters: readonly Filter[]): Filter[] {
  const none = { parent: undefined, since: undefined }
  return filters.flatMap((one, at) => {
    const names = ['status', 'priority', 'assignee', 'project', 'label', 'inbox_status', 'parent', 'since'] as const
    const field = names[at % names.length] as (typeof names)[number]
    const { sort, limit, by } = one
    return [one, { ...none, [field]: usual[field], sort, limit, by } as Filter]
  })
}

const usual = {
  ...{ status: ['todo', 'done'], priority: ['none', 'high'], assignee: ['me', 'ben'], project: ['p'] },
  ...{ label: ['x', 'y'], inbox_status: ['unread', 'read'], parent: 0, since: 3 },
}

async function tasks(on: World): Promise<RecordOf<'task'>[]> {
  const rows = await on.documents.find(records, { where: { workspace }, limit: 10_000 })
  return rows.flatMap((row) => (row.kind === 'task' ? [row] : []))
}

/** Refused writes are ignored: other tests check who may write what. */
async function perform({ by, what, target, parent, visibility, set, cleared, waits }: Write, on: World): Promise<void> {
  const actor = actors[by] as Actor
  const ids = (await tasks(on)).map(({ id }) => id)
  const id = ids[target % ids.length] ?? '00000000-0000-7000-8000-00000000dead'
  const parent_id = parent === undefined || ids.length === 0 ? undefined : ids[parent % ids.length]
  const given = Object.fromEntries(Object.entries({ ...set, parent_id }).filter(([, value]) => value !== undefined))
  const call = () => {
    if (what === 'create') return promise(on, createTask, { name: 'A task', visibility, ...given }, actor)
    if (what === 'comment') return promise(on, commentOnTask, { id, body: 'Hello.' }, actor)
    return promise(on, updateTask, { id, ...given, ...Object.fromEntries(cleared.map((one) => [one, null])) }, actor)
  }
  await call().catch(() => {})
  if (!waits) await quiet(on)
}

async function compare({ parent, since, by, limit, sort, ...filters }: Filter, all: RecordOf<'task'>[], on: World) {
  const actor = actors[by] as Actor
  const parent_id = parent === undefined || all.length === 0 ? undefined : [all[parent % all.length]?.id as string]
  const updated_since = since === undefined || all.length === 0 ? undefined : all[since % all.length]?.updated_at
  const asked = Object.entries({ ...filters, parent_id, updated_since, sort }).filter(
    ([, value]) => value !== undefined,
  )
  const input = { ...Object.fromEntries(asked), limit }
  const any = (wanted: readonly string[] | undefined, own: readonly (string | null)[]) =>
    wanted === undefined || wanted.some((value) => own.includes(value))
  const expected = all
    .filter(({ audience }) => audiencesOf(actor).includes(audience))
    .filter(
      ({ mutable, updated_at }) =>
        any(filters.status, [mutable.status]) &&
        any(filters.priority, [mutable.priority]) &&
        any(
          filters.assignee?.map((name) => (name === 'me' ? actor.user : name)),
          mutable.assignees,
        ) &&
        any(filters.project, [mutable.project]) &&
        any(filters.label, mutable.labels) &&
        any(filters.inbox_status, [mutable.inbox_status]) &&
        any(parent_id, [mutable.parent_id]) &&
        (updated_since === undefined || updated_at >= updated_since),
    )
    .sort((a, b) => {
      const [one, other] = [rankOf(a, sort), rankOf(b, sort)]
      return one === other ? (a.id < b.id ? -1 : 1) : one < other ? -1 : 1
    })
  expect(await listed(on, input, actor)).toEqual(expected.map(({ id }) => id))
}

function rankOf({ mutable, created_at, seq }: RecordOf<'task'>, sort: Filter['sort']): string | number {
  if (sort === 'created') return created_at
  if (sort === 'due') return mutable.due_at ?? 'undated'
  return sort === 'priority' ? priorities.indexOf(mutable.priority) : seq
}

/** No key is left open that the task does not have. */
async function sameKeys(on: World, all: readonly RecordOf<'task'>[]): Promise<void> {
  for (const { id, mutable, seq } of all) {
    const open = await on.documents.find(taskKeys, { where: { workspace, task: id, open: 1 }, limit: 100 })
    const { assignees, labels, project, parent_id } = mutable
    const others = [project, parent_id].filter((value) => value !== null)
    expect(open).toHaveLength(5 + assignees.length + labels.length + others.length)
    expect(new Set(open.map((key) => key.seq))).toEqual(new Set([seq]))
  }
}
