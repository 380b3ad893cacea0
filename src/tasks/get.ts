/** task.get: one task with its subtasks, comments and changes, its newest run, and with what bears on it. */
import { boundCursor } from '../access/bound-cursor.ts'
import type { RecordId } from '../ids.ts'
import { defineQuery } from '../operation.ts'
import type { Activity } from '../records/activity.ts'
import { type ActivityPosition, activitiesOf, subtasksOf, taskRows, tasksOf } from '../records/present/tasks.ts'
import { recordReader } from '../records/read/reader.ts'
import { noSuch } from '../records/read/visible.ts'
import { executionOf } from '../records/task.ts'
import { presentRun } from '../runs/present.ts'
import { enrichmentOf } from './enrichment.ts'
import { type GetTaskInput, type GetTaskOutput, getTaskInput, getTaskOutput } from './schema.ts'

export const getTask = defineQuery<GetTaskInput, GetTaskOutput>({
  name: 'task.get',
  scope: 'tasks:read',
  summary: 'One task with its subtasks, comments and changes, its newest run, and with what bears on it.',
  input: getTaskInput,
  output: getTaskOutput,

  async run({ input, actor, reads }) {
    const { documents, publicUrl } = reads
    const reader = recordReader(documents, actor, reads.clock)
    const presenting = { reader, publicUrl }
    const id = input.id as RecordId
    const row = (await taskRows([id], reader)).get(id)
    const [task] = row ? await tasksOf([row], presenting) : []
    if (!row || !task) throw noSuch('task')
    const page = async (types: Activity['type'][], name: string, cursor: string | undefined) => {
      const pages = boundCursor<ActivityPosition>(reads, actor, 'list', [name, id], cursor)
      const { items, next } = await activitiesOf(id, types, pages.position, reader, documents)
      return { items, more: next ? { next_cursor: pages.next(next) } : {} }
    }
    const comments = await page(['comment'], 'task.comments', input.comments_cursor)
    const activity = await page(['change', 'run'], 'task.activity', input.activity_cursor)
    const description = (await reader.rows([id], ['text'])).get(id)?.text ?? ''
    const isEnriched = input.enrichment !== 'none' && actor.scopes.includes('context:read')
    return {
      ...task,
      execution: executionOf(row.mutable),
      description,
      subtasks: await subtasksOf(id, presenting, documents),
      run: (await presentRun(id, row.mutable.run, { ...presenting, documents, actor })) ?? null,
      comments: { items: comments.items.map(commentOf), ...comments.more },
      activity: { items: activity.items.map(activityOf), ...activity.more },
      ...(isEnriched ? { enrichment: await enrichmentOf({ ...task, description }, actor, reads) } : {}),
    }
  },
})

function commentOf({ id, text, at, by }: Activity) {
  return { id, body: text ?? '', created_at: at, created_by: by }
}

function activityOf({ id, type, at, by, text, revision, changes, run }: Activity) {
  if (type === 'run' && run) return { id, type, at, by, run, ...(text === null ? {} : { note: text }) }
  return { id, type: 'change' as const, at, by, revision: revision ?? 1, changes: changes ?? [] }
}
