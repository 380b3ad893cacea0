/** The run worker: looks for queued runs of its executors, and carries them out in sessions. */
import { EngineUnavailable } from '../../ports/unavailable.ts'
import { attempt } from './attempt.ts'
import { claim } from './claim.ts'
import type { Keeper } from './keeper.ts'
import type { RunExecutor, RunWorkerPorts } from './ports.ts'
import { type QueuedRun, queuedRuns } from './queued.ts'

export interface RunWorker {
  /** Takes queued runs while its executors have free places, and begins their sessions. Does not wait for their end. */
  look(): Promise<void>
  /** It has no session. */
  isIdle(): boolean
  /** Takes no more. Sessions may end within `ms`; the others are ended, and others may repeat them. */
  stop(ms: number): Promise<void>
}

/** ms. An executor that could not start a session rests. */
const restsFor = 30_000

interface Session {
  keeper: Keeper
  done: Promise<void>
}

export function runWorker(ports: RunWorkerPorts): RunWorker {
  const { clock, log } = ports
  const places = new Map(ports.executors.map((executor) => [executor, new Set<Session>()]))
  const resting = new Map<RunExecutor, number>()
  let isStopping = false
  let looking: Promise<void> | undefined
  let isAsked = false

  async function look(): Promise<void> {
    do {
      isAsked = false
      let isForbidden = false
      for (const executor of ports.executors) isForbidden = (await fill(executor)) || isForbidden
      ports.reportIssue('own policy', isForbidden ? stricterPolicy : undefined)
    } while (isAsked && !isStopping)
  }

  /** Returns whether the policy of this worker forbids one of the runs. */
  async function fill(executor: RunExecutor): Promise<boolean> {
    const sessions = places.get(executor) as Set<Session>
    let isForbidden = false
    if ((resting.get(executor) ?? 0) > clock.elapsed() || sessions.size >= executor.capacity) return false
    const { runsPerWorkspace } = await ports.runRules()
    for await (const queued of queuedRuns(ports.documents, executor.name, runsPerWorkspace)) {
      if (isStopping || sessions.size >= executor.capacity) break
      const keeper = await claim(ports, queued)
      if (keeper === 'policy') isForbidden = true
      else if (keeper !== 'taken') begin(executor, queued, keeper, sessions)
    }
    return isForbidden
  }

  function begin(executor: RunExecutor, queued: QueuedRun, keeper: Keeper, sessions: Set<Session>): void {
    const issue = `executor ${executor.name}`
    const ended = attempt(ports, executor, queued, keeper).finally(() => sessions.delete(session))
    const done = ended.then(
      (hasBegun) => {
        ports.reportIssue(issue, undefined)
        // its place is free. After a refusal the next look waits, so that it does not spin
        if (hasBegun) lookAgain().catch(() => {})
      },
      (error: unknown) => {
        log.error({ err: error, run: queued.id, executor: executor.name }, 'session failed')
        if (error instanceof EngineUnavailable) return
        resting.set(executor, clock.elapsed() + restsFor)
        ports.reportIssue(issue, `runs: the executor ${executor.name} could not carry out a session; the log says why`)
      },
    )
    const session = { keeper, done }
    sessions.add(session)
    if (isStopping) keeper.giveUp()
  }

  function lookAgain(): Promise<void> {
    if (isStopping) return Promise.resolve()
    isAsked = true
    looking ??= look().finally(() => {
      looking = undefined
      // asked between the end of the look and here
      return isAsked ? lookAgain() : undefined
    })
    return looking
  }

  return {
    look: lookAgain,
    isIdle: () => [...places.values()].every(({ size }) => size === 0),
    async stop(ms) {
      isStopping = true
      await looking?.catch(() => {}) // the look has logged or thrown it to its own caller
      const all = () => [...places.values()].flatMap((sessions) => [...sessions])
      const ended = Promise.all(all().map(({ done }) => done))
      if (all().length === 0) return
      await Promise.race([ended, clock.sleep(ms)])
      for (const { keeper } of all()) keeper.giveUp()
      await ended
    },
  }
}

const stricterPolicy =
  'runs: the policy in the file of this worker is stricter than the published one, so this worker leaves some runs to others. Give maintain the same file.'
