/** What the end of a session means for its run. */
import type { Ending } from '../../ports/executor.ts'
import { Problem } from '../../problem.ts'
import type { RunError } from '../../records/run.ts'
import { cut } from '../../records/title.ts'
import { mostTextCharacters } from '../../validation/schema.ts'
import { validated } from '../../validation/validated.ts'
import { mostPlanCharacters, mostStepCharacters, runEndedInput, runPlannedInput } from '../steps/internal.ts'
import type { SessionState } from '../stored/session.ts'
import type { Over } from './keeper.ts'
import { isLink } from './messages.ts'
import type { RunExecutor } from './ports.ts'
import type { Told } from './pump.ts'
import type { RunRow } from './run-row.ts'

export interface Finish {
  state: SessionState
  exitCode: number | null
  /**
   * What is submitted. leave: nothing, and the lease is given back. abandon: nothing, because the session is believed no
   * more; maintain takes the lease.
   */
  next: 'leave' | 'abandon' | { operation: 'run.planned' | 'run.ended'; input: Record<string, unknown> }
}

interface Ended {
  ending: Ending
  over: Over | undefined
  told: Told
  run: RunRow
  executor: Pick<RunExecutor, 'needsResult'>
}

export function finishOf({ ending, over, told, run, executor }: Ended): Finish {
  // a session that ended because its worker was silent is lost, whatever it was about to do
  if (over === 'lost' || ending.how === 'lease_over') return { state: 'lost', exitCode: null, next: 'abandon' }
  if (over === 'ended') return { state: 'cancelled', exitCode: null, next: 'leave' }
  if (ending.how === 'ended') {
    return { state: 'lost', exitCode: null, next: over === 'given up' ? 'leave' : 'abandon' }
  }
  if (ending.how === 'time_limit') {
    return failed(null, 'The executor did not end within its time limit.', { reason: 'time_limit' })
  }
  if (ending.how === 'failed') {
    const { exitCode, message } = ending
    return failed(exitCode, message, exitCode === null ? {} : { exit_code: exitCode })
  }
  return done(told, run, executor.needsResult)
}

/** The credential that started the run can't do so any more. */
export const revoked: Finish = {
  state: 'failed',
  exitCode: null,
  next: endedBy({
    code: 'credential_revoked',
    message: 'The credential that started the run was revoked or has expired. Start the run again with another.',
  }),
}

function done({ plan, result, refused }: Told, run: RunRow, needsResult: boolean): Finish {
  const exitCode = needsResult ? null : 0
  if (run.mutable.phase === 'plan') {
    if (plan === undefined) return failed(exitCode, without('plan', refused), { reason: 'no_plan' })
    // masking may have made a text a little longer
    const text = cut(plan.text, mostPlanCharacters)
    const steps = plan.steps.map((step) => cut(step, mostStepCharacters))
    return succeeded(exitCode, { operation: 'run.planned', input: { text, steps } })
  }
  if (result === undefined && needsResult) {
    return failed(exitCode, without('result', refused), { reason: 'no_result' })
  }
  const { type: _, ...told } = result ?? { type: 'result', summary: '', links: [] }
  const summary = cut(told.summary, mostTextCharacters)
  const input = { result: { ...told, summary, links: told.links.filter(isLink) }, error: null }
  return succeeded(exitCode, { operation: 'run.ended', input })
}

const inputs = {
  'run.planned': runPlannedInput.omit({ run: true, fence: true }),
  'run.ended': runEndedInput.omit({ run: true, fence: true }),
} as const

/** If the journal would refuse what the executor has told, the session fails. Otherwise its worker would look lost. */
function succeeded(exitCode: number | null, next: Exclude<Finish['next'], string>): Finish {
  try {
    validated<unknown>(inputs[next.operation], next.input)
    return { state: 'succeeded', exitCode, next }
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const what = next.operation === 'run.planned' ? 'plan' : 'result'
    return failed(exitCode, `The ${what} of the executor is not valid. ${error.message}`, { reason: `invalid_${what}` })
  }
}

function without(what: 'plan' | 'result', refused: string | undefined): string {
  const why = refused === undefined ? '' : ` Its last message of another form: ${refused}.`
  return `The executor ended without a ${what}.${why}`
}

function failed(exitCode: number | null, message: string, details: Record<string, unknown>): Finish {
  return {
    state: 'failed',
    exitCode,
    next: endedBy({ code: 'executor_failed', message: cut(message, 1_000), details }),
  }
}

function endedBy(error: Omit<RunError, 'details'> & { details?: Record<string, unknown> }) {
  return { operation: 'run.ended', input: { result: null, error } } as const
}
