/**
 * Parses files in a child process. It starts with the first file and ends after some time without one. Files are sent
 * one after the other, a few ahead, so that the child never waits.
 *
 * If the child dies, a new child takes its files. A file during which two children died has failed. So it is with a child
 * that is killed because it took too long: it may have been frozen, or this process was, and that is not the file's fault.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { setMaxListeners } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { CodeParser, ParsedFile, Skipped, SourceFile } from '../../ports/code-parser.ts'
import { mostBytes, skipReason } from './analysis/skip.ts'
import { languageOf } from './language-of.ts'
import type { Response } from './messages.ts'

/**
 * Raise it when symbols or chunks of the same bytes change: by a query, a grammar, or the rules of chunks. Stored blobs
 * are then parsed again.
 */
export const parserVersion = '2'

interface Options {
  /** The built program of the child. */
  program?: URL
  /** ms without a file until the child ends, to free its memory. */
  idleMs?: number
  /**
   * ms for one file, until the child is killed. The child itself gives up after 2 s of processor time, and stays alive.
   * Its low priority may make that many more.
   */
  killAfterMs?: number
}

/** Files sent before the first of them is answered. */
const mostAhead = 4
/** MB of the heap of JavaScript in the child: what is found in one file. Trees are outside of it. */
const heapMb = 128

interface Asked {
  file: SourceFile
  cpp: boolean
  signal: AbortSignal
  resolve(parsed: ParsedFile): void
  reject(error: unknown): void
  isOver: boolean
  /** Children that died while they parsed it. */
  deaths: number
}

interface Child {
  process: ChildProcess
  /** Sent and not answered, in this order: the first one is being parsed. */
  sent: Map<number, Asked>
  isEnding: boolean
}

export function openCodeParser({
  program = new URL('./child/program.js', import.meta.url),
  idleMs = 30_000,
  killAfterMs = 30_000,
}: Options = {}): CodeParser & { isRunning(): boolean } {
  const waiting: Asked[] = []
  const children = new Set<Child>()
  let child: Child | undefined
  let lastId = 0
  let idle: NodeJS.Timeout | undefined
  let kill: NodeJS.Timeout | undefined
  let isClosed = false

  function started(): Child {
    const made: Child = {
      process: fork(fileURLToPath(program), [], {
        serialization: 'advanced',
        execArgv: [`--max-old-space-size=${heapMb}`],
        // it needs nothing of the environment, which may hold secrets
        env: {},
        stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      }),
      sent: new Map(),
      isEnding: false,
    }
    // the child alone must not keep the service alive
    made.process.unref()
    made.process.channel?.unref()
    made.process.on('message', (response: Response) => hear(made, response))
    // it could not be started or written to; its exit follows, or there is none to wait for
    made.process.once('error', () => gone(made))
    made.process.once('exit', () => gone(made))
    children.add(made)
    return made
  }

  function hear(from: Child, { id, parsed, isLast }: Response): void {
    const asked = from.sent.get(id)
    from.sent.delete(id)
    asked?.resolve(parsed)
    if (isLast) retire(from)
    watch()
    send()
  }

  /** It takes no more files. Those that it will not answer go to the next child. */
  function retire(old: Child): void {
    if (child === old) child = undefined
    old.isEnding = true
    waiting.unshift(...old.sent.values())
    old.sent.clear()
  }

  function gone(old: Child, why: Skipped = 'failed'): void {
    if (!children.delete(old)) return
    const first = old.sent.entries().next().value
    if (first !== undefined) old.sent.delete(first[0])
    retire(old)
    if (first !== undefined) {
      const [, asked] = first
      asked.deaths += 1
      // the system may have killed the child for lack of memory: the file gets a second child
      if (asked.deaths < 2) waiting.unshift(asked)
      else asked.resolve(without(asked.file, why))
    }
    watch()
    send()
  }

  /** The time of a file begins when it is the first one that the child has. */
  function watch(): void {
    clearTimeout(kill)
    clearTimeout(idle)
    const watched = child
    if (watched === undefined) return
    if (watched.sent.size > 0) {
      kill = setTimeout(() => {
        watched.process.kill('SIGKILL')
        gone(watched, 'timeout')
      }, killAfterMs)
    } else if (waiting.length === 0) {
      idle = setTimeout(() => {
        retire(watched)
        watched.process.kill('SIGKILL')
      }, idleMs).unref()
    }
  }

  function send(): void {
    while (waiting.length > 0 && !isClosed && (child === undefined || child.sent.size < mostAhead)) {
      const asked = waiting.shift() as Asked
      if (asked.isOver) continue
      child ??= started()
      lastId += 1
      child.sent.set(lastId, asked)
      const { file, cpp } = asked
      child.process.send({ id: lastId, path: file.path, bytes: file.bytes, cpp }, () => {
        // a broken channel: the exit of the child follows
      })
      if (child.sent.size === 1) watch()
    }
  }

  return {
    version: parserVersion,
    languageOf,
    isRunning: () => child !== undefined,
    async parse(file, { cpp }, signal) {
      signal.throwIfAborted()
      if (isClosed) throw new Error('the code parser is closed')
      // what is skipped anyway needs no child, and large files no copy
      const skipped = file.bytes.length > mostBytes ? skipReason(file.bytes) : undefined
      if (skipped !== undefined) return without(file, skipped)
      return await new Promise<ParsedFile>((resolve, reject) => {
        const asked: Asked = {
          file,
          cpp,
          signal,
          resolve: settled(resolve),
          reject: settled(reject),
          isOver: false,
          deaths: 0,
        }
        function settled<T>(settle: (value: T) => void): (value: T) => void {
          return (value) => {
            asked.isOver = true
            signal.removeEventListener('abort', abort)
            settle(value)
          }
        }
        const abort = () => asked.reject(signal.reason)
        // one signal for all files of a repository is no leak
        setMaxListeners(0, signal)
        signal.addEventListener('abort', abort)
        waiting.push(asked)
        send()
      })
    },
    async close() {
      isClosed = true
      clearTimeout(idle)
      clearTimeout(kill)
      const error = new Error('the code parser was closed')
      for (const asked of [...waiting.splice(0), ...[...children].flatMap(({ sent }) => [...sent.values()])]) {
        asked.reject(error)
      }
      await Promise.all([...children].map(ended))
    },
  }
}

async function ended({ process: child, sent }: Child): Promise<void> {
  sent.clear()
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return
  const exited = new Promise((resolve) => child.once('exit', resolve))
  child.ref()
  child.kill('SIGKILL')
  await exited
}

function without({ path }: SourceFile, skipped: Skipped): ParsedFile {
  const language = languageOf(path)
  return { ...(language !== undefined && { language }), symbols: [], chunks: [], skipped }
}
