/**
 * The way to the service on a data directory, of which there is one at a time. The process that holds the lock of the
 * directory runs the service and listens on a local socket: `precedent serve`, or one of the `precedent mcp`. The others
 * connect to it. When it goes, however it ends, the lock goes too, and one of the others takes over. When somebody
 * starts `precedent serve`, it gets the directory from a `precedent mcp`, which then connects to it.
 */
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { localPlaces } from '../../../config/local.ts'
import { Failure } from '../terminal/failure.ts'
import type { Route } from './carry.ts'
import { localKey } from './local-key.ts'
import { endpoint } from './url-route.ts'

/** A service in this process. */
export interface OwnService {
  /** Rejects if it can't start. */
  ready: Promise<unknown>
  stop(): Promise<void>
}

export interface LocalOptions {
  dataDir: string
  apiKey: string | undefined
  tools: string | undefined
  /** Starts the service in this process, without a port. */
  start(): OwnService
  /** Whether a service that has a port wants the directory. */
  isWanted(): boolean
  /** Whether `start` failed because another process holds the lock. */
  isInUse(error: unknown): boolean
  /** Prints a line for people. */
  note(text: string): void
  /** Ends the search for the service. */
  signal: AbortSignal
}

export interface LocalRoute extends Route {
  /** Stops the service, if this process runs it. */
  close(): Promise<void>
}

/** ms between two attempts to connect or to take over. */
const retryEvery = 100
/** ms between two looks whether another service wants the directory. */
const lookEvery = 500
/** ms. A service that starts listens sooner, and one that stops lets the lock go sooner. */
const longestWait = 30_000
/** Times that a request is sent. More than one service died of it, or it is very unlucky. */
const mostAttempts = 4

/** Resolves when the service can be called. Rejects with Failure, or with the error of a start. */
export async function localRoute(options: LocalOptions): Promise<LocalRoute> {
  const { dataDir, tools, start, isInUse, isWanted, note, signal } = options
  let own: OwnService | undefined
  let other: Socket | undefined
  let reaching: Promise<void> | undefined
  let authorization: string | undefined
  let closing = false
  let looking: NodeJS.Timeout | undefined
  const tell = (error: Error) => note(`precedent: ${error.message}`)

  /** Finds the service, or becomes it. */
  async function reach(): Promise<void> {
    const until = performance.now() + longestWait
    for (;;) {
      if (closing) throw new Failure('interrupted', 'interrupted', 'The command is ending.')
      if (own || (await follow()) || (await takeOver())) break
      if (performance.now() > until) throw silent(dataDir)
      await sleep(retryEvery)
    }
    authorization ??= `Bearer ${options.apiKey ?? (await localKey(localPlaces(dataDir).key))}`
  }

  /** Connects to the service of another process, and notices from this connection when the process goes. */
  async function follow(): Promise<boolean> {
    const followed = await connected(localPlaces(dataDir).socket)
    if (followed === undefined) return false
    other = followed
    followed.once('close', () => {
      if (other === followed) leave()
    })
    return true
  }

  /** Looks for the service anew, even if no request comes: whoever takes over also applies the writes that wait. */
  function leave(): void {
    const left = other
    other = undefined
    left?.destroy()
    if (!closing) reachOnce().catch(tell)
  }

  async function takeOver(): Promise<boolean> {
    own = start()
    try {
      await own.ready
      return true
    } catch (error) {
      await own.stop()
      own = undefined
      if (isInUse(error)) return false
      throw error
    }
  }

  function reachOnce(): Promise<void> {
    reaching ??= reach().finally(() => {
      reaching = undefined
    })
    return reaching
  }

  function isWantedNow(): boolean {
    try {
      return isWanted()
    } catch {
      return false // the claim can't be read at this moment, such as for want of file descriptors: look again later
    }
  }

  /** Gives the directory to a service that wants it. */
  function handOver(): void {
    if (!own || reaching || closing || !isWantedNow()) return
    const given = own
    own = undefined
    reaching = given
      .stop()
      .then(reach)
      .catch(tell)
      .finally(() => {
        reaching = undefined
      })
  }

  async function close(): Promise<void> {
    closing = true
    clearInterval(looking)
    other?.destroy()
    await Promise.all([own?.stop(), reaching?.catch(() => {})])
  }

  signal.addEventListener('abort', () => {
    closing = true
  })
  await reachOnce().catch(async (error) => {
    await close()
    throw error
  })
  looking = setInterval(handOver, lookEvery)
  return {
    where: localPlaces(dataDir).socket,
    async target() {
      if (reaching || !(own || other)) await reachOnce()
      const address = { socketPath: localPlaces(dataDir).socket, path: endpoint(tools), host: 'localhost' }
      return { address, authorization: authorization as string }
    },
    mayRepeat(lost, attempt) {
      // a service that stops listens no more, although its connections are still open
      leave()
      return !closing && !lost.timedOut && attempt < mostAttempts
    },
    close,
  }
}

/** undefined: nobody listens there. */
function connected(path: string): Promise<Socket | undefined> {
  return new Promise((resolve) => {
    const socket = connect(path)
    socket.once('connect', () => resolve(socket))
    socket.once('error', () => resolve(undefined))
    // it only waits for the end; nothing is sent or read
    socket.on('error', () => {}).resume()
  })
}

function silent(dataDir: string): Failure {
  const message = `Another process is using ${dataDir}, but does not listen on ${localPlaces(dataDir).socket}.`
  return new Failure('unreachable', 'unreachable', message, {
    remedy: 'If it is a service, set PRECEDENT_URL to its address. If not, wait until it has ended.',
  })
}
