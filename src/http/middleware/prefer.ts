/** `Prefer: wait=N` (RFC 7240) delays the answer until the write has ended, N seconds at most. */
import type { Context } from 'koa'
import { longestWait } from '../../receipts/get.ts'

/** Seconds to wait, 0 without the preference. Unknown preferences are ignored. A longer wait is cut to 30 s. */
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
