/** One session of an executor over HTTP: sends the request, reads the response, and ends both in time. */
import type { ClientRequest } from 'node:http'
import type { Clock } from '../../ports/clock.ts'
import type { Ending, ExecutorSession } from '../../ports/executor.ts'
import { failureOf, post, type Receiver } from '../webhook/post.ts'
import { lineQueue } from './line-queue.ts'
import { readResponse } from './response.ts'

export interface Target {
  receiver: Receiver
  clock: Pick<Clock, 'now' | 'elapsed'>
  /** ms without a line, while lines are wanted, after which the session fails. */
  silence: number
}

export function openSession(
  { receiver, clock, silence }: Target,
  { id, timeLimitMs }: { id: string; timeLimitMs: number },
): ExecutorSession {
  const queue = lineQueue()
  const lease = leaseTimer(clock, () => finish({ how: 'lease_over' }))
  const quiet = silenceTimer(silence, (message) => fail(message))
  let limit: NodeJS.Timeout | undefined
  let request: ClientRequest | undefined
  let isClosed = true
  let ending: Ending | undefined
  let settle: (ending: Ending) => void
  const ended = new Promise<Ending>((resolve) => {
    settle = resolve
  })

  function finish(how: Ending): void {
    if (ending !== undefined) return
    ending = how
    clearTimeout(limit)
    lease.clear()
    quiet.clear()
    queue.close()
    // the connection may not outlive the session
    if (isClosed) settle(how)
    else request?.destroy()
  }
  const fail = (message: string) => finish({ how: 'failed', exitCode: null, message })

  function send(body: string): void {
    const sent = post(receiver, { id, body }, clock.now(), 'application/x-ndjson')
    request = sent
    isClosed = false
    let hasAnswered = false
    quiet.wait('did not answer')
    sent.on('error', (error) => fail(failureOf(error)))
    sent.once('response', (response) => {
      hasAnswered = true
      readResponse(response, queue, { wait: quiet.wait, fail, done: () => finish({ how: 'done' }) })
    })
    sent.once('close', () => {
      isClosed = true
      // after an answer, the end of the response decides: some of it may be unread
      if (!hasAnswered) fail('The receiver closed the connection without an answer.')
      if (ending !== undefined) settle(ending)
    })
  }

  return {
    start({ document, key }, first) {
      if (ending !== undefined) return
      if (clock.elapsed() >= first) {
        finish({ how: 'ended' })
        return
      }
      lease.start(first)
      limit = setTimeout(() => finish({ how: 'time_limit' }), timeLimitMs)
      send(JSON.stringify({ ...document, key }))
    },
    extend(later) {
      if (request !== undefined) lease.extend(later)
    },
    end: () => finish({ how: 'ended' }),
    lines: queue.lines,
    ended,
  }
}

/** ms. setTimeout takes no longer time. */
const longestTimer = 2 ** 31 - 1

/** Calls `over` when the latest instant has come that it was given. */
function leaseTimer(clock: Target['clock'], over: () => void) {
  let until = 0
  let timer: NodeJS.Timeout | undefined
  function watch(): void {
    const left = until - clock.elapsed()
    if (left <= 0) over()
    else timer = setTimeout(watch, Math.min(longestTimer, Math.ceil(left)))
  }
  return {
    start(first: number) {
      until = first
      watch()
    },
    extend(later: number) {
      // the timer is late if the thread was busy
      if (clock.elapsed() >= until) over()
      until = Math.max(until, later)
    },
    clear: () => clearTimeout(timer),
  }
}

function silenceTimer(ms: number, fail: (message: string) => void) {
  let timer: NodeJS.Timeout | undefined
  let isOver = false
  return {
    /** Fails with `what` if it is not called again in time. undefined: no line is wanted now. */
    wait(what: string | undefined) {
      clearTimeout(timer)
      if (what !== undefined && !isOver) timer = setTimeout(() => fail(`The receiver ${what} for ${ms / 1000} s.`), ms)
    },
    clear() {
      isOver = true
      clearTimeout(timer)
    },
  }
}
