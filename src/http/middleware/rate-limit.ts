/** Requests a second for each credential, so that one runaway agent does not take the service from the others. */
import type { Context } from 'koa'
import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible'
import { problem } from '../../problem.ts'

const seconds = 1

/** `limit` 0: none. Throws rate_limited; sets RateLimit and RateLimit-Policy (draft-ietf-httpapi-ratelimit-headers). */
export function rateLimit(limit: number): (ctx: Context, credential: string) => Promise<void> {
  if (limit === 0) return async () => {}
  const limiter = new RateLimiterMemory({ points: limit, duration: seconds })
  const policy = `"credential";q=${limit};w=${seconds}`
  return async (ctx, credential) => {
    const { left, reset } = await taken(limiter, credential)
    ctx.set('RateLimit-Policy', policy)
    ctx.set('RateLimit', `"credential";r=${Math.max(0, left)};t=${reset}`)
    if (left >= 0) return
    throw problem('rate_limited', `This credential may make ${limit} requests a second. Try again in ${reset} s.`, {
      headers: { 'Retry-After': String(reset) },
    })
  }
}

/** Requests left, -1 when there was none; seconds until there are all again. */
async function taken(limiter: RateLimiterMemory, credential: string): Promise<{ left: number; reset: number }> {
  try {
    const { remainingPoints, msBeforeNext } = await limiter.consume(credential)
    return { left: remainingPoints, reset: Math.ceil(msBeforeNext / 1000) }
  } catch (refusal) {
    // the library refuses by rejecting with the state of the limit
    if (refusal instanceof Error) throw refusal
    return { left: -1, reset: Math.max(1, Math.ceil((refusal as RateLimiterRes).msBeforeNext / 1000)) }
  }
}
