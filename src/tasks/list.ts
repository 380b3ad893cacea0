/** task.list: tasks that pass filters, in one of four orders; or those that match a query, best first. */
import { type List, openList } from '../access/list.ts'
import { feedEpoch } from '../access/settings.ts'
import { type RankPosition, rankedHits } from '../context/hits.ts'
import type { RecordId } from '../ids.ts'
import { defineQuery, type Reads } from '../operation.ts'
import type { Presenting } from '../records/present/present.ts'
import { type TaskRow, taskRows, tasksOf } from '../records/present/tasks.ts'
import { taskKeyId, taskKeys } from '../records/projections/tasks.ts'
import { recordReader } from '../records/read/reader.ts'
import { type TaskFilter, taskKey, taskKeysOf } from '../records/task.ts'
import { namedUsers } from './content.ts'
import { mostExamined, type Position, type ScannedKey, scanOf, sortFields, type Wanted } from './scan.ts'
import { type ListTasksInput, type ListTasksOutput, listTasksInput, listTasksOutput } from './schema.ts'

/** The filters, the one that usually leaves the fewest tasks first: its keys are read. */
const filters: readonly TaskFilter[] = [
  'parent_id',
  'assignee',
  'label',
  'project',
  'run_state',
  'inbox_status',
  'status',
  'priority',
]

/** Keys read at once, after the first ones have not filled the page. */
const mostAtOnce = 250
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
    const size = examined === 0 ? limit + 1 : Math.min(mostAtOnce, mostExamined - examined)
    const { keys, ended } = await scan.after(last, size)
    const rows = await taskRows(await passingKeys(keys, wanted, reads), presenting.reader)
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

/**
 * The tasks that pass the other filters by their keys, so that the rows of the others are not read. Rows have the last
 * word (passes).
 */
async function passingKeys(keys: readonly ScannedKey[], wanted: Wanted, { documents }: Reads): Promise<RecordId[]> {
  const since = wanted.input.updated_since
  let tasks = keys.flatMap(({ task, updated_at }) => (since === undefined || updated_at >= since ? [task] : []))
  for (const others of wanted.keys.slice(1)) {
    if (tasks.length === 0) break
    const ids = tasks.flatMap((task) => others.map((key) => taskKeyId(task, key)))
    const where = { id: { in: ids }, open: 1 }
    const found = await documents.find(taskKeys, { where, limit: ids.length, fields: ['task'] })
    const having = new Set(found.map(({ task }) => task))
    tasks = tasks.filter((task) => having.has(task))
  }
  return tasks
}
