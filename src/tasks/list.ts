/** task.list: tasks that pass filters, in one of four orders; or those that match a query, best first. */
import { type List, openList } from '../access/list.ts'
import { feedEpoch } from '../access/settings.ts'
import { type RankPosition, rankedHits } from '../context/hits.ts'
import type { RecordId } from '../ids.ts'
import { checkpoints } from '../journal/checkpoint.ts'
import { defineQuery, type Reads } from '../operation.ts'
import type { Where } from '../ports/documents.ts'
import type { Presenting } from '../records/present/present.ts'
import { type TaskRow, taskRows, tasksOf } from '../records/present/tasks.ts'
import { type TaskKey, taskKeys } from '../records/projections/tasks.ts'
import { type RecordReader, recordReader } from '../records/read/reader.ts'
import { anyTask, type TaskFilter, taskKey, taskKeysOf } from '../records/task.ts'
import { namedUsers } from './content.ts'
import { type ListTasksInput, type ListTasksOutput, listTasksInput, listTasksOutput, type TaskSort } from './schema.ts'

/** The filters, the one that usually leaves the fewest tasks first: its keys are read. */
const filters: readonly TaskFilter[] = [
  'parent_id',
  'assignee',
  'label',
  'project',
  'inbox_status',
  'status',
  'priority',
]

/** The field of a key by which each order sorts. Equals are sorted by id; sequences have no equals. */
const sortFields = {
  updated: 'seq',
  created: 'created_at',
  due: 'due',
  priority: 'priority',
} as const satisfies Record<TaskSort, keyof TaskKey>

/** Keys examined for one page, approximately: a page may be short and still have a cursor. */
const mostExamined = 1_000
/** ms that the clocks of two workers may differ. */
const clockDifference = 5 * 60_000

export const listTasks = defineQuery<ListTasksInput, ListTasksOutput>({
  name: 'task.list',
  scope: 'tasks:read',
  summary: 'Tasks that pass filters, or that match a query.',
  input: listTasksInput,
  output: listTasksOutput,

  async run({ input, actor, reads }) {
    const presenting = { reader: recordReader(reads.documents, actor, reads.clock), publicUrl: reads.publicUrl }
    // sequences of a restored store may begin again below a cursor of before
    const epoch = await feedEpoch(reads.documents, () => reads.clock.id())
    const list = <Position>() => openList<Position>(reads, actor, `task.list ${epoch}`, input)
    const wanted = { input, keys: keysIn(input, actor.user) }
    return input.q === undefined
      ? inOrder(wanted, list(), presenting, reads)
      : byQuery(wanted, input.q, list(), presenting, reads)
  },
})

interface Wanted {
  input: ListTasksInput
  /** For each filter the keys of which a task must have one. */
  keys: string[][]
}

function keysIn(input: ListTasksInput, user: string): string[][] {
  return filters.flatMap((filter) => {
    const values = input[filter]
    if (values === undefined) return []
    const all = filter === 'assignee' ? namedUsers(values, user) : values
    return [[...new Set(all.map((value) => taskKey(filter, value)))]]
  })
}

/** Checked on the record itself: its keys may be those of a moment ago. */
function passes({ mutable, updated_at }: TaskRow, { input, keys }: Wanted): boolean {
  const own = new Set(taskKeysOf(mutable))
  return (
    keys.every((some) => some.some((key) => own.has(key))) &&
    (input.updated_since === undefined || updated_at >= input.updated_since)
  )
}

async function byQuery(
  wanted: Wanted,
  q: string,
  list: List<RankPosition>,
  presenting: Presenting,
  reads: Reads,
): Promise<ListTasksOutput> {
  const { keys, input } = wanted
  const filter = { kinds: ['task' as const], ...(keys.length === 0 ? {} : { tags: keys }) }
  const { hits, next } = await rankedHits(
    { q, filter, limit: input.limit, after: list.position },
    presenting.reader,
    reads,
  )
  const ids = hits.map(({ record }) => record.record_id)
  return list.page(await shown(ids, wanted, presenting), next)
}

