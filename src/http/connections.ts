/** Limits the open connections, and the concurrent requests on each of them. */
import assert from 'node:assert/strict'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { problem } from '../problem.ts'
import type { Limits } from './base/limits.ts'

export interface Connections {
  /** Adds a new connection. If there are too many, closes the one that has been idle longest. */
  add(socket: Socket): void
  /** Adds a new request. false: don't answer it, because `check` refused an earlier request on its connection. */
  begin(req: IncomingMessage, res: ServerResponse): boolean
  /** Throws rate_limited if its connection has too many concurrent requests. The connection ends with that answer. */
  check(req: IncomingMessage): void
  /** Runs `then` when all requests on the connection are answered. */
  afterAnswers(socket: Socket, then: () => void): void
  /** Runs `then` when the open connection has closed. Returns a function that cancels this. */
  onEnd(socket: Socket, then: () => void): () => void
  /** Runs `then` if the rest of what the connection sends can't be read. Returns a function that cancels this. */
  onFault(socket: Socket, then: () => void): () => void
  /**
   * Closes connections without a request. Node's own function would also cut an answer that its caller is still
   * reading, and would leave a connection that never sent a byte.
   */
  closeIdle(): void
}

/** Requests after the refused one that are ignored. A client that sends more does not read answers, so it is cut off. */
const mostIgnored = 100

interface Connection {
  underWay: number
  /** Bytes that had come when it became idle. If more have come, a request has begun. */
  readWhenIdle: number
  refused: boolean
  ignored: number
  newest?: { req: IncomingMessage; res: ServerResponse }
  afterAnswers?: () => void
  atEnd: Set<() => void>
  atFault: Set<() => void>
}

export function connectionsOf({
  connections: most,
  pipelined,
}: Pick<Limits, 'connections' | 'pipelined'>): Connections {
  const open = new Map<Socket, Connection>()
  /** The connection that became idle first comes first. */
  const idle = new Set<Socket>()

  function makeRoom(): void {
    if (open.size < most) return
    const [longest] = idle
    longest?.destroy()
  }

  function answered(socket: Socket, connection: Connection): void {
    connection.underWay -= 1
    if (connection.underWay > 0 || !open.has(socket)) return
    connection.readWhenIdle = socket.bytesRead
    idle.add(socket)
    connection.afterAnswers?.()
  }

  return {
    add(socket) {
      makeRoom()
      if (open.size >= most && idle.size === 0) {
        socket.destroy()
        return
      }
      const connection: Connection = {
        underWay: 0,
        readWhenIdle: 0,
        refused: false,
        ignored: 0,
        atEnd: new Set(),
        atFault: new Set(),
      }
      open.set(socket, connection)
      idle.add(socket)
      socket.once('close', () => {
        open.delete(socket)
        idle.delete(socket)
        for (const then of connection.atEnd) then()
      })
    },
    begin(req, res) {
      const connection = open.get(req.socket)
      if (connection === undefined) return false
      if (connection.refused) {
        connection.ignored += 1
        if (connection.ignored > mostIgnored) req.socket.destroy()
        return false
      }
      connection.underWay += 1
      connection.newest = { req, res }
      idle.delete(req.socket)
      res.once('close', () => answered(req.socket, connection))
      connection.refused = connection.underWay > pipelined
      return true
    },
    check({ socket }) {
      if (open.get(socket)?.refused !== true) return
      const detail = `One connection may have ${pipelined} requests under way. Await their answers, or open another one.`
      throw problem('rate_limited', detail, { headers: { 'Retry-After': '1', Connection: 'close' } })
    },
    afterAnswers(socket, then) {
      const connection = open.get(socket)
      if (connection === undefined) return
      for (const atFault of connection.atFault) atFault()
      if (isBetween(connection)) then()
      else connection.afterAnswers = then
    },
    onEnd(socket, then) {
      const atEnd = open.get(socket)?.atEnd
      assert(atEnd !== undefined, 'the connection is open')
      atEnd.add(then)
      return () => atEnd.delete(then)
    },
    onFault(socket, then) {
      const atFault = open.get(socket)?.atFault
      assert(atFault !== undefined, 'the connection is open')
      atFault.add(then)
      return () => atFault.delete(then)
    },
    closeIdle() {
      for (const socket of idle) if (socket.bytesRead === open.get(socket)?.readWhenIdle) socket.destroy()
    },
  }
}

/** Whether the connection has no request, or only one whose body is incomplete and whose answer has not begun. */
function isBetween({ underWay, newest }: Connection): boolean {
  if (underWay === 0 || newest === undefined) return true
  return underWay === 1 && !newest.req.complete && !newest.res.headersSent
}
