/** Runs under faults: users, apply workers, run workers with executors, and maintain, in simulated time. */
import assert from 'node:assert/strict'
import type { Logger } from 'pino'
import type { Actor } from '../../../src/access/actor.ts'
import { keys } from '../../../src/access/keys.ts'
import { inProcessQueue } from '../../../src/adapters/in-process/queue.ts'
import type { WorkspaceId } from '../../../src/ids.ts'
import { drain } from '../../../src/journal/drain.ts'
import type { JournalPorts } from '../../../src/journal/ports.ts'
import { operationsByName } from '../../../src/operations.ts'
import type { Documents } from '../../../src/ports/documents.ts'
import { EngineUnavailable } from '../../../src/ports/unavailable.ts'
import { projections } from '../../../src/projections.ts'
import type { RunRules } from '../../../src/records/run-rules.ts'
import { expireRuns } from '../../../src/runs/maintain/expire.ts'
import { leaseWatcher } from '../../../src/runs/maintain/leases.ts'
import { deleteStaleKeys } from '../../../src/runs/maintain/stale-keys.ts'
import { inlineMasker } from '../../../src/runs/worker/masker.ts'
import type { RunExecutor, RunWorkerPorts } from '../../../src/runs/worker/ports.ts'
import { type RunWorker, runWorker } from '../../../src/runs/worker/worker.ts'
import { openEngines } from '../../support/profile-engines.ts'
import { longFreeze, type Programs, simulatedExecutor } from './executor.ts'
import { type Aim, type Faults, noFaults, type Process, simulatedProcess } from './process.ts'
import { simulatedTime, type Time } from './time.ts'

export const workspace = '00000000-0000-7000-8000-0000000000aa' as WorkspaceId

export const ada: Actor = {
  workspace,
  workspaceType: 'company',
  credential: 'key-of-ada',
  user: 'ada',
  teams: [],
  scopes: ['context:read', 'context:write', 'tasks:read', 'tasks:write', 'tasks:run', 'tasks:approve'],
}
export const ben: Actor = { ...ada, credential: 'key-of-ben', user: 'ben' }

/** breeze: engines fail now and then, and the process does its work nevertheless. */
export type Weather = 'storm' | 'breeze'

/** In the first part of a try everything may fail; then nothing does, and all runs must end. */
export interface World {
  time: Time
  random: () => number
  /** Without faults, for the checks. */
  documents: Documents
  programs: Programs
  /** Errors that are no fault of an engine. */
  bugs: unknown[]
  isStormy: boolean
  /** The processes of the service that live now. */
  processes: Set<Process>
  /** Workers that have stopped in order: each may give up sessions without counting them. */
  stops: number
  spawn(weather: Weather, aim?: Aim): Process
  portsOf(process: Process): JournalPorts
  /** `isHit`: the worst moments are aimed at. */
  workerOf(process: Process, isHit: boolean): RunWorker
  close(): Promise<void>
}

const breeze: Faults = { refused: 0.005, lost: 0.01, late: 0, slow: 0, killed: 0.0005, frozen: 0 }
const storm: Faults = { refused: 0.01, lost: 0.02, late: 0.01, slow: 0.02, killed: 0.001, frozen: 0.004 }

/** Many places: a run that was lost begins again at once. */
const executors = [
  { name: 'again', plans: true, repeatable: true, capacity: 12 },
  { name: 'once', plans: true, repeatable: false, capacity: 6 },
  { name: 'blunt', plans: false, repeatable: true, capacity: 6 },
]

const rules: RunRules = {
  policy: {
    version: 1,
    policy: {
      default: 'allow',
      rules: [{ name: 'ask', when: { labels: ['ask'] }, verdict: 'require_approval', self_approval: true }],
    },
  },
  executors,
  // some four minutes
  approvalDays: 0.003,
  runsPerWorkspace: 20,
  notifies: false,
}

