/** The headers of a write: `Idempotency-Key` (or its field in the body), and `Prefer: wait=N` (RFC 7240). */

import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Context } from 'koa'
import { invalid } from '../../problem.ts'
import { longestWait } from '../../receipts/get.ts'
import { refuseSecret } from '../../secrets/find.ts'
import { codePoints, idempotencyKeyBounds } from '../../validation/schema.ts'

const { least: shortest, most: longest } = idempotencyKeyBounds
const header = 'Idempotency-Key'
/** `true`: the write is answered from the receipt of an earlier call with the same key and input. */
export const replayedHeader = 'Idempotent-Replayed'
const field = 'idempotency_key'

/**
 * Returns the key, and the input without it. An optional key that is left out is made here: no other call has it. Throws
 * invalid_request if a required key is missing, if the key is out of bounds or a credential, or if header and body
 * differ.
 */
export async function takeKey(
  req: IncomingMessage,
  body: unknown,
  isOptional = false,
): Promise<{ key: string; input: unknown }> {
  const inHeader = keyInHeader(req)
  const { key: inBody, input } = keyInBody(body)
  if (inHeader !== undefined && inBody !== undefined && inHeader !== inBody) {
    throw invalid(field, `differs from the header ${header}: send it once, or the same twice`)
  }
  const key = inHeader ?? inBody
  if (key === undefined) {
    if (isOptional) return { key: newKey(), input }
    throw invalid(
      header,
      `is required on writes: send ${shortest} to ${longest} characters that are new for each write`,
    )
  }
  await refuseSecret(inHeader === undefined ? field : header, key)
  return { key, input }
}

/** A key that no other call has. */
export function newKey(): string {
  return `none-${randomUUID()}`
}

function keyInHeader(req: IncomingMessage): string | undefined {
  // headers.ts has refused a repeated one
  const [value] = req.headersDistinct[header.toLowerCase()] ?? []
  return value === undefined ? undefined : bounded(header, utf8Of(value))
}

/** The key in the input itself, and the input without it. Throws invalid_request if the key is out of bounds. */
export function keyInBody(body: unknown): { key: string | undefined; input: unknown } {
  if (body === null || typeof body !== 'object' || Array.isArray(body) || !Object.hasOwn(body, field)) {
    return { key: undefined, input: body }
  }
  const { [field]: key, ...input } = body as Record<string, unknown>
  if (typeof key !== 'string') throw invalid(field, `must be a string of ${shortest} to ${longest} characters`)
  return { key: bounded(field, key), input }
}

function bounded(place: string, key: string): string {
  const length = codePoints(key)
  if (length >= shortest && length <= longest) return key
  throw invalid(place, `must have ${shortest} to ${longest} characters, this has ${length}`)
}

/** Node reads headers as Latin-1; what was sent as UTF-8 must equal the same key in a body. */
function utf8Of(value: string): string {
  const bytes = Buffer.from(value, 'latin1')
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return value
  }
}

/** Seconds to wait; `otherwise` without the preference. Unknown preferences are ignored. A longer wait is cut to 30 s. */
export function preferredWait(ctx: Context, otherwise: number): number {
  for (const preference of ctx.get('Prefer').split(',')) {
    const seconds = /^\s*wait\s*=\s*"?(\d{1,9})"?\s*(?:;.*)?$/i.exec(preference)?.[1]
    if (seconds === undefined) continue
    const wait = Math.min(Number(seconds), longestWait)
    ctx.set('Preference-Applied', `wait=${wait}`)
    return wait
  }
  return otherwise
}
