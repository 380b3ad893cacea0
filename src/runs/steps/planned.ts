/** Internal operation: a session has made a plan. */
import { defineOperation } from '../../operation.ts'
import type { RunPlan } from '../../records/run.ts'
import { runAtHead } from '../deciding/newest.ts'
import { assertOfSession } from '../deciding/refused.ts'
import { moveRun } from '../deciding/transition.ts'
import { denied, secondVerdict } from '../deciding/verdict.ts'
import { type RunPlannedInput, runPlannedInput } from './internal.ts'

export const runPlanned = defineOperation<RunPlannedInput>({
  name: 'run.planned',
  scope: 'admin',
  summary: 'Stores the plan of a run, which then awaits approval.',
  format: 2,
  raisesQuestions: false,
  input: runPlannedInput,
  texts: () => [],

  async decide(context) {
    const { input, state, at } = context
    const run = await runAtHead(state, input.run)
    const { mutable, body } = run
    assertOfSession(mutable, ['planning'], input)
    const plan: RunPlan = { revision: (mutable.plan?.revision ?? 0) + 1, text: input.text, steps: input.steps, at }
    // a run of mode auto that plans needs an approval already: the policy can only deny it now
    const policy = body.mode === 'auto' ? secondVerdict(mutable.policy, body, await context.runRules()) : mutable.policy
    if (policy.verdict !== 'deny') return moveRun(context, run, { set: { state: 'awaiting_approval', plan, policy } })
    const { code, message, details } = denied(policy)
    const error = { code, message, details: details ?? null }
    return moveRun(context, run, { set: { state: 'failed', plan, policy, error }, why: message })
  },
})
