/**
 * Limits the requests per second of each credential with a token bucket, so that one agent in a loop does not slow down
 * the others. A bucket can become negative, because the cost of a body is known only after it has arrived.
 */
import type { ServerResponse } from 'node:http'
import { problem } from '../../problem.ts'

/** Seconds. A caller that was silent for this long may send the requests of that time at once. */
const burst = 10
/** Bytes of a body that cost as much as one request. */
const bytesOfRequest = 16 * 1024
/**
 * Imports have a bucket of their own. In it, one request pays for this many decisions, or for the bytes of this
 * many requests. This is several times what one process can accept, so it stops only a flood of tiny batches.
 */
const itemsOfRequest = 100
/** The number of buckets that are kept. At this number, the full ones are deleted. */
const mostRemembered = 10_000

export interface Allowance {
  /** Charges a body that has arrived. */
  bytes(count: number): void
  /** Charges the decisions of an import. */
  items(count: number): void
}

export interface Limited {
  /** Gets the headers RateLimit and RateLimit-Policy. */
  res: Pick<ServerResponse, 'setHeader'>
  credential: string
  isImport: boolean
}

interface Bucket {
  /** Requests left. Negative if a request cost more than was left. */
  left: number
  /** ms: when `left` was computed. */
  at: number
}

const unlimited: Allowance = { bytes: () => {}, items: () => {} }

/**
 * `limit`: requests per second; 0 means no limit. `elapsed`: ms of a monotonic clock. The function that it returns charges
 * one request, and sets the headers of draft-ietf-httpapi-ratelimit-headers. It throws rate_limited if none is left.
 */
export function rateLimit(limit: number, elapsed: () => number): (request: Limited) => Allowance {
  if (limit === 0) return () => unlimited
  const most = limit * burst
  const buckets = new Map<string, Bucket>()

  function bucketOf(key: string): Bucket {
    const now = elapsed()
    let bucket = buckets.get(key)
    if (bucket === undefined) {
      if (buckets.size >= mostRemembered) forget(now)
      bucket = { left: most, at: now }
      buckets.set(key, bucket)
    }
    bucket.left = Math.min(most, bucket.left + ((now - bucket.at) / 1000) * limit)
    bucket.at = now
    return bucket
  }

  function forget(now: number): void {
    for (const [key, { left, at }] of buckets) {
      if (left + ((now - at) / 1000) * limit >= most) buckets.delete(key)
    }
  }

  return ({ res, credential, isImport }) => {
    const name = isImport ? 'imports' : 'requests'
    const bucket = bucketOf(`${name} ${credential}`)
    const setHeader = () => {
      const full = Math.ceil((most - bucket.left) / limit)
      res.setHeader('RateLimit', `"${name}";r=${Math.max(0, Math.floor(bucket.left))};t=${full}`)
    }
    res.setHeader('RateLimit-Policy', `"${name}";q=${most};w=${burst}`)
    if (bucket.left < 1) {
      setHeader()
      throw refused(limit, Math.ceil((1 - bucket.left) / limit))
    }
    const charge = (requests: number) => {
      bucket.left -= requests
      setHeader()
    }
    charge(1)
    const weight = isImport ? itemsOfRequest : 1
    // the request itself was charged above
    const more = (count: number, each: number) => count > each && charge(count / each - 1)
    return {
      bytes: (count) => more(count, bytesOfRequest * weight),
      items: (count) => more(count, itemsOfRequest),
    }
  }
}

function refused(limit: number, seconds: number) {
  const detail = `This credential may make ${limit} requests a second; a large body counts as several. Try again in ${seconds} s.`
  return problem('rate_limited', detail, { headers: { 'Retry-After': String(seconds) } })
}
