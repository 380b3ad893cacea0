/** task.comment: says something about a task. A comment never changes. */
import assert from 'node:assert/strict'
import { nothingChanged } from '../deciding/outcome.ts'
import { wholeOf } from '../deciding/state-at-head.ts'
import { defineOperation } from '../operation.ts'
import { titleFrom } from '../records/title.ts'
import { type CommentInput, commentInput } from './write-schema.ts'

export const commentOnTask = defineOperation<CommentInput>({
  name: 'task.comment',
  scope: 'tasks:write',
  summary: 'Comments on a task. The task becomes unread; its revision stays.',
  format: 2,
  raisesQuestions: false,
  input: commentInput,

  texts: ({ body }) => [{ place: 'body', text: body }],

  async check({ input, visible }) {
    await visible(input.id, 'task', 'id')
  },

  async decide(context) {
    const { input, state, actor, at } = context
    const { id, record_id: task, audience } = await context.visible(input.id, 'task', 'id')
    const whole = await wholeOf(state, { id })
    assert(whole.kind === 'task', 'a record keeps its kind')
    const comment = context.newId()
    const none = { revision: null, changes: null, run: null }
    return {
      ...nothingChanged,
      entity: { type: 'comment', id: comment, label: titleFrom(input.body), audience },
      changed: [{ id, set: { kind: 'task', mutable: { ...whole.mutable, inbox_status: 'unread' }, updated_at: at } }],
      documents: {
        activities: [{ id: comment, audience, task, type: 'comment', at, by: actor.user, text: input.body, ...none }],
      },
    }
  },
})
