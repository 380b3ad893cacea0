/** Presents tasks, their comments and their changes. */
import type { RecordId } from '../../ids.ts'
import type { Documents, Where } from '../../ports/documents.ts'
import { type Activity, activities } from '../activity.ts'
import { visibilityOf } from '../audience.ts'
import { type TaskKey, taskKeys } from '../projections/tasks.ts'
import type { RecordReader } from '../read/reader.ts'
import { mostLinks } from '../read/seen-record.ts'
import { envelopeFields, type RecordOf } from '../record.ts'
import { executionOf, taskKey } from '../task.ts'
import { type Presenting, urlField } from './present.ts'

/** The row of a task without its description. */
export type TaskRow = Omit<RecordOf<'task'>, 'text' | 'body'>

const rowFields = [...envelopeFields, 'mutable'] as const

/** The tasks with these ids that the actor sees. */
export async function taskRows(ids: readonly RecordId[], reader: RecordReader): Promise<Map<string, TaskRow>> {
  const rows = await reader.rows(ids, rowFields)
  return new Map([...rows].flatMap(([id, row]) => (row.kind === 'task' ? [[id, row] as const] : [])))
}

/** As lists show them, in the order of `rows`. Leaves out a parent and decisions that the actor does not see. */
export async function tasksOf(rows: readonly TaskRow[], presenting: Presenting) {
  const named = rows.flatMap(({ mutable }) => [
    ...mutable.decision_ids,
    ...((mutable.parent_id ?? '') ? [mutable.parent_id as RecordId] : []),
  ])
  const seen = await presenting.reader.records(named)
  return rows.map(({ mutable, ...row }) => {
    const { project, start_at, due_at, parent_id, repo_full_name } = mutable
    return {
      id: row.record_id,
      ...urlField(row, presenting.publicUrl),
      name: row.title,
      status: mutable.status,
      priority: mutable.priority,
      assignees: mutable.assignees,
      ...(project === null ? {} : { project }),
      labels: mutable.labels,
      ...(start_at === null ? {} : { start_at }),
      ...(due_at === null ? {} : { due_at }),
      ...(parent_id !== null && seen.has(parent_id) ? { parent_id } : {}),
      ...(repo_full_name === null ? {} : { repo_full_name }),
      decision_ids: mutable.decision_ids.filter((id) => seen.has(id)),
      inbox_status: mutable.inbox_status,
      execution: listedExecution(mutable),
      ...(mutable.run === undefined ? {} : { run: mutable.run }),
      visibility: visibilityOf(row.audience),
      ...(row.external_id === null ? {} : { external_id: row.external_id }),
      revision: row.revision,
      created_at: row.created_at,
      created_by: row.created_by,
      updated_at: row.updated_at,
    }
  })
}

/** Without the instructions, which may be long. */
function listedExecution(task: TaskRow['mutable']) {
  const { mode, executor } = executionOf(task)
  return { mode, ...(executor === undefined ? {} : { executor }) }
}

/** Subtasks that are counted. */
const mostCounted = 10_000

/** The subtasks that the actor sees, the oldest first. */
export async function subtasksOf(task: RecordId, presenting: Presenting, documents: Documents) {
  const { reader } = presenting
  const key = taskKey('parent_id', task)
  const where: Where<TaskKey> = { workspace: reader.workspace, audience: { in: reader.audiences }, key, open: 1 }
  const [found, count] = await Promise.all([
    documents.find(taskKeys, {
      where,
      sort: [
        ['created_at', 'asc'],
        ['task', 'asc'],
      ],
      limit: mostLinks,
      fields: ['task'],
    }),
    documents.count(taskKeys, { where, upTo: mostCounted }),
  ])
  const rows = await taskRows(
    found.map((one) => one.task),
    reader,
  )
  return { items: await tasksOf([...rows.values()], presenting), count }
}

/** Where a page of activities ended. */
export type ActivityPosition = Pick<Activity, 'entry' | 'id'>

const pageLength = 50

/** One page of the activities of a task that have one of these types, the newest first. */
export async function activitiesOf(
  task: RecordId,
  types: readonly Activity['type'][],
  after: ActivityPosition | undefined,
  { workspace, audiences }: RecordReader,
  documents: Documents,
): Promise<{ items: Activity[]; next: ActivityPosition | undefined }> {
  const where = { workspace, audience: { in: audiences }, task, type: { in: types } }
  const find = (more: Where<Activity>, limit: number) =>
    documents.find(activities, {
      where: { ...where, ...more },
      sort: [
        ['entry', 'desc'],
        ['id', 'desc'],
      ],
      limit,
    })
  const same = after === undefined ? [] : await find({ entry: after.entry, id: { lt: after.id } }, pageLength + 1)
  const rest = pageLength + 1 - same.length
  const older = rest === 0 ? [] : await find(after === undefined ? {} : { entry: { lt: after.entry } }, rest)
  const found = [...same, ...older]
  const items = found.slice(0, pageLength)
  const last = items.at(-1)
  return { items, next: found.length > pageLength && last ? { entry: last.entry, id: last.id } : undefined }
}
