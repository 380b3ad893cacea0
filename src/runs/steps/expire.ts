/** Internal operation: nobody approved a run in time. */
import { defineOperation } from '../../operation.ts'
import { runAtHead } from '../deciding/newest.ts'
import { refused } from '../deciding/refused.ts'
import { moveRun } from '../deciding/transition.ts'
import { type ExpireRunInput, expireRunInput } from './internal.ts'

export const expireRun = defineOperation<ExpireRunInput>({
  name: 'run.expire',
  scope: 'admin',
  summary: 'Ends a run that has awaited approval for too long.',
  format: 2,
  raisesQuestions: false,
  input: expireRunInput,
  texts: () => [],

  async decide(context) {
    const { input, state, at } = context
    const run = await runAtHead(state, input.run)
    const { state: now, since, expires_at } = run.mutable
    if (now !== 'awaiting_approval') throw refused('state', `The run is ${now}.`)
    if (since !== input.since) throw refused('since', `The run awaits approval since ${since}.`)
    if (expires_at === null || expires_at > at) throw refused('early', `The run may be approved until ${expires_at}.`)
    const message = `Nobody approved the run until ${expires_at}.`
    const error = { code: 'approval_expired', message, details: null }
    return moveRun(context, run, { set: { state: 'expired', error }, why: message })
  },
})
