/** task.update: changes the fields given. With If-Match only if the task has not changed since. */
import assert from 'node:assert/strict'
import { assertRevision } from '../deciding/revision.ts'
import { defineOperation } from '../operation.ts'
import { records } from '../records/record.ts'
import { contentOf } from '../records/task.ts'
import { changeTask } from './change.ts'
import { changedContent } from './content.ts'
import { textsOf } from './create.ts'
import { checkNamed } from './place.ts'
import { type UpdateTaskInput, updateTaskInput } from './write-schema.ts'

export const updateTask = defineOperation<UpdateTaskInput>({
  name: 'task.update',
  scope: 'tasks:write',
  summary: 'Changes the fields given of a task; null clears one. Two agents can claim a task by If-Match: one wins.',
  format: 2,
  raisesQuestions: false,
  input: updateTaskInput,

  texts: ({ idempotency_key: _, ...input }) => textsOf(input),

  async check({ input, actor, documents, visible }) {
    const task = await visible(input.id, 'task', 'id')
    assertRevision(task, input.if_revision)
    const row = await documents.get(records, task.id, ['kind', 'title', 'text', 'mutable'])
    assert(row?.kind === 'task', 'rows are never deleted, and a record keeps its kind')
    const before = contentOf(row)
    await checkNamed(changedContent(before, input, actor.user), task.audience, visible, before)
  },

  async decide(context) {
    const { input } = context
    const task = await context.visible(input.id, 'task', 'id')
    assertRevision(task, input.if_revision)
    return changeTask(context, task, input)
  },
})
