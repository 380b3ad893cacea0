/** Internal operation: nobody holds a session of the run any more, or its worker has stopped. */
import { defineOperation } from '../../operation.ts'
import { hasEnded, type RunMutable } from '../../records/run.ts'
import { runAtHead } from '../deciding/newest.ts'
import { refused } from '../deciding/refused.ts'
import { moveRun, type Run, type Step } from '../deciding/transition.ts'
import { type RunLostInput, runLostInput } from './internal.ts'

/** A run is queued again after a loss if this phase has begun fewer times. */
const mostBegun = 3

export const runLost = defineOperation<RunLostInput>({
  name: 'run.lost',
  scope: 'admin',
  summary: 'Ends the belief in a session. Its run is queued again if it is repeatable, and fails otherwise.',
  format: 2,
  raisesQuestions: false,
  input: runLostInput,
  texts: () => [],

  async decide(context) {
    const { input, state } = context
    const run = await runAtHead(state, input.run)
    const { mutable } = run
    if (hasEnded(mutable.state)) throw refused('state', `The run has ${mutable.state}.`)
    if (input.fence <= mutable.fence) throw refused('fence', `The run has fence ${mutable.fence}.`)
    return moveRun(context, run, stepAfter(run, input))
  },
})

function stepAfter({ mutable, body }: Run, { fence, uncounted = false }: RunLostInput): Step {
  const { state, phase, begun } = mutable
  // nobody was at work: only sessions with an older fence are ruled out
  if (state !== 'planning' && state !== 'running') return { set: { fence } }
  if (!body.repeatable || (!uncounted && begun[phase] >= mostBegun)) return failed(fence, body.repeatable)
  const counted: RunMutable['begun'] = uncounted ? { ...begun, [phase]: begun[phase] - 1 } : begun
  return { set: { state: 'queued', fence, begun: counted } }
}

function failed(fence: number, repeatable: boolean): Step {
  const why = repeatable
    ? `The workers of this phase were lost ${mostBegun} times.`
    : 'The worker was lost, and the executor must not be started twice.'
  return { set: { state: 'failed', fence, error: { code: 'worker_lost', message: why, details: null } }, why }
}
