/** task.approve: lets a run go on that waits, by the plan that the caller has read. */
import { defineOperation } from '../operation.ts'
import { problem } from '../problem.ts'
import { hasEnded } from '../records/run.ts'
import { textsIn } from '../secrets/texts.ts'
import { newestRun, storedRun } from './deciding/newest.ts'
import { moveRun, type Run } from './deciding/transition.ts'
import { type ApproveRunInput, approveRunInput } from './schema.ts'

export const approveRun = defineOperation<ApproveRunInput>({
  name: 'task.approve',
  scope: 'tasks:approve',
  summary: 'Approves the plan of a run that awaits approval. Who started the run may not, unless the policy says so.',
  format: 2,
  raisesQuestions: false,
  input: approveRunInput,

  texts: ({ note }) => textsIn('note', note ?? ''),

  async check(context) {
    const { input, actor } = context
    if (actor.isSession) {
      throw problem('insufficient_scope', 'The key of a session approves no plan.', {
        details: { required_scope: 'tasks:approve' },
      })
    }
    assertApprovable(await storedRun(context, input.id), actor, input)
  },

  async decide(context) {
    const { input, actor, at } = context
    const run = await newestRun(context, input.id)
    assertApprovable(run, actor, input)
    const note = input.note ?? null
    const approval = { by: actor.user, at, note }
    return moveRun(context, run, { set: { state: 'queued', phase: 'run', approval }, why: note })
  },
})

/** Throws run_ended, plan_changed or self_approval. */
function assertApprovable(
  { body, mutable }: Pick<Run, 'body' | 'mutable'>,
  actor: { user: string; credential: string },
  { plan_revision }: ApproveRunInput,
): void {
  const { state, plan, policy } = mutable
  if (hasEnded(state)) throw problem('run_ended', `Run ${body.number} has ${state}.`, { details: { state } })
  const revision = plan?.revision ?? 0
  if (state !== 'awaiting_approval' || plan_revision !== revision) {
    const now = state === 'awaiting_approval' ? `its plan has revision ${revision}` : `it is ${state}`
    throw problem('plan_changed', `Run ${body.number} does not await approval of plan ${plan_revision}: ${now}.`, {
      details: { state, plan_revision: revision },
    })
  }
  const { requested_by } = body
  const isOwn = actor.user === requested_by.user || actor.credential === requested_by.credential
  if (isOwn && !policy.self_approval) {
    throw problem('self_approval', 'Somebody else must approve this run, because you have started it.')
  }
}
