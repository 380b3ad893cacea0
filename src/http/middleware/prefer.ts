/** `Prefer: wait=N` (RFC 7240): hold the answer back until the write has ended, N seconds at most. */
import type { Context } from 'koa'
import { longestWait } from '../../receipts/get.ts'

/** Seconds, 0 without the preference. A preference that is not understood is ignored, one that is too long is cut. */
export function preferredWait(ctx: Context): number {
  for (const preference of ctx.get('Prefer').split(',')) {
    const seconds = /^\s*wait\s*=\s*"?(\d{1,9})"?\s*(?:;.*)?$/i.exec(preference)?.[1]
    if (seconds === undefined) continue
    const wait = Math.min(Number(seconds), longestWait)
    ctx.set('Preference-Applied', `wait=${wait}`)
    return wait
  }
  return 0
}
