/**
 * The open connections: how many there may be, how many requests each may have under way, and what has to wait until
 * those are answered.
 */
import assert from 'node:assert/strict'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { problem } from '../problem.ts'
import type { Limits } from './limits.ts'

export interface Connections {
  /** A connection was made. If there are too many, the one that has been idle longest is closed. */
  add(socket: Socket): void
  /** A request came. false: it is not to be answered, for it came after one that was refused by `check`. */
  begin(req: IncomingMessage, res: ServerResponse): boolean
  /** Throws rate_limited if too many requests are under way on its connection, which ends with that answer. */
  check(req: IncomingMessage): void
  /** Runs it once nothing is under way on the connection. */
  afterAnswers(socket: Socket, then: () => void): void
  /** Runs it when the connection, which is open now, has ended. Returns what takes that back. */
  onEnd(socket: Socket, then: () => void): () => void
  /** Closes those that have not said anything yet: to Node they are not idle. */
  closeSilent(): void
}

/** Requests after the refused one; a client that sends even more does not wait for answers at all. */
const mostIgnored = 100

interface Connection {
  underWay: number
  refused: boolean
  ignored: number
  newest?: { req: IncomingMessage; res: ServerResponse }
  afterAnswers?: () => void
  atEnd: Set<() => void>
}

export function connectionsOf({
  connections: most,
  pipelined,
}: Pick<Limits, 'connections' | 'pipelined'>): Connections {
  const open = new Map<Socket, Connection>()
  /** In the order in which they became idle. */
  const idle = new Set<Socket>()

  function makeRoom(): void {
    if (open.size < most) return
    const [longest] = idle
    longest?.destroy()
  }

  function answered(socket: Socket, connection: Connection): void {
    connection.underWay -= 1
    if (connection.underWay > 0 || !open.has(socket)) return
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
      const connection: Connection = { underWay: 0, refused: false, ignored: 0, atEnd: new Set() }
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
      if (isBetween(connection)) then()
      else connection.afterAnswers = then
    },
    onEnd(socket, then) {
      const atEnd = open.get(socket)?.atEnd
      assert(atEnd !== undefined, 'the connection is open')
      atEnd.add(then)
      return () => atEnd.delete(then)
    },
    closeSilent() {
      for (const socket of open.keys()) if (socket.bytesRead === 0) socket.destroy()
    },
  }
}

/** Nothing is under way but a request whose body is not whole, and whose answer has not begun. */
function isBetween({ underWay, newest }: Connection): boolean {
  if (underWay === 0 || newest === undefined) return true
  return underWay === 1 && !newest.req.complete && !newest.res.headersSent
}
