/** Compresses large answers for clients that accept gzip, in the thread pool and within bounds. */
import { promisify } from 'node:util'
import { constants, gzip } from 'node:zlib'
import type { Context, Next } from 'koa'
import { type Shares, takerOf } from '../admission/shares.ts'

/** Bytes. TCP sends this many in the first round trip, so compressing a smaller answer saves no time. */
const least = 14 * 1024
/** Bytes. Compressing this many takes a thread of the pool about 80 ms. */
const most = 8 * 1024 * 1024
/** Answers that are compressed at one time. The pool has four threads, and files and DNS need some. */
const atOnce = 2

const compressed = promisify(gzip)
const compressible = /^(?:application\/(?:[\w.-]+\+)?json|text\/|application\/javascript)/

/**
 * Sends the answer uncompressed if too many answers are being compressed, or if a copy would exceed the caller's limit of
 * `bytes`. The answer with a new key is far smaller than `least`, so no compressed length depends on a secret.
 */
export function compress(bytes: Shares) {
  let running = 0
  return async (ctx: Context, next: Next): Promise<void> => {
    await next()
    if (ctx.method === 'HEAD' || ctx.status === 204 || ctx.status === 304) return
    if (!compressible.test(ctx.type) || ctx.res.hasHeader('Content-Encoding')) return
    const text = textOf(ctx.body)
    if (text === undefined) return
    // Koa would serialise an object again
    if (typeof ctx.body !== 'string') ctx.body = text
    if (text.length < least) return
    ctx.vary('Accept-Encoding')
    if (ctx.acceptsEncodings('gzip', 'identity') !== 'gzip') return
    const by = takerOf(ctx.req)
    const size = Buffer.byteLength(text)
    if (size > most || running >= atOnce || !bytes.take(by, size)) return
    running += 1
    try {
      ctx.body = await compressed(text, { level: constants.Z_BEST_SPEED })
      ctx.set('Content-Encoding', 'gzip')
      weaken(ctx)
    } finally {
      running -= 1
      bytes.give(by, size)
    }
  }
}

function textOf(body: unknown): string | undefined {
  if (typeof body === 'string') return body
  const isJson = body !== null && typeof body === 'object' && !Buffer.isBuffer(body)
  return isJson ? JSON.stringify(body) : undefined
}

/** The strong ETag is that of the uncompressed bytes (RFC 9110, 8.8.3.3). */
function weaken(ctx: Context): void {
  const etag = ctx.res.getHeader('ETag')
  if (typeof etag === 'string' && etag.startsWith('"')) ctx.set('ETag', `W/${etag}`)
}