export async function openRunWorld(random: () => number): Promise<World> {
  const engines = await openEngines()
  const { documents, search } = engines
  const time = simulatedTime()
  const bugs: unknown[] = []
  await storeKeys(documents)
  const world: World = {
    time,
    random,
    documents,
    programs: { all: [], started: (program) => world.programs.all.push(program) },
    bugs,
    isStormy: true,
    processes: new Set(),
    stops: 0,
    spawn(weather, aim) {
      const faults = weather === 'storm' ? storm : breeze
      const made = simulatedProcess(time, documents, random, {
        faults: () => (world.isStormy ? faults : noFaults),
        aim: (...call) => (world.isStormy ? aim?.(...call) : undefined),
      })
      world.processes.add(made)
      void made.died.then(() => world.processes.delete(made))
      return made
    },
    portsOf: (process) => ({
      documents: process.documents,
      search,
      clock: process.clock,
      // all wake-ups are lost
      queue: inProcessQueue(process.clock),
      log: logInto(bugs),
      operations: operationsByName,
      projections,
      raiseQuestions: async (_, outcome) => outcome,
      workspaceType: async () => 'company',
      runRules: async () => rules,
      epoch: async () => 'epoch',
      ended: () => {},
      reportIssue: () => {},
    }),
    workerOf(process, isHit) {
      const ports: RunWorkerPorts = {
        ...world.portsOf(process),
        // what the executor gets to read is no part of the protocol
        reads: { documents, search, clock: process.clock, publicUrl: 'http://test' } as RunWorkerPorts['reads'],
        executors: executors.map((one): RunExecutor => {
          const executor = simulatedExecutor({ world, worker: process, isHit })
          return { ...one, executor, timeLimitMs: 3_600_000, scopes: ['context:read'], needsResult: false }
        }),
        policy: undefined,
        masker: inlineMasker,
        holder: process.clock.id(),
        host: 'test',
      }
      return runWorker(ports)
    },
    close: () => engines.close(),
  }
  return world
}

/** Work of a process at intervals. Unavailable engines are retried by the next round; other errors are bugs. */
export async function repeat(world: World, process: Process, ms: number, work: () => Promise<unknown>): Promise<void> {
  while (!process.isDead()) {
    await work().catch((error: unknown) => {
      if (isBug(error)) world.bugs.push(error)
    })
    await process.clock.sleep(ms * (0.5 + world.random()))
  }
}

export function startApply(world: World): Process {
  const process = world.spawn('breeze')
  const ports = world.portsOf(process)
  void repeat(world, process, 500, () => drain(ports, { workspace, lane: 'interactive' }))
  return process
}

export function startMaintain(world: World, weather: Weather): Process {
  const process = world.spawn(weather, weather === 'storm' ? aimAtMaintain(world) : undefined)
  const ports = world.portsOf(process)
  void repeat(world, process, 1_500, leaseWatcher(ports))
  void repeat(world, process, 20_000, () => expireRuns(ports))
  void repeat(world, process, 20_000, () => deleteStaleKeys(ports.documents))
  return process
}

export function startWorker(world: World, weather: Weather): { process: Process; stop(): Promise<void> } {
  const process = world.spawn(weather, weather === 'storm' ? aimAtWorker(world) : undefined)
  const worker = world.workerOf(process, weather === 'storm')
  void repeat(world, process, 1_000, () => worker.look())
  return {
    process,
    async stop() {
      world.stops += 1
      await worker.stop(world.random() * 30_000)
      process.kill()
    },
  }
}

/** The lease is taken but its answer is late; or the process freezes just before the session starts. */
function aimAtWorker({ random }: World): Aim {
  return (method, collection, change) => {
    const isTake =
      method === 'update' && collection === 'leases' && typeof change?.set?.['holder' as never] === 'string'
    if (isTake && random() < 0.3) return { answers: 30_000 + random() * 25_000 }
    if (method === 'insert' && collection === 'session_keys' && random() < 0.3) return { after: longFreeze(random) }
    return undefined
  }
}

/** The process dies between the two steps by which a session is lost. */
function aimAtMaintain({ random }: World): Aim {
  return (method, collection, change) => {
    const isLoss = method === 'update' && collection === 'leases' && 'fence' in (change?.set ?? {})
    return isLoss && random() < 0.3 ? { after: 'dies' } : undefined
  }
}

async function storeKeys(documents: Documents): Promise<void> {
  for (const { credential, user, scopes } of [ada, ben]) {
    const stored = await documents.insert(keys, {
      id: credential,
      workspace,
      name: user,
      hash: `hash of ${user}`,
      scopes: [...scopes],
      user,
      teams: [],
      created_at: '2026-01-01T00:00:00.000Z',
      expires_at: null,
      last_used_at: null,
      revoked_at: null,
    })
    assert(stored)
  }
}

/**
 * Outages are no bugs. Neither is the time limit of deciding (journal/decide.ts): it counts real time. On a busy machine it
 * can end while a process is frozen in simulated time. The write is then decided again, as after an outage.
 */
export function isBug(error: unknown): boolean {
  if (error instanceof EngineUnavailable) return false
  const causes = [error, (error as Error).cause]
  return !causes.some((one) => one instanceof Error && one.message.startsWith('deciding timed out'))
}

function logInto(bugs: unknown[]): Logger {
  const note = ({ err }: { err?: unknown }) => {
    if (err !== undefined && isBug(err)) bugs.push(err)
  }
  return { error: note, warn: note, info: () => {}, debug: () => {} } as unknown as Logger
}
