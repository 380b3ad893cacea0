/** One process of git, with everything that it starts. It ends on abort, and when its time is over. */
import { type ChildProcessByStdio, spawn } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'
import { MirrorError } from '../../ports/mirrors.ts'
import { memoryToFetch, memoryToRead, mostSaid } from './limits.ts'
import { troubleOf } from './troubles.ts'

export interface Git {
  /** The environment of every process. */
  environment: Readonly<Record<string, string>>
}

export interface GitCommand {
  /** Without secrets: other users of the machine can read them. */
  args: readonly string[]
  /** undefined: in no repository. */
  gitDir: string | undefined
  /** Further variables. */
  variables?: Readonly<Record<string, string>>
  /** Bytes of the largest file that it may write. Absent: it only reads, and gets less memory. */
  largestFile?: number
  timeMs: number
}

export interface RunningGit {
  stdin: Writable
  stdout: Readable
  /** Resolves when the process ended well. Rejects with MirrorError, or the reason of the abort. */
  ended: Promise<void>
  /** Ends the process and all that it started. May be called again. `error`: what `ended` then rejects with. */
  kill(error?: Error): void
  /** Its time begins anew: until now it waited for whoever reads its output. */
  restartTime(): void
}

/**
 * A shell sets the limits that Node can't set, and then becomes git. It reads nothing that is not written here: the
 * arguments follow as they are. Systems without one of the limits go on without it.
 */
const withLimits =
  'ulimit -c 0 2>/dev/null; ulimit -v "$1" 2>/dev/null; ulimit -f "$2" 2>/dev/null; shift 2; exec git "$@"'
/** Bytes; the unit of `ulimit -f`. */
const blockSize = 512

export function startGit(git: Git, command: GitCommand, signal: AbortSignal): RunningGit {
  signal.throwIfAborted()
  const { largestFile } = command
  const memory = String(largestFile === undefined ? memoryToRead : memoryToFetch)
  const blocks = String(Math.ceil((largestFile ?? 0) / blockSize))
  const child = spawn('/bin/sh', ['-c', withLimits, 'sh', memory, blocks, ...command.args], {
    // git looks for a repository above the directory where it runs, unless GIT_DIR names one
    cwd: '/',
    env: { ...git.environment, GIT_DIR: command.gitDir ?? '/dev/null/none', ...command.variables },
    // a group of its own: git starts other programs, and they end with it
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  // it may end before it has read everything
  child.stdin.on('error', () => {})
  let killedFor: Error | undefined
  const kill = (error?: Error) => {
    killedFor ??= error
    endGroup(child.pid)
  }
  const onAbort = () => kill(signal.reason instanceof Error ? signal.reason : new Error('aborted'))
  signal.addEventListener('abort', onAbort, { once: true })
  const timer = setTimeout(
    () => kill(new MirrorError('timeout', `git took longer than ${Math.ceil(command.timeMs / 1000)} s`)),
    command.timeMs,
  )
  const ended = endOf(child, () => killedFor).finally(() => {
    clearTimeout(timer)
    signal.removeEventListener('abort', onAbort)
  })
  // a program that git left behind could hold the pipes open
  child.once('exit', () => endGroup(child.pid))
  // readers of the output hear of it there
  ended.catch(() => {})
  // after the end there is no time left to begin anew
  const restartTime = () => {
    if (child.exitCode === null && child.signalCode === null) timer.refresh()
  }
  return { stdin: child.stdin, stdout: child.stdout, ended, kill, restartTime }
}

/** Runs it to its end, and returns what it printed. Rejects if that is more than `most` bytes. */
export async function runGit(git: Git, command: GitCommand, most: number, signal: AbortSignal): Promise<Buffer> {
  const running = startGit(git, command, signal)
  running.stdin.end()
  const chunks: Buffer[] = []
  let length = 0
  running.stdout.on('data', (bytes: Buffer) => {
    length += bytes.length
    if (length > most) running.kill(new MirrorError('too_large', `git printed more than ${most} bytes`))
    else chunks.push(bytes)
  })
  await running.ended
  return Buffer.concat(chunks)
}

type Child = ChildProcessByStdio<Writable, Readable, Readable>

function endOf(child: Child, killedFor: () => Error | undefined): Promise<void> {
  const said: Buffer[] = []
  let length = 0
  child.stderr.on('data', (bytes: Buffer) => {
    // the beginning names the cause; the remote may go on without end
    if (length < mostSaid) said.push(bytes.subarray(0, mostSaid - length))
    length += bytes.length
  })
  return new Promise((resolve, reject) => {
    child.once('error', (error: NodeJS.ErrnoException) => {
      reject(killedFor() ?? new MirrorError('failed', `git can't be started (${error.code ?? error.name})`))
    })
    child.once('close', (code, by) => {
      const error = killedFor()
      if (error !== undefined) reject(error)
      else if (code === 0) resolve()
      else reject(troubleOf({ code, by, said: Buffer.concat(said).toString() }))
    })
  })
}

/** SIGKILL: nothing that git leaves behind is used again. */
function endGroup(pid: number | undefined): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // no process of the group is left
  }
}
