/** Notices as webhooks (src/ports/notifier.ts). */
import type { IncomingMessage } from 'node:http'
import { retryAfterOf } from '../../ports/back-off.ts'
import type { Clock } from '../../ports/clock.ts'
import { NotDelivered, type Notifier } from '../../ports/notifier.ts'
import { failureOf, post, type Receiver, refusalOf } from './post.ts'

/** ms. Bounds of Retry-After. */
const pauses = { least: 1_000, most: 60 * 60_000 }

export function webhookNotifier(receiver: Receiver, clock: Pick<Clock, 'now'>): Notifier {
  return {
    send: (message, signal) =>
      new Promise((resolve, reject) => {
        let failure: NotDelivered | undefined = new NotDelivered('The receiver did not answer.')
        let hasAnswered = false
        const request = post(receiver, message, clock.now(), '*/*')
        const end = () => request.destroy()
        signal.addEventListener('abort', end)
        request.on('error', (error) => {
          if (!hasAnswered && !signal.aborted) failure = new NotDelivered(failureOf(error))
        })
        request.once('response', (response) => {
          hasAnswered = true
          failure = failureIn(response)
          // only the status counts. The rest is read, because some servers take a connection that closes for a failure
          response.on('error', () => {})
          response.resume()
        })
        request.once('close', () => {
          signal.removeEventListener('abort', end)
          if (failure === undefined) resolve()
          else reject(failure)
        })
        if (signal.aborted) end()
      }),
  }
}

function failureIn({ statusCode = 0, headers }: IncomingMessage): NotDelivered | undefined {
  const refused = refusalOf(statusCode)
  const pause = retryAfterOf(headers['retry-after'] ?? null, pauses)
  return refused === undefined ? undefined : new NotDelivered(refused, pause)
}
