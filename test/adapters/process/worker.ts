/** A process that stands for a run worker: it runs one session, and extends it until it is killed or stopped. */

import { processExecutor } from '../../../src/adapters/process/executor.ts'
import { guardOfWorker } from '../../../src/adapters/process/guard-of-worker.ts'
import { systemClock as clock } from '../../../src/adapters/system-clock.ts'

/** Its only argument, as JSON. */
export interface WorkerArguments {
  guard: string
  graceMs: number
  session: string
  command: [string, ...string[]]
  mark: string
  /** For how long each extension lets the session live. */
  leaseMs: number
}

const { session: id, ...settings } = JSON.parse(process.argv[2] as string) as WorkerArguments
const executor = processExecutor(
  { command: settings.command, directory: undefined, environment: { pass: ['PATH'], set: { MARK: settings.mark } } },
  {
    publicUrl: 'http://test',
    clock,
    variables: process.env,
    guard: guardOfWorker({ program: new URL(settings.guard), graceMs: settings.graceMs }),
  },
)
const session = await executor.open({ id, timeLimitMs: 600_000 })
session.start({ document: {}, key: 'key' }, clock.elapsed() + settings.leaseMs)
setInterval(() => session.extend(clock.elapsed() + settings.leaseMs), 50)
for await (const { text } of session.lines) process.stdout.write(`${text}\n`)
