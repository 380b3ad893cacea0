/** The HTTP server: limits against slow and large requests, the middlewares in order, and an orderly end. */
import { createServer as createHttpServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import Koa from 'koa'
import type { Logger } from 'pino'
import type { Clock } from '../ports/clock.ts'
import { type Connections, connectionsOf } from './connections.ts'
import { type Limits, limitsOf } from './limits.ts'
import { admission } from './middleware/admission.ts'
import { mostHeaders } from './middleware/headers.ts'
import { request } from './middleware/request.ts'
import { maxHeaderSize, refuseUnparsed } from './refuse-unparsed.ts'
import type { Route } from './route.ts'
import { routerOf } from './router.ts'
import { allRoutes } from './routes.ts'
import type { Served } from './served.ts'
import { unreadAnswers } from './unread-answers.ts'

export interface WebServer {
  /** Port 0 takes a free one. Rejects where the address can't be had. */
  listen(port: number, host: string): Promise<void>
  port(): number
  /** Takes no more connections and answers what is under way, at most `deadline` ms. true: all was answered. */
  close(deadline: number): Promise<boolean>
}

export interface ServerOptions {
  log: Logger
  /** Requests a second for each credential; 0 sets no limit. */
  rateLimit: number
  clock: Clock
  routes?: readonly Route[]
  limits?: Limits
}

/** Longer than any answer is held back (30 s), so that only the dead are hung up on. */
const idleTimeout = 60_000
const headersTimeout = 15_000
/** The whole request: 64 MiB at 2 Mbit/s. */
const requestTimeout = 300_000
const keepAliveTimeout = 65_000
const connectionsCheckingInterval = 5_000
const closingSweep = 100

export function createServer(served: Served, options: ServerOptions): WebServer {
  const { log, rateLimit, clock, routes = allRoutes, limits = limitsOf() } = options
  const connections = connectionsOf(limits)
  const admitted = admission(limits, rateLimit, () => clock.elapsed())
  const unread = unreadAnswers(limits, admitted.bytes, connections)
  let closing = false
  const app = new Koa()
  // what is left to Koa is a connection that broke while it was answered
  app.on('error', (error: unknown) => log.debug({ err: error }, 'answer not delivered'))
  app.use(
    request({
      log,
      clock,
      publicUrl: () => served.publicUrl,
      check: connections.check,
      isClosing: () => closing,
      answered: (...told) => served.answered(...told),
    }),
  )
  app.use(routerOf(routes, served, admitted))
  const answer = app.callback()
  const listener = async (req: IncomingMessage, res: ServerResponse) => {
    if (!connections.begin(req, res)) return
    await answer(req, res)
    unread(req, res)
  }

  const server = createHttpServer(
    // a missing Host is refused by the middleware, as a problem
    { maxHeaderSize, headersTimeout, requestTimeout, connectionsCheckingInterval, requireHostHeader: false },
    listener,
  )
  server.keepAliveTimeout = keepAliveTimeout
  server.timeout = idleTimeout
  // one more than is allowed, so that they can be counted
  server.maxHeadersCount = mostHeaders + 1
  // so that nobody is asked for a body before it is known whether it is wanted
  server.on('checkContinue', listener)
  server.on('checkExpectation', listener)
  server.on('connection', connections.add)
  const refuse = refuseUnparsed(() => served.publicUrl, clock)
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) =>
    connections.afterAnswers(socket, () => refuse(error.code, socket)),
  )
  server.on('connect', (_, socket: Socket) => refuse('CONNECT', socket))

  return {
    listen: (port, host) => listen(server, port, host),
    port: () => (server.address() as AddressInfo).port,
    close(deadline) {
      closing = true
      served.releaseWaiting()
      return close(server, connections, deadline)
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

function close(server: Server, connections: Connections, deadline: number): Promise<boolean> {
  const closeIdle = () => {
    server.closeIdleConnections()
    connections.closeSilent()
  }
  return new Promise((resolve) => {
    const timer = setTimeout(() => {
      clearInterval(sweep)
      server.closeAllConnections()
      resolve(false)
    }, deadline)
    // one that was reading its last answer when the end began is idle only now
    const sweep = setInterval(closeIdle, closingSweep)
    server.close(() => {
      clearInterval(sweep)
      clearTimeout(timer)
      resolve(true)
    })
    closeIdle()
  })
}
