/** task.cancel: ends a run at once. What its session still sends changes nothing. */
import { defineOperation } from '../operation.ts'
import { problem } from '../problem.ts'
import { hasEnded } from '../records/run.ts'
import { textsIn } from '../secrets/texts.ts'
import { newestRun, storedRun } from './deciding/newest.ts'
import { moveRun, type Run } from './deciding/transition.ts'
import { type CancelRunInput, cancelRunInput } from './schema.ts'

export const cancelRun = defineOperation<CancelRunInput>({
  name: 'task.cancel',
  scope: 'tasks:run',
  summary: 'Cancels the run of a task. It is final; the process of the session ends after that.',
  format: 2,
  raisesQuestions: false,
  input: cancelRunInput,

  texts: ({ reason }) => textsIn('reason', reason ?? ''),

  async check(context) {
    assertActive(await storedRun(context, context.input.id))
  },

  async decide(context) {
    const run = await newestRun(context, context.input.id)
    assertActive(run)
    return moveRun(context, run, { set: { state: 'cancelled' }, why: context.input.reason ?? null })
  },
})

/** Throws run_ended. */
function assertActive({ body, mutable: { state } }: Pick<Run, 'body' | 'mutable'>): void {
  if (hasEnded(state)) throw problem('run_ended', `Run ${body.number} has ${state}.`, { details: { state } })
}
