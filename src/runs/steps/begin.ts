/** Internal operation: a worker that holds the lease begins a session of a queued run. */
import { defineOperation } from '../../operation.ts'
import { runAtHead } from '../deciding/newest.ts'
import { refused } from '../deciding/refused.ts'
import { moveRun } from '../deciding/transition.ts'
import { type BeginRunInput, beginRunInput } from './internal.ts'

export const beginRun = defineOperation<BeginRunInput>({
  name: 'run.begin',
  scope: 'admin',
  summary: 'Begins a session of a queued run, if the workspace has a free place.',
  format: 2,
  raisesQuestions: false,
  input: beginRunInput,
  texts: () => [],

  lookups: () => ({ documents: [{ name: 'run_states', field: 'place', value: 'occupied' }] }),

  async decide(context) {
    const { input, state, at } = context
    const { phase, fence } = input
    const run = await runAtHead(state, input.run)
    const { mutable } = run
    if (mutable.state !== 'queued') throw refused('state', `The run is ${mutable.state}.`)
    if (mutable.phase !== phase) throw refused('phase', `The run is queued for its phase ${mutable.phase}.`)
    if (fence <= mutable.fence) throw refused('fence', `The run has had fence ${mutable.fence}.`)
    const { runsPerWorkspace } = await context.runRules()
    const occupied = await state.documents('run_states', 'place', 'occupied')
    if (occupied.length >= runsPerWorkspace) throw refused('full', 'The workspace has no free place for a run.')
    const begun = { ...mutable.begun, [phase]: mutable.begun[phase] + 1 }
    const started_at = mutable.started_at ?? at
    return moveRun(context, run, {
      set: { state: phase === 'plan' ? 'planning' : 'running', fence, begun, started_at },
    })
  },
})
