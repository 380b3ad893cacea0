/** task.get: one task with its subtasks, comments and changes. */
import { boundCursor } from '../access/bound-cursor.ts'
import type { RecordId } from '../ids.ts'
import { defineQuery } from '../operation.ts'
import type { Activity } from '../records/activity.ts'
import { type ActivityPosition, activitiesOf, subtasksOf, taskRows, tasksOf } from '../records/present/tasks.ts'
import { recordReader } from '../records/read/reader.ts'
import { noSuch } from '../records/read/visible.ts'
import { type GetTaskInput, type GetTaskOutput, getTaskInput, getTaskOutput } from './schema.ts'

export const getTask = defineQuery<GetTaskInput, GetTaskOutput>({
  name: 'task.get',
  scope: 'tasks:read',
  summary: 'One task with its subtasks, comments and changes.',
  input: getTaskInput,
  output: getTaskOutput,

  async run({ input, actor, reads }) {
    const { documents, publicUrl } = reads
    const reader = recordReader(documents, actor, reads.clock)
    const presenting = { reader, publicUrl }
    const id = input.id as RecordId
    const row = (await taskRows([id], reader)).get(id)
    const [task] = row ? await tasksOf([row], presenting) : []
    if (!task) throw noSuch('task')
    const page = async (type: Activity['type'], name: string, cursor: string | undefined) => {
      const pages = boundCursor<ActivityPosition>(reads, actor, 'list', [name, id], cursor)
      const { items, next } = await activitiesOf(id, type, pages.position, reader, documents)
      return { items, more: next ? { next_cursor: pages.next(next) } : {} }
    }
    const comments = await page('comment', 'task.comments', input.comments_cursor)
    const activity = await page('change', 'task.activity', input.activity_cursor)
    return {
      ...task,
      description: (await reader.rows([id], ['text'])).get(id)?.text ?? '',
      subtasks: await subtasksOf(id, presenting, documents),
      comments: { items: comments.items.map(commentOf), ...comments.more },
      activity: { items: activity.items.map(changeOf), ...activity.more },
    }
  },
})

function commentOf({ id, text, at, by }: Activity) {
  return { id, body: text ?? '', created_at: at, created_by: by }
}

function changeOf({ id, at, by, revision, changes }: Activity) {
  return { id, at, by, revision: revision ?? 1, changes: changes ?? [] }
}
