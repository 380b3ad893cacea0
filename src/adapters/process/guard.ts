/**
 * The guard: a program that starts the processes of a worker's sessions, and ends them if the worker dies or freezes.
 * Its argument is the time in ms between SIGTERM and SIGKILL. It talks with its worker over file descriptor 3. When that
 * closes, the guard ends all sessions, and then itself.
 */
import { Socket } from 'node:net'
import { frameReader, messageFrame, outputFrame } from './frames.ts'
import { type GuardedSession, guardedSession } from './guarded-session.ts'
import type { FromGuard, StartMessage, ToGuard } from './messages.ts'

// writes to it never block, other than those to standard output. A frozen worker reads nothing
const worker = new Socket({ fd: 3, allowHalfOpen: true })
const graceMs = Number(process.argv[2])
const sessions = new Map<number, GuardedSession>()
let isAlone = false

// its life depends on the worker alone. A service manager may signal the guard together with the worker
for (const name of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(name, () => {})

worker.on(
  'data',
  frameReader<ToGuard>((frame) => {
    if (frame.kind === 'message') obey(frame.session, frame.message)
  }),
)
worker.on('end', endAll)
worker.on('close', endAll)
// it closes after an error
worker.on('error', () => {})
tell(0, { type: 'ready' })

function obey(number: number, message: ToGuard): void {
  // it may have ended while the message was under way
  if (message.type !== 'start') sessions.get(number)?.obey(message)
  else start(number, message)
}

function start(number: number, message: StartMessage): void {
  const session = guardedSession(message, graceMs, {
    tell: (answer) => tell(number, answer),
    output: (from, bytes) => send(outputFrame(number, from, bytes)),
  })
  sessions.set(number, session)
  void session.ended.then((ending) => {
    sessions.delete(number)
    tell(number, { type: 'ended', ending })
    leave()
  })
}

function tell(session: number, message: FromGuard): void {
  send(messageFrame(session, message))
}

function send(frame: Buffer): void {
  if (worker.writable) worker.write(frame)
}

function endAll(): void {
  isAlone = true
  for (const session of sessions.values()) session.obey({ type: 'end' })
  leave()
}

function leave(): void {
  if (isAlone && sessions.size === 0) worker.end(() => process.exit(0))
}
