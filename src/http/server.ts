/** The HTTP server: limits against slow and large requests, the middlewares in order, and an orderly end. */
import { createServer as createHttpServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import Koa from 'koa'
import type { Logger } from 'pino'
import type { Clock } from '../ports/clock.ts'
import { type ProblemCode, problem } from '../problem.ts'
import { request } from './middleware/request.ts'
import { problemBody, statusOf } from './problem.ts'
import type { Route } from './route.ts'
import { routerOf } from './router.ts'
import { allRoutes } from './routes.ts'
import type { Served } from './served.ts'

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
}

/** Request line and headers: a query of 2,000 emoji, percent-encoded, is legal. */
const maxHeaderSize = 64 * 1024
/** Longer than any answer is held back (30 s), so that only the dead are hung up on. */
const idleTimeout = 60_000
const headersTimeout = 15_000
/** The whole request: 64 MiB at 2 Mbit/s. */
const requestTimeout = 300_000
const keepAliveTimeout = 65_000
const connectionsCheckingInterval = 5_000
const closingSweep = 100

export function createServer(served: Served, options: ServerOptions): WebServer {
  const { log, rateLimit, clock, routes = allRoutes } = options
  let closing = false
  const app = new Koa()
  // what is left to Koa is a connection that broke while it was answered
  app.on('error', (error: unknown) => log.debug({ err: error }, 'answer not delivered'))
  app.use(
    request({
      log,
      clock,
      publicUrl: served.publicUrl,
      isClosing: () => closing,
      answered: (...told) => served.answered(...told),
    }),
  )
  app.use(routerOf(routes, served, rateLimit))
  const listener = app.callback() as (req: IncomingMessage, res: ServerResponse) => void

  const server = createHttpServer(
    // a missing Host is refused by the middleware, as a problem
    { maxHeaderSize, headersTimeout, requestTimeout, connectionsCheckingInterval, requireHostHeader: false },
    listener,
  )
  server.keepAliveTimeout = keepAliveTimeout
  server.timeout = idleTimeout
  // so that nobody is asked for a body before it is known whether it is wanted
  server.on('checkContinue', listener)
  server.on('checkExpectation', listener)
  const connections = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    connections.add(socket)
    socket.once('close', () => connections.delete(socket))
  })
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) =>
    refuseUnparsed(error, socket, served.publicUrl, clock),
  )

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

function close(server: Server, connections: ReadonlySet<Socket>, deadline: number): Promise<boolean> {
  const closeIdle = () => {
    server.closeIdleConnections()
    // to Node one that has said nothing yet is not idle
    for (const socket of connections) if (socket.bytesRead === 0) socket.destroy()
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

/** What Node could not read as a request, answered like every other error. */
function refuseUnparsed(error: NodeJS.ErrnoException, socket: Socket, publicUrl: string, clock: Clock): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const [code, detail] = reasonOf(error.code)
  const id = clock.id()
  const body = JSON.stringify(problemBody(problem(code, detail), publicUrl, id))
  socket.end(
    [
      `HTTP/1.1 ${statusOf(code)} ${code}`,
      'Content-Type: application/problem+json',
      `Content-Length: ${Buffer.byteLength(body)}`,
      `X-Request-Id: ${id}`,
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
  )
}

function reasonOf(code: string | undefined): [ProblemCode, string] {
  if (code === 'HPE_HEADER_OVERFLOW') {
    return ['payload_too_large', `Request line and headers may have ${maxHeaderSize / 1024} KiB at most.`]
  }
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return ['invalid_request', 'The request did not arrive in time.']
  return ['invalid_request', 'This is not an HTTP/1.1 request.']
}
