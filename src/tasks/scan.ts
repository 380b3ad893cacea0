/** Reads the keys of tasks that pass one filter, in one of four orders. */

import type { RecordId } from '../ids.ts'
import { checkpoints } from '../journal/checkpoint.ts'
import type { Reads } from '../operation.ts'
import type { Where } from '../ports/documents.ts'
import { type TaskKey, taskKeys } from '../records/projections/tasks.ts'
import type { RecordReader } from '../records/read/reader.ts'
import { anyTask } from '../records/task.ts'
import type { ListTasksInput, TaskSort } from './schema.ts'

export interface Wanted {
  input: ListTasksInput
  /** One list for each filter. A task passes the filter if it has a key of the list. */
  keys: string[][]
}

/** The field of a key by which each order sorts. Equals are sorted by id; sequences have no equals. */
export const sortFields = {
  updated: 'seq',
  created: 'created_at',
  due: 'due',
  priority: 'priority',
} as const satisfies Record<TaskSort, keyof TaskKey>

/** Keys examined for one page, approximately: a page may be short and still have a cursor. */
export const mostExamined = 1_000
/** ms that the clocks of two workers may differ. */
const clockDifference = 5 * 60_000

/** The last key examined. */
export interface Position {
  value: string | number
  task: RecordId | ''
}

export interface Scan {
  /** Where the first page begins; undefined: at the first key. */
  start: Position | undefined
  after(last: Position | undefined, limit: number): Promise<{ keys: ScannedKey[]; ended: boolean }>
}

/** Only the field of the order is read, and updated_at if it is a filter. */
export type ScannedKey = Pick<TaskKey, 'task' | (typeof sortFields)[TaskSort] | 'updated_at'>

export async function scanOf(
  { input, keys }: Wanted,
  sort: TaskSort,
  reader: RecordReader,
  reads: Reads,
): Promise<Scan> {
  const field = sortFields[sort]
  const where = {
    workspace: reader.workspace,
    audience: { in: reader.audiences },
    key: { in: keys[0] ?? [anyTask] },
    open: 1,
  }
  // without updated_at, an index holds all of them in most orders
  const fields = ['task', field, ...(input.updated_since === undefined ? [] : (['updated_at'] as const))] as const
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
      fields,
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
  const recent = input.updated_since === undefined ? undefined : await changedSince(input.updated_since, where, reads)
  if (recent) {
    const positionOf = (key: TaskKey): Position => ({ value: key[field], task: key.task })
    const inOrder = recent.sort((a, b) => comparePositions(positionOf(a), positionOf(b)))
    return {
      start: undefined,
      async after(last, limit) {
        const left = last === undefined ? inOrder : inOrder.filter((key) => comparePositions(positionOf(key), last) > 0)
        return { keys: left.slice(0, limit), ended: left.length <= limit }
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

/** 0 for equals: a task that was the last of one page must not be the first of the next. */
function comparePositions(a: Position, b: Position): number {
  if (a.value !== b.value) return a.value < b.value ? -1 : 1
  if (a.task !== b.task) return a.task < b.task ? -1 : 1
  return 0
}

/** The keys of tasks that have changed since, if they are few. Then no others need to be examined. */
async function changedSince(
  since: string,
  where: Where<TaskKey>,
  { documents }: Reads,
): Promise<TaskKey[] | undefined> {
  const wanted = { ...where, updated_at: { gte: since } }
  if ((await documents.count(taskKeys, { where: wanted, upTo: mostExamined + 1 })) > mostExamined) return undefined
  return documents.find(taskKeys, { where: wanted, sort: [['updated_at', 'asc']], limit: mostExamined })
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
