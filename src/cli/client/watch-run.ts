/** Follows a run until it ends: its milestones as lines, its plan if it waits, and its result. */
import type { RunShown, SubscribeOutput } from '../../runs/shown.ts'
import { type ExitCode, exitCodes, Failure } from '../terminal/failure.ts'
import { retryNote } from '../terminal/progress.ts'
import { milestoneLine, runLines } from '../terminal/run-text.ts'
import { spinnerOn } from '../terminal/spinner.ts'
import { longRetries } from './client.ts'
import type { Session } from './session.ts'

/** Seconds of one call. */
const wait = 25

/** `path` of the run. */
export async function watchRun(session: Session, path: string, after: number): Promise<ExitCode> {
  const { terminal } = session
  const spinner = spinnerOn(terminal)
  const client = session.client(longRetries, (reason, delay) =>
    spinner.above(() => terminal.note(retryNote(reason, delay))),
  )
  const milestones: SubscribeOutput['milestones'] = []
  let seen: SubscribeOutput | undefined
  try {
    for (;;) {
      const page: SubscribeOutput = await client.call({
        method: 'GET',
        path: `${path}/subscribe?${asked(seen, after)}`,
      })
      if (seen && page.run_id !== seen.run_id) throw anotherRun()
      if (page.state !== seen?.state) {
        spinner.say(page.state)
        const run = async () => runLines(await client.call<RunShown>({ method: 'GET', path }), terminal)
        const lines = page.state === 'awaiting_approval' && !terminal.json ? await run() : undefined
        spinner.above(() => terminal.note(lines ?? page.state))
      }
      if (terminal.json) milestones.push(...page.milestones)
      else spinner.above(() => page.milestones.map((one) => terminal.print(milestoneLine(one))))
      seen = page
      if (page.done) break
    }
    spinner.stop()
    if (terminal.json) terminal.printJson({ ...seen, milestones })
    else terminal.note(runLines(await client.call<RunShown>({ method: 'GET', path }), terminal))
    return seen.state === 'succeeded' ? exitCodes.ok : exitCodes.failed
  } finally {
    spinner.stop()
  }
}

function asked(seen: SubscribeOutput | undefined, after: number): URLSearchParams {
  if (seen === undefined) return new URLSearchParams({ after: String(after) })
  return new URLSearchParams({ after: String(seen.next_after), state: seen.state, wait: String(wait) })
}

function anotherRun(): Failure {
  return new Failure('failed', 'another_run', 'The run has ended, and the task has another run by now.', {
    remedy: 'Run the same command again to watch that one.',
  })
}
