/**
 * Limits the requests a second of each credential, so that one runaway agent does not take the service from the others.
 * The token bucket can be overdrawn, because the cost of a body is known only when it has arrived.
 */
import type { ServerResponse } from 'node:http'
import { problem } from '../../problem.ts'

/** Seconds. Unused requests of so much time can be made later at once. */
const burst = 10
/** A body counts as one request for each block of so many bytes that it begins. */
const bytesOfRequest = 16 * 1024
/**
 * Imports have an allowance of their own, in which so many decisions, or the bytes of so many requests, count as one
 * request. It is several times what one process accepts, so that it stops only a flood of tiny batches.
 */
const itemsOfRequest = 100
/** Credentials that are remembered. Those that have their whole allowance are forgotten. */
const mostRemembered = 10_000

export interface Allowance {
  /** The body has arrived. */
  bytes(count: number): void
  /** An import has so many decisions. */
  items(count: number): void
}

export interface Limited {
  /** Is told what is left. */
  res: Pick<ServerResponse, 'setHeader'>
  credential: string
  isImport: boolean
}

interface Bucket {
  /** Requests left; below 0 after a request that cost more than was left. */
  left: number
  /** ms, when that was so. */
  at: number
}

const unlimited: Allowance = { bytes: () => {}, items: () => {} }

/**
 * `limit`: requests a second, 0 for none; `elapsed`: ms of a clock that never goes back. Counts one request; throws
 * rate_limited; sets RateLimit and RateLimit-Policy (draft-ietf-httpapi-ratelimit-headers).
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
    const tell = () => {
      const full = Math.ceil((most - bucket.left) / limit)
      res.setHeader('RateLimit', `"${name}";r=${Math.max(0, Math.floor(bucket.left))};t=${full}`)
    }
    res.setHeader('RateLimit-Policy', `"${name}";q=${most};w=${burst}`)
    if (bucket.left < 1) {
      tell()
      throw refused(limit, Math.ceil((1 - bucket.left) / limit))
    }
    const charge = (requests: number) => {
      bucket.left -= requests
      tell()
    }
    charge(1)
    const weight = isImport ? itemsOfRequest : 1
    // the request itself is counted already
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
