/** Reads bodies: refuses unknown media types and encodings, and keeps no byte beyond the limit. */
import type { IncomingMessage } from 'node:http'
import type { Context } from 'koa'
import { problem } from '../../problem.ts'
import { arriving } from '../admission/incoming.ts'
import { isStranger } from '../admission/shares.ts'
import { type BodyBounds, sizeOf } from '../base/body-bounds.ts'
import { parseJson } from './json.ts'
import { tokenCounter } from './token-count.ts'

const MiB = 1024 * 1024

/**
 * Bytes and ms: how much of a refused body is read and discarded. Then its sender can read the answer and use the
 * connection again.
 */
const discarding = { most: 16 * MiB, longest: 10_000 }
/** The same for callers without a valid credential. */
const discardingStrangers = { most: MiB, longest: 2_000 }

/** Throws unsupported_media_type, payload_too_large, malformed_json, invalid_request. */
export async function readJson(ctx: Context, bounds: BodyBounds): Promise<unknown> {
  mediaTypeOf(ctx, ['application/json'])
  return parseJson(await readBytes(ctx, bounds))
}

/** The media type of the body, one of `accepted`. `application/json` includes every `…+json`. */
export function mediaTypeOf(ctx: Context, accepted: readonly string[]): string {
  const encoding = ctx.req.headers['content-encoding']?.trim().toLowerCase()
  if (encoding !== undefined && encoding !== '' && encoding !== 'identity') {
    throw problem('unsupported_media_type', 'Compressed bodies are not supported: leave Content-Encoding out.', {
      headers: { 'Accept-Encoding': 'identity' },
    })
  }
  if (!hasBody(ctx.req)) throw problem('malformed_json', 'The body is empty. Send one JSON value.')
  const [given = '', ...parameters] = (ctx.req.headers['content-type'] ?? '').toLowerCase().split(';')
  const type = /^application\/[\w.-]+\+json$/.test(given.trim()) ? 'application/json' : given.trim()
  const charset = parameters
    .map((one) => /^\s*charset\s*=\s*"?([^"\s]+)/.exec(one)?.[1])
    .find((one) => one !== undefined)
  if (!accepted.includes(type) || (charset !== undefined && charset !== 'utf-8' && charset !== 'utf8')) {
    throw problem('unsupported_media_type', `Send Content-Type: ${accepted.join(' or ')}, encoded in UTF-8.`, {
      headers: { Accept: accepted.join(', ') },
    })
  }
  return type
}

/**
 * `look` sees each piece as it arrives, and throws to refuse the body; by default it counts tokens.
 * Throws payload_too_large as soon as it is known.
 */
export async function readBytes(
  ctx: Context,
  { bytes: limit, tokens }: BodyBounds,
  look: (chunk: Uint8Array) => void = tokenCounter(tokens),
): Promise<Buffer> {
  const { req, res } = ctx
  // a client that has left sends nothing more, not even the end of its body
  if (req.destroyed) throw bodyCut()
  if (Number(req.headers['content-length'] ?? 0) > limit) throw tooLarge(limit)
  const body = arriving(req)
  // the client waits for permission to send the body (server.ts turns off Node's own answer)
  if (req.headers.expect !== undefined) res.writeContinue()
  let length = 0
  await new Promise<void>((resolve, reject) => {
    const take = (chunk: Buffer) => {
      length += chunk.length
      try {
        if (length > limit) throw tooLarge(limit)
        look(chunk)
        body.take(chunk)
      } catch (refusal) {
        fail(refusal)
      }
    }
    const end = () => settle(resolve)
    const cut = () => fail(bodyCut())
    const fail = (error: unknown) => settle(() => reject(error))
    const unwatch = body.watch(fail)
    const settle = (then: () => void) => {
      unwatch()
      req.pause().off('data', take).off('end', end).off('error', cut).off('close', cut)
      then()
    }
    req.on('data', take).on('end', end).on('error', cut).on('close', cut)
  })
  return body.whole()
}

/** Reads the rest of a refused request within bounds, then closes the connection. */
export function discardBody(req: IncomingMessage): void {
  if (req.complete || !hasBody(req)) return
  const { most, longest } = isStranger(req) ? discardingStrangers : discarding
  const timer = setTimeout(() => req.socket.destroy(), longest)
  let left = most
  req.on('data', (chunk: Buffer) => {
    left -= chunk.length
    // the sender still has time to read the answer
    if (left < 0) req.pause()
  })
  req.on('error', () => {})
  req.once('close', () => clearTimeout(timer))
  req.once('end', () => clearTimeout(timer))
  req.resume()
}

export function hasBody(req: IncomingMessage): boolean {
  return req.headers['transfer-encoding'] !== undefined || Number(req.headers['content-length'] ?? 0) > 0
}

function bodyCut() {
  return problem('invalid_request', 'The body ended before it was whole.')
}

function tooLarge(limit: number) {
  return problem('payload_too_large', `The body may have ${sizeOf(limit)} at most. Send less at once.`, {
    details: { limit_bytes: limit },
  })
}
