/** What tests of the process executor share: executors with a mark, and a look at what is left of their sessions. */
import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { fileURLToPath } from 'node:url'
import { expect, vi } from 'vitest'
import { processExecutor } from '../../../src/adapters/process/executor.ts'
import { type Guard, guardOfWorker } from '../../../src/adapters/process/guard-of-worker.ts'
import { systemClock as clock } from '../../../src/adapters/system-clock.ts'
import type { Executor, ExecutorSession } from '../../../src/ports/executor.ts'
import { cleanUp } from '../../support/clean-up.ts'
import type { Built } from './build.ts'

/** ms. Far later than anything here takes. */
export const patience = { timeout: 60_000, interval: 20 }
/** ms. Later than any test ends. */
export const farAway = 600_000

/** Of a platform that does not tell what runs. */
export const notLinux = process.platform === 'linux' ? undefined : 'only Linux has /proc'
export const isWindows = process.platform === 'win32' ? 'no executors of the type process on Windows' : undefined

export interface Testing {
  /** In the environment of all processes of its sessions. */
  mark: string
  /** Ids of its sessions. */
  sessions: Set<string>
  guard: Guard
  executor(command: readonly string[], directory?: string): Executor
  /** Opens and starts a session of a shell with this script. */
  shell(script: string, limits?: { untilMs?: number; timeLimitMs?: number }): Promise<ExecutorSession>
}

export function testing(built: Built, options: { graceMs?: number; idleMs?: number } = {}): Testing {
  const guard = guardOfWorker({ program: built.guard, graceMs: 300, ...options })
  cleanUp(() => guard.close())
  const mark = randomUUID()
  cleanUp(() => killMarked(mark))
  const sessions = new Set<string>()
  const executor = (command: readonly string[], directory?: string): Executor => {
    const made = processExecutor(
      { command: command as [string], directory, environment: { pass: ['PATH'], set: { MARK: mark } } },
      { publicUrl: 'http://test', clock, variables: process.env, guard },
    )
    return {
      ...made,
      open(asked) {
        sessions.add(asked.id)
        return made.open(asked)
      },
    }
  }
  return {
    mark,
    sessions,
    guard,
    executor,
    async shell(script, { untilMs = farAway, timeLimitMs = farAway } = {}) {
      const session = await executor(['sh', '-c', script]).open({ id: newSession(), timeLimitMs })
      session.start({ document: {}, key: 'key' }, clock.elapsed() + untilMs)
      return session
    },
  }
}

/** The id of a session. */
export function newSession(): string {
  return `${randomUUID()}-1`
}

/** Waits for the first line that is this one. */
export async function heard(session: ExecutorSession, text: string): Promise<AsyncIterator<{ text: string }>> {
  const lines = session.lines[Symbol.asyncIterator]()
  for (let next = await lines.next(); !next.done; next = await lines.next()) if (next.value.text === text) return lines
  throw new Error(`the session has ended without ${text}`)
}

/** Ids of the processes whose environment holds this. Zombies have none. */
export function processesWith(variable: string): number[] {
  return processes().filter((pid) => read(pid, 'environ').split('\0').includes(variable))
}

/** A test that fails must not leave them behind. */
export function killMarked(mark: string): void {
  for (const pid of processesWith(`MARK=${mark}`)) process.kill(pid, 'SIGKILL')
}

/** The guard processes of this build. */
export function guardsOf({ guard }: Built): number[] {
  const found = processes().filter((pid) => read(pid, 'cmdline').split('\0').includes(fileURLToPath(guard)))
  // between its fork and its exec, a session has the command line of its guard
  return found.filter((pid) => !found.includes(parentOf(pid)))
}

function parentOf(pid: number): number {
  return Number(/^PPid:\s*(\d+)/m.exec(read(pid, 'status'))?.[1])
}

/** What sessions leave behind, if they leave something. */
export interface Left {
  mark: string
  sessions: ReadonlySet<string>
}

export function foldersOf({ sessions }: Left): string[] {
  return readdirSync(tmpdir()).filter((name) => sessions.has(name.split('.')[1] ?? ''))
}

/** At once: after `ended` nothing may be left. */
export function expectNothingLeft(left: Left): void {
  expect({ processes: processesWith(`MARK=${left.mark}`), folders: foldersOf(left) }).toEqual({
    processes: [],
    folders: [],
  })
}

/** After a worker or guard was killed. */
export async function waitUntilNothingLeft(left: Left): Promise<void> {
  await vi.waitFor(() => expectNothingLeft(left), patience)
}

function processes(): number[] {
  if (process.platform !== 'linux') return []
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0)
}

function read(pid: number, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8')
  } catch {
    // it has ended
    return ''
  }
}