async function shown(ids: readonly RecordId[], wanted: Wanted, presenting: Presenting) {
  const rows = await taskRows(ids, presenting.reader)
  const passing = ids.flatMap((id) => {
    const row = rows.get(id)
    return row && passes(row, wanted) ? [row] : []
  })
  return tasksOf(passing, presenting)
}

/** The last key examined. */
interface Position {
  value: string | number
  task: RecordId | ''
}

async function inOrder(
  wanted: Wanted,
  list: List<Position>,
  presenting: Presenting,
  reads: Reads,
): Promise<ListTasksOutput> {
  const { limit, sort = 'updated' } = wanted.input
  const scan = await scanOf(wanted, sort, presenting.reader, reads)
  const found: TaskRow[] = []
  const known = new Set<RecordId>()
  let last = list.position ?? scan.start
  const page = async (hasMore: boolean) => {
    // a list by `updated` goes on: later changes come after the last one
    const next = hasMore || sort === 'updated' ? (last ?? { value: 0, task: '' as const }) : undefined
    return list.page(await tasksOf(found, presenting), next, hasMore)
  }
  for (let examined = 0; examined < mostExamined; ) {
    const { keys, ended } = await scan.after(last, limit + 1)
    const rows = await taskRows(
      keys.map(({ task }) => task),
      presenting.reader,
    )
    for (const key of keys) {
      const row = rows.get(key.task)
      // it may have several of the keys
      if (row && !known.has(key.task) && passes(row, wanted)) {
        if (found.length === limit) return page(true)
        found.push(row)
        known.add(key.task)
      }
      last = { value: key[sortFields[sort]], task: key.task }
    }
    if (ended) return page(false)
    examined += keys.length
  }
  return page(true)
}

interface Scan {
  /** Where the first page begins; undefined: at the first key. */
  start: Position | undefined
  after(last: Position | undefined, limit: number): Promise<{ keys: TaskKey[]; ended: boolean }>
}

async function scanOf({ input, keys }: Wanted, sort: TaskSort, reader: RecordReader, reads: Reads): Promise<Scan> {
  const field = sortFields[sort]
  const where = {
    workspace: reader.workspace,
    audience: { in: reader.audiences },
    key: { in: keys[0] ?? [anyTask] },
    open: 1,
  }
  const find = (range: Where<TaskKey>, limit: number) =>
    reads.documents.find(taskKeys, {
      where: { ...where, ...range },
      sort:
        sort === 'updated'
          ? [['seq', 'asc']]
          : [
              [field, 'asc'],
              ['task', 'asc'],
            ],
      limit,
    })

  if (sort === 'updated') {
    // read first: all keys up to this sequence are there, so no later page misses one
    const upTo = (await reads.documents.get(checkpoints, reader.workspace, ['projected_seq']))?.projected_seq ?? 0
    return {
      start: input.updated_since === undefined ? undefined : await startOf(input.updated_since, where, reads),
      async after(last, limit) {
        const found = await find({ seq: { gt: last?.value ?? 0, lte: upTo } }, limit)
        return { keys: found, ended: found.length < limit }
      },
    }
  }
  return {
    start: undefined,
    async after(last, limit) {
      if (last === undefined) {
        const first = await find({}, limit)
        return { keys: first, ended: first.length < limit }
      }
      const same = await find({ [field]: last.value, task: { gt: last.task } }, limit)
      const rest = limit - same.length
      if (rest === 0) return { keys: same, ended: false }
      const later = await find({ [field]: { gt: last.value } }, rest)
      return { keys: [...same, ...later], ended: later.length < rest }
    },
  }
}

/** The last change that was certainly before the instant, although the clocks of workers differ. */
async function startOf(since: string, where: Where<TaskKey>, { documents }: Reads): Promise<Position | undefined> {
  const before = new Date(Math.max(0, Date.parse(since) - 2 * clockDifference)).toISOString()
  const [key] = await documents.find(taskKeys, {
    where: { ...where, updated_at: { lt: before } },
    sort: [['updated_at', 'desc']],
    limit: 1,
    fields: ['seq'],
  })
  return key && { value: key.seq, task: '' }
}
