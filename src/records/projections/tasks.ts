/** What tasks become in the store beside their rows: the keys that lists find them by, their parents and activities. */
import type { Audience, RecordId, WorkspaceId } from '../../ids.ts'
import { chunks } from '../../ports/chunks.ts'
import type { Collection, Documents } from '../../ports/documents.ts'
import { activities } from '../activity.ts'
import type { TaskMutable } from '../body.ts'
import { type RecordOf, type RowChange, records } from '../record.ts'
import { dueRank, mostTaskKeys, priorityRank, taskKeysOf } from '../task.ts'
import { taskParents } from '../task-parent.ts'
import { defineProjection, projectionOf } from './projection.ts'

/** One for each task and each of its keys, past ones included. */
export interface TaskKey {
  /** `<task>/<key>` */
  id: string
  workspace: WorkspaceId
  audience: Audience
  task: RecordId
  key: string
  /** 0: the task does not have the key any more. */
  open: number
  created_at: string
  updated_at: string
  /** dueRank and priorityRank. */
  due: number
  priority: number
  /** Sequence of the last change of the task. */
  seq: number
}

export const taskKeys: Collection<TaskKey> = {
  name: 'task_keys',
  fields: {
    id: 'string',
    workspace: 'interned',
    audience: 'interned',
    task: 'string',
    key: 'string',
    open: 'integer',
    created_at: 'instant',
    updated_at: 'instant',
    due: 'integer',
    priority: 'integer',
    seq: 'integer',
  },
  unique: [],
  indexes: [
    // one for each order of task.list
    ['workspace', 'audience', 'key', 'open', 'seq'],
    ['workspace', 'audience', 'key', 'open', 'created_at', 'task'],
    ['workspace', 'audience', 'key', 'open', 'due', 'task'],
    ['workspace', 'audience', 'key', 'open', 'priority', 'task'],
    // where a list of those changed since an instant begins
    ['workspace', 'audience', 'key', 'open', 'updated_at'],
    // projection closes the keys that a task has lost
    ['workspace', 'task', 'open'],
  ],
}

export const projectActivities = projectionOf({ name: 'activities', collection: activities, keeps: 'once', format: 2 })

export const projectTaskParents = projectionOf({
  name: 'task_parents',
  collection: taskParents,
  keeps: 'newest',
  lookups: { id: {}, parent: {} },
  format: 2,
})

type Task = Pick<
  RecordOf<'task'>,
  'workspace' | 'record_id' | 'audience' | 'created_at' | 'updated_at' | 'mutable' | 'seq'
>

/** The keys of a task as it is now. */
export function taskKeysIn(task: Task): TaskKey[] {
  return taskKeysOf(task.mutable).map((key) => keyRow(task, key, 1))
}

function keyRow({ workspace, audience, record_id: task, mutable, ...row }: Task, key: string, open: number): TaskKey {
  const { created_at, updated_at, seq } = row
  const [due, priority] = [dueRank(mutable.due_at), priorityRank(mutable.priority)]
  return { id: taskKeyId(task, key), workspace, audience, task, key, open, created_at, updated_at, due, priority, seq }
}

export function taskKeyId(task: RecordId, key: string): string {
  return `${task}/${key}`
}

/** Tasks whose keys are read at once. */
const tasksAtOnce = Math.floor(10_000 / mostTaskKeys)

/** Every change of a task moves all of its keys, because each holds its sequence. */
export const projectTaskKeys = defineProjection({
  writes: [taskKeys],
  async read(documents, entry) {
    const tasks = await tasksIn(documents, entry.records)
    return [...tasks.flatMap(taskKeysIn), ...(await lostKeys(documents, entry.workspace, tasks))]
  },
  write(writes, _, { read: keys }) {
    if (keys.length > 0) writes.upsertIfNewer(taskKeys, keys, 'seq')
  },
})

/** Those that the entry made or changed, after all of its changes. */
async function tasksIn(documents: Pick<Documents, 'find'>, changes: readonly RowChange[]): Promise<Task[]> {
  const tasks = new Map<string, Task>()
  const changed = new Map<string, { mutable: TaskMutable; updated_at: string; seq: number }>()
  for (const change of changes) {
    if (change.type === 'new' && change.row.kind === 'task') tasks.set(change.row.id, change.row)
    if (change.type === 'changed' && change.set.kind === 'task') {
      const { mutable, updated_at } = change.set
      changed.set(change.id, { mutable, updated_at, seq: change.seq })
    }
  }
  const elsewhere = [...changed.keys()].filter((id) => !tasks.has(id))
  if (elsewhere.length > 0) {
    // these fields never change, so it does not matter how far other workers have come
    const fields = ['id', 'workspace', 'record_id', 'audience', 'created_at'] as const
    const rows = await documents.find(records, { where: { id: { in: elsewhere } }, limit: elsewhere.length, fields })
    for (const { id, ...row } of rows) tasks.set(id, { ...row, ...(changed.get(id) as NonNullable<unknown>) } as Task)
  }
  return [...tasks].map(([id, task]) => ({ ...task, ...changed.get(id) }))
}

/** A key that a later entry has added may be among them. It has a newer sequence, so it is not closed. */
async function lostKeys(
  documents: Pick<Documents, 'find'>,
  workspace: WorkspaceId,
  tasks: readonly Task[],
): Promise<TaskKey[]> {
  const lost: TaskKey[] = []
  for (const some of chunks(tasks, tasksAtOnce)) {
    const byId = new Map(some.map((task) => [task.record_id, { task, keys: new Set(taskKeysOf(task.mutable)) }]))
    const open = await documents.find(taskKeys, {
      where: { workspace, task: { in: [...byId.keys()] }, open: 1 },
      limit: 10_000,
      fields: ['task', 'key'],
    })
    for (const { task: id, key } of open) {
      const known = byId.get(id)
      if (known && !known.keys.has(key)) lost.push(keyRow(known.task, key, 0))
    }
  }
  return lost
}
