/** Limits what an authenticated caller may use: requests per second, concurrent requests, bytes in memory, imports. */
import type { Context } from 'koa'
import { problem } from '../../problem.ts'
import type { Limits } from '../base/limits.ts'
import { toldOf } from '../base/trace.ts'
import { type FairTurns, fairTurns } from './fair-turns.ts'
import { incoming } from './incoming.ts'
import { rateLimit } from './rate-limit.ts'
import { type Shares, sharesOf, type Taker, tellTaker } from './shares.ts'
import { type Slots, slots } from './slots.ts'
import { slownessOf } from './slowness.ts'
import { type Streams, streamsOf } from './streams.ts'

export interface Admission {
  /** Runs `answer`, which may read the body. Throws rate_limited or unavailable if the caller exceeds a limit. */
  admit(ctx: Context, by: Taker, isImport: boolean, answer: () => Promise<void>): Promise<void>
  imports: Slots
  turns: FairTurns
  streams: Streams
  /** Bytes of request bodies and unread answers in memory. */
  bytes: Shares
}

/** `perSecond`: requests of one credential per second; 0 means no limit. `elapsed`: ms of a monotonic clock. */
export function admission(limits: Limits, perSecond: number, elapsed: () => number): Admission {
  const limited = rateLimit(perSecond, elapsed)
  const requests = sharesOf(limits.requests)
  const bytes = sharesOf(limits.bytes)
  const bodies = incoming(bytes, slownessOf(limits, elapsed))

  return {
    async admit(ctx, by, isImport, answer) {
      tellTaker(ctx.req, by)
      const allowance = limited({ res: ctx.res, credential: by.credential, isImport })
      if (!requests.take(by, 1)) throw tooMany(limits.requests.credential)
      try {
        await bodies.hold(ctx.req, by, allowance.bytes, answer)
      } finally {
        requests.give(by, 1)
        allowance.items(toldOf(ctx).items ?? 0)
      }
    },
    turns: fairTurns(limits.atWork, elapsed),
    streams: streamsOf(limits.streams),
    imports: slots(limits.imports, limits.importsWaiting),
    bytes,
  }
}

function tooMany(most: number) {
  const detail = `This credential has ${most} requests under way, or its workspace or all callers have too many. Await some answers, then send it again.`
  return problem('rate_limited', detail, { headers: { 'Retry-After': '1' } })
}
