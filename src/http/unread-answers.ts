/**
 * Limits the memory of answers that callers have not read yet. They count towards the same limit as request bodies. A
 * caller that exceeds it, or reads too slowly, is disconnected.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Shares, takerOf } from './admission/shares.ts'
import type { Limits } from './base/limits.ts'
import type { Connections } from './connections.ts'

type Bounds = Pick<Limits, 'leastBytesPerSecond' | 'rateWindow' | 'longestReading'>

/** Returns a function to call after an answer was written: the socket may not have taken all of it. */
export function unreadAnswers(bounds: Bounds, bytes: Shares, connections: Connections) {
  return (req: IncomingMessage, res: ServerResponse): void => {
    const unread = res.writableLength
    // the usual case: the socket has taken everything
    if (unread === 0 || res.writableFinished || req.socket.destroyed) return
    const by = takerOf(req)
    if (!bytes.take(by, unread)) {
      req.socket.destroy()
      return
    }
    const timer = setTimeout(() => req.socket.destroy(), timeFor(unread, bounds))
    const done = () => {
      clearTimeout(timer)
      bytes.give(by, unread)
    }
    const forget = connections.onEnd(req.socket, () => {
      res.off('finish', read)
      done()
    })
    function read() {
      forget()
      done()
    }
    res.once('finish', read)
  }
}

function timeFor(bytes: number, { leastBytesPerSecond, rateWindow, longestReading }: Bounds): number {
  return Math.min(longestReading, rateWindow + (bytes / leastBytesPerSecond) * 1000)
}
