/** The HTTP server: limits against slow and large requests, the middlewares in order, and an orderly end. */
import { createServer as createHttpServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import Koa from 'koa'
import type { Logger } from 'pino'
import type { Clock } from '../ports/clock.ts'
import { requestServed } from '../ports/last-request.ts'
import { admission } from './admission/admission.ts'
import type { Api } from './base/api.ts'
import { type Limits, limitsOf } from './base/limits.ts'
import type { Route } from './base/route.ts'
import { connectionsOf } from './connections.ts'
import { type LocalListener, localListener } from './local-listener.ts'
import { compress } from './middleware/compress.ts'
import { cors } from './middleware/cors.ts'
import { mostHeaders } from './middleware/headers.ts'
import { request } from './middleware/request.ts'
import { maxHeaderSize, refuseUnparsed } from './refuse-unparsed.ts'
import { routerOf } from './router.ts'
import { allRoutes } from './routes.ts'
import { unreadAnswers } from './unread-answers.ts'

export interface WebServer {
  /** Port 0 takes a free port. Rejects if the address is not available. */
  listen(port: number, host: string): Promise<void>
  /** Also listens on a local socket (local-listener.ts). */
  listenLocally(path: string): Promise<void>
  port(): number
  /** Accepts no more connections, and waits up to `deadline` ms for open requests. true: all were answered. */
  close(deadline: number): Promise<boolean>
}

export interface ServerOptions {
  log: Logger
  /** Requests per second of each credential; 0 means no limit. */
  rateLimit: number
  clock: Clock
  routes?: readonly Route[]
  limits?: Limits
  /** Web pages of these origins may call the service. */
  allowedOrigins?: readonly string[]
}

/** Longer than any long poll (30 s), so that only dead connections are closed. */
const idleTimeout = 60_000
const headersTimeout = 15_000
/** The whole request: 64 MiB at 2 Mbit/s. */
const requestTimeout = 300_000
const keepAliveTimeout = 65_000
const connectionsCheckingInterval = 5_000
const closingSweep = 100

export function createServer(api: Api, options: ServerOptions): WebServer {
  const { log, rateLimit, clock, routes = allRoutes, limits = limitsOf(), allowedOrigins = [] } = options
  const connections = connectionsOf(limits)
  const admitted = admission(limits, rateLimit, () => clock.elapsed())
  const unread = unreadAnswers(limits, admitted.bytes, connections)
  let closing = false
  const app = new Koa()
  // the middleware handles all other errors: here a connection broke during the answer
  app.on('error', (error: unknown) => log.debug({ err: error }, 'answer not delivered'))
  if (allowedOrigins.length > 0) app.use(cors(allowedOrigins))
  app.use(
    request({
      log,
      clock,
      publicUrl: () => api.publicUrl,
      check: connections.check,
      isClosing: () => closing,
      answered: (...told) => api.answered(...told),
    }),
  )
  app.use(compress(admitted.bytes))
  app.use(routerOf(routes, api, admitted, { limits, connections, allowedOrigins }))
  const answer = app.callback()
  const listener = async (req: IncomingMessage, res: ServerResponse) => {
    if (!connections.begin(req, res)) return
    requestServed(clock)
    await answer(req, res)
    requestServed(clock)
    unread(req, res)
  }

  const server = createHttpServer(
    // the middleware refuses a missing Host with a problem
    { maxHeaderSize, headersTimeout, requestTimeout, connectionsCheckingInterval, requireHostHeader: false },
    listener,
  )
  server.keepAliveTimeout = keepAliveTimeout
  server.timeout = idleTimeout
  // one more than allowed, so that the middleware sees that there are too many
  server.maxHeadersCount = mostHeaders + 1
  // so that a client sends its body only after the request was accepted
  server.on('checkContinue', listener)
  server.on('checkExpectation', listener)
  server.on('connection', connections.add)
  // server.close() calls it
  server.closeIdleConnections = connections.closeIdle
  const refuse = refuseUnparsed(() => api.publicUrl, clock)
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) =>
    connections.afterAnswers(socket, () => refuse(error.code, socket)),
  )

  const local = localListener(server)
  return {
    listen: (port, host) => listen(server, port, host),
    listenLocally: local.listen,
    port: () => (server.address() as AddressInfo).port,
    close(deadline) {
      closing = true
      api.releaseWaiting()
      admitted.streams.stop()
      return close(server, local, deadline)
    },
  }
}

function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      resolve()
    })
  })
}

async function close(server: Server, local: LocalListener, deadline: number): Promise<boolean> {
  // a server without a port calls back with an error, which says only that it did not listen
  const closed = Promise.all([new Promise((done) => server.close(done)), local.close()]).then(() => true)
  // a connection that was still reading its last answer becomes idle later
  const sweep = setInterval(() => server.closeIdleConnections(), closingSweep)
  const over = new AbortController()
  const late = sleep(deadline, false, { signal: over.signal }).catch(() => false)
  const inTime = await Promise.race([closed, late])
  over.abort()
  clearInterval(sweep)
  if (!inTime) server.closeAllConnections()
  return inTime
}
