/** The idempotency key of a write: in the header, in the body, or the same in both (specification 4). */
import type { IncomingMessage } from 'node:http'
import { invalid } from '../../problem.ts'
import { refuseSecret } from '../../receipts/secrets/refuse.ts'
import { codePoints, idempotencyKeyBounds } from '../../records/schema.ts'

const { least: shortest, most: longest } = idempotencyKeyBounds
const header = 'Idempotency-Key'
/** `true`: the write is answered from the receipt of an earlier call with the same key and input. */
export const replayedHeader = 'Idempotent-Replayed'
const field = 'idempotency_key'

/**
 * Returns the key, and the input without it. Throws invalid_request if the key is missing, out of bounds or a
 * credential, or if header and body differ.
 */
export async function takeKey(req: IncomingMessage, body: unknown): Promise<{ key: string; input: unknown }> {
  const inHeader = keyInHeader(req)
  const { inBody, input } = takeFromBody(body)
  if (inHeader !== undefined && inBody !== undefined && inHeader !== inBody) {
    throw invalid(field, `differs from the header ${header}: send it once, or the same twice`)
  }
  const key = inHeader ?? inBody
  if (key === undefined)
    throw invalid(
      header,
      `is required on writes: send ${shortest} to ${longest} characters that are new for each write`,
    )
  await refuseSecret(inHeader === undefined ? field : header, key)
  return { key, input }
}

function keyInHeader(req: IncomingMessage): string | undefined {
  // headers.ts has refused a repeated one
  const [value] = req.headersDistinct[header.toLowerCase()] ?? []
  return value === undefined ? undefined : bounded(header, utf8Of(value))
}

function takeFromBody(body: unknown): { inBody: string | undefined; input: unknown } {
  if (body === null || typeof body !== 'object' || Array.isArray(body) || !Object.hasOwn(body, field)) {
    return { inBody: undefined, input: body }
  }
  const { [field]: key, ...input } = body as Record<string, unknown>
  if (typeof key !== 'string') throw invalid(field, `must be a string of ${shortest} to ${longest} characters`)
  return { inBody: bounded(field, key), input }
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
