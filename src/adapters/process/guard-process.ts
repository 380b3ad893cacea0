/** One process of the guard, as its worker sees it. */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { Socket } from 'node:net'
import { fileURLToPath } from 'node:url'
import type { Ending } from '../../ports/executor.ts'
import { removeFolders } from './folders.ts'
import { type Frame, frameReader, messageFrame } from './frames.ts'
import type { FromGuard, Source, StartMessage, ToGuard } from './messages.ts'
import { endProcesses } from './processes.ts'

export interface GuardProcess {
  connect(session: string, heard: HeardSession): Connection
  /** Ends all sessions, then the process. */
  close(): Promise<void>
}

export interface Connection {
  send(message: ToGuard): void
  /** The session was never started, and will not be. */
  leave(): void
}

export interface HeardSession {
  output(from: Source, bytes: Uint8Array): void
  outputEnded(): void
  /** Nothing of the session is left running. Nothing follows. */
  ended(ending: Ending): void
}

interface Connected {
  id: string
  heard: HeardSession
  started?: StartMessage
  group?: number
}

interface Options {
  graceMs: number
  idleMs: number
  /** It takes no more sessions: start another one. */
  closing(): void
}

/** Resolves when it is ready. Rejects if it can't be started. */
export async function startGuard(program: URL, { graceMs, idleMs, closing }: Options): Promise<GuardProcess> {
  const { child, pipe, exited } = spawned(program, graceMs)
  const sessions = new Map<number, Connected>()
  let next = 1
  let idle: NodeJS.Timeout | undefined

  function hear(frame: Frame<FromGuard>): void {
    const session = sessions.get(frame.session)
    if (frame.kind === 'message' && frame.message.type === 'ended') forget(frame.session)
    if (session !== undefined) hearOf(session, frame)
  }

  function forget(number: number): void {
    sessions.delete(number)
    if (sessions.size > 0) return
    // an idle guard does not keep its worker alive
    pipe.unref()
    clearTimeout(idle)
    idle = setTimeout(endGuard, idleMs).unref()
  }

  function endGuard(): void {
    clearTimeout(idle)
    closing()
    pipe.end()
  }

  // also if it was killed
  const over = new Promise((resolve) => pipe.once('close', resolve)).then(async () => {
    closing()
    // it may have lost only its pipe
    child.kill('SIGKILL')
    const how = await exited
    await Promise.all([...sessions.values()].map((session) => endInstead(session, graceMs, how)))
    sessions.clear()
  })

  await readiness(pipe, hear, exited)
  return {
    connect(id, heard) {
      const number = next++
      const session: Connected = { id, heard }
      sessions.set(number, session)
      clearTimeout(idle)
      pipe.ref()
      return {
        send(message) {
          if (message.type === 'start') session.started = message
          if (pipe.writable) pipe.write(messageFrame(number, message))
        },
        leave: () => forget(number),
      }
    },
    async close() {
      pipe.ref()
      endGuard()
      await over
    },
  }
}

function hearOf(session: Connected, frame: Frame<FromGuard>): void {
  if (frame.kind !== 'message') session.heard.output(frame.kind, frame.bytes)
  else if (frame.message.type === 'started') session.group = frame.message.group
  else if (frame.message.type === 'output_ended') session.heard.outputEnded()
  else if (frame.message.type === 'ended') session.heard.ended(frame.message.ending)
}

interface Spawned {
  child: ChildProcess
  pipe: Socket
  /** Resolves with the reason, for people. */
  exited: Promise<string>
}

/** Halves what the guard's memory grows by: it holds nothing for long. */
const sparing = ['--max-semi-space-size=1']

/** Nothing of a session is an argument or a variable of the guard: other users of the machine may see them. */
function spawned(program: URL, graceMs: number): Spawned {
  const child = spawn(process.execPath, [...sparing, fileURLToPath(program), String(graceMs)], {
    cwd: '/',
    env: {},
    // Ctrl-C in a terminal signals the group of the worker, which then ends its sessions in order
    detached: true,
    stdio: ['ignore', 'ignore', 'inherit', 'pipe'],
  })
  child.unref()
  const exited = new Promise<string>((resolve) => {
    child.once('error', ({ message }) => resolve(message))
    child.once('exit', (code, signal) => resolve(signal ?? `exit code ${code}`))
  })
  // there is none if this process has too many open files
  const pipe = child.stdio?.[3] ?? new Socket().destroy()
  assert(pipe instanceof Socket)
  pipe.on('error', () => {})
  return { child, pipe, exited }
}

async function readiness(
  pipe: Socket,
  hear: (frame: Frame<FromGuard>) => void,
  exited: Promise<string>,
): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const read = frameReader<FromGuard>((frame) => (frame.session === 0 ? resolve() : hear(frame)))
    pipe.on('data', read)
    void exited.then((how) => reject(new Error(`the guard of process executors could not be started: ${how}`)))
  })
}

/** For a guard that has died. */
async function endInstead({ id, group, started, heard }: Connected, graceMs: number, how: string): Promise<void> {
  heard.outputEnded()
  await endProcesses({ session: id, group }, graceMs)
  if (started !== undefined && 'temporaryIn' in started.directory) {
    await removeFolders(started.directory.temporaryIn, id)
  }
  heard.ended({ how: 'failed', exitCode: null, message: `the guard of process executors has died (${how})` })
}
