/** One session in the guard: its processes, from their start until none is left. */
import { type ChildProcess, spawn } from 'node:child_process'
import { stat } from 'node:fs/promises'
import type { Ending } from '../../ports/executor.ts'
import { makeFolder, removeFolders } from './folders.ts'
import { guardedOutput } from './guarded-output.ts'
import { type FromGuard, machineMs, type Source, type StartMessage, type ToGuard } from './messages.ts'
import { runningProcess } from './process-list.ts'
import { endProcesses } from './processes.ts'

export interface GuardedSession {
  obey(message: Exclude<ToGuard, StartMessage>): void
  /** Resolves when no process is left. Never rejects. */
  ended: Promise<Ending>
}

export interface Heard {
  tell(message: FromGuard): void
  output(from: Source, bytes: Uint8Array): void
}

/** ms. Processes that the first one has left behind may hold its output open. */
const outputAfterExit = 2_000

export function guardedSession(start: StartMessage, graceMs: number, heard: Heard): GuardedSession {
  const output = guardedOutput(heard.output)
  const limits = limitsOf(start)

  async function live(): Promise<Ending> {
    const directory = await directoryOf(start)
    // nothing waits between this and the start
    if (limits.areOver()) return { how: 'ended' }
    const child = spawn(start.path, start.command.slice(1), {
      argv0: start.command[0],
      cwd: directory,
      env: start.environment,
      // makes a group of its own
      detached: true,
      stdio: 'pipe',
    })
    const exited = exitOf(child)
    if (child.pid === undefined) return exited
    limits.begin()
    const startedAt = runningProcess(child.pid)?.startedAt
    heard.tell({ type: 'started', group: child.pid })
    output.read(child)
    give(child, start.input)
    void exited.then(() => output.finish(outputAfterExit))
    const ending = await Promise.race([exited, limits.over])
    // what the first process has left behind may still print
    await Promise.race([output.ended, limits.over])
    await endProcesses({ session: start.id, group: child.pid, startedAt }, graceMs)
    await output.ended
    return ending
  }

  async function liveAndCleanUp(): Promise<Ending> {
    const ending = await live().catch(failure)
    limits.stop()
    output.close()
    if ('temporaryIn' in start.directory) await removeFolders(start.directory.temporaryIn, start.id)
    return ending
  }

  void output.ended.then(() => heard.tell({ type: 'output_ended' }))
  return {
    obey(message) {
      if (message.type === 'extend') limits.extend(message.until)
      else if (message.type === 'credit') output.credit(message.bytes)
      else limits.end()
    },
    ended: liveAndCleanUp(),
  }
}

/** Why the session must end, although its process runs: told, the lease, or the time limit. */
function limitsOf({ until: first, timeLimitMs }: StartMessage) {
  let until = first
  let limit = Number.POSITIVE_INFINITY
  let isTold = false
  let timer: NodeJS.Timeout | undefined
  let resolve: (ending: Ending) => void = () => {}
  const over = new Promise<Ending>((done) => {
    resolve = done
  })

  function wait(): void {
    clearTimeout(timer)
    const rest = Math.min(until, limit) - machineMs()
    // a timer may come a little early
    if (rest > 0) timer = setTimeout(wait, Math.ceil(rest))
    else resolve({ how: limit < until ? 'time_limit' : 'lease_over' })
  }

  return {
    over,
    areOver: () => isTold || machineMs() >= until,
    begin() {
      limit = machineMs() + timeLimitMs
      wait()
    },
    extend(later: number) {
      until = Math.max(until, later)
      if (timer !== undefined) wait()
    },
    end() {
      isTold = true
      resolve({ how: 'ended' })
    },
    stop: () => clearTimeout(timer),
  }
}

async function directoryOf({ directory, id }: StartMessage): Promise<string> {
  if ('temporaryIn' in directory) {
    return makeFolder(directory.temporaryIn, id).catch((error: NodeJS.ErrnoException) => {
      throw new Error(couldNotStart(`its temporary directory could not be made (${error.code})`))
    })
  }
  // otherwise the command would seem to be missing
  const found = await stat(directory.path).catch(() => undefined)
  if (!found?.isDirectory())
    throw new Error(couldNotStart('its directory does not exist. Check `directory` in the file of the operator'))
  return directory.path
}

/** Resolves when the first process has ended, or could not be started. */
function exitOf(child: ChildProcess): Promise<Ending> {
  return new Promise((resolve) => {
    child.once('error', (error: NodeJS.ErrnoException) => resolve(failure(new Error(startError(error)))))
    child.once('exit', (exitCode, signal) => {
      if (exitCode === 0) resolve({ how: 'done' })
      else {
        const how = exitCode === null ? `was ended by ${signal}` : `ended with exit code ${exitCode}`
        resolve({ how: 'failed', exitCode, message: `The executor ${how}.` })
      }
    })
  })
}

function startError({ code = '' }: NodeJS.ErrnoException): string {
  const reasons: Readonly<Record<string, string>> = {
    ENOENT: 'its program was not found. Check `command` in the file of the operator',
    EACCES: 'the user of the worker may not run its program',
  }
  return couldNotStart(reasons[code] ?? code)
}

/** Everyone who sees the task reads it, so it names neither a program nor a folder of the operator. */
function couldNotStart(why: string): string {
  return `The executor could not be started: ${why}.`
}

function failure(error: Error): Ending {
  return { how: 'failed', exitCode: null, message: error.message }
}

function give(child: ChildProcess, input: string): void {
  // it need not read its input
  child.stdin?.on('error', () => {})
  child.stdin?.end(input)
}
