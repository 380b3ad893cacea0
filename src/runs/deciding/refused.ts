/** Why an internal operation of a run is refused. Its receipt fails, nothing changes, and its worker gives the run up. */
import { type Problem, problem } from '../../problem.ts'
import type { RunMutable, RunState } from '../../records/run.ts'

export type Refusal = 'state' | 'phase' | 'fence' | 'full' | 'since' | 'early'

export function refused(reason: Refusal, detail: string): Problem {
  return problem('revision_conflict', detail, { details: { reason } })
}

/** What a session says counts only while the run is in its hands. */
export function assertOfSession(
  { state, fence }: Pick<RunMutable, 'state' | 'fence'>,
  states: readonly RunState[],
  session: { fence: number },
): void {
  if (!states.includes(state)) throw refused('state', `The run is ${state}.`)
  if (fence !== session.fence) throw refused('fence', `The run has fence ${fence}, not ${session.fence}.`)
}
