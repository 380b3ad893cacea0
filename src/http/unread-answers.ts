/**
 * Answers that their callers have not read yet. They count among the bytes under way; a caller that would hold more than
 * its share, or that takes too long, is hung up on.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Connections } from './connections.ts'
import type { Limits } from './limits.ts'
import { type Shares, takerOf } from './middleware/shares.ts'

type Bounds = Pick<Limits, 'leastBytesPerSecond' | 'rateWindow' | 'longestReading'>

/** To be called when an answer was written, as far as its connection took it. */
export function unreadAnswers(bounds: Bounds, bytes: Shares, connections: Connections) {
  return (req: IncomingMessage, res: ServerResponse): void => {
    const unread = res.writableLength
    // nearly always
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
