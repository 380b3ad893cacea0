/**
 * Executors that are servers (src/ports/executor.ts). A session is one request, signed after Standard Webhooks with the
 * session as webhook-id. The response is a stream of lines.
 *
 * Nobody here can end what the receiver does. It ends a session itself if the connection closes, or if a request for the
 * same run has a higher fence.
 */
import type { Clock } from '../../ports/clock.ts'
import type { Executor, ExecutorSession } from '../../ports/executor.ts'
import type { Receiver } from '../webhook/post.ts'
import { openSession } from './session.ts'

/** ms. A receiver that has nothing to say sends `{}`, so that a connection that hangs is noticed. */
const longestSilence = 30_000

export function httpExecutor(
  receiver: Receiver,
  clock: Pick<Clock, 'now' | 'elapsed'>,
  silence: number = longestSilence,
): Executor {
  const sessions = new Set<ExecutorSession>()
  return {
    async open(session) {
      const opened = openSession({ receiver, clock, silence }, session)
      sessions.add(opened)
      void opened.ended.then(() => sessions.delete(opened))
      return opened
    },
    async close() {
      const all = [...sessions]
      for (const one of all) one.end()
      await Promise.all(all.map(({ ended }) => ended))
    },
  }
}
