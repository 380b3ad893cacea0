/**
 * Reads the decisions of a batch. Each is parsed only when it is needed, so a batch never blocks the thread for long, and
 * never has all its decisions in memory.
 */
import type { Context } from 'koa'
import { z } from 'zod'
import { type ImportItem, mostDecisions } from '../../decisions/import.ts'
import { inTurns } from '../../ports/in-turns.ts'
import { invalid, problem } from '../../problem.ts'
import { validated } from '../../validation/validated.ts'
import { batchBytes, envelopeBody, sizeOf, writeBody } from '../base/body-bounds.ts'
import { isBlank, type JsonOutline, jsonOutline, lineOutline, type Part } from './batch-outline.ts'
import { mediaTypeOf, readBytes } from './body.ts'
import { takeKey } from './idempotency.ts'
import { type Place, parseJson, parseJsonLine, parseSyntax } from './json.ts'

const json = 'application/json'
const lines = 'application/x-ndjson'
type BatchType = typeof json | typeof lines

/** Throws unsupported_media_type. */
export function batchType(ctx: Context): BatchType {
  return mediaTypeOf(ctx, [json, lines]) === json ? json : lines
}

export interface Batch {
  key: string
  items: BatchItem[]
}

export interface BatchItem extends ImportItem {
  /** Of NDJSON: the number of its line in the body. */
  line?: number
}

/**
 * Reads the whole body and throws what readBytes throws. The returned function parses it, and throws invalid_request or
 * malformed_json before any item is read.
 */
export async function readBatch(ctx: Context, type: BatchType): Promise<() => Promise<Batch>> {
  const bounds = { bytes: batchBytes, tokens: mostDecisions * writeBody.tokens }
  if (type === json) {
    const outline = jsonOutline()
    const bytes = await readBytes(ctx, bounds, outline.take)
    return () => inJson(ctx, bytes, outline)
  }
  const outline = lineOutline()
  const bytes = await readBytes(ctx, bounds, outline.take)
  outline.end()
  const items = outline.items.map(({ from, to, refusal, line = 1 }) => ({
    ...itemOf(bytes.subarray(from, to), refusal, (text) => parseJsonLine(text, line)),
    line,
  }))
  return async () => ({ key: (await takeKey(ctx.req, undefined)).key, items })
}

const envelope = z.strictObject({ decisions: z.array(z.unknown()) })

async function inJson(ctx: Context, bytes: Buffer, { lists, items }: JsonOutline): Promise<Batch> {
  const { key, input } = await takeKey(ctx.req, parseEnvelope(bytes, lists))
  validated(envelope, input)
  if (lists.length > 1) throw invalid('decisions', 'is given twice: send it once')
  // an empty list has nothing or spaces between its brackets
  const [first, second] = items
  if (first && !second && !first.refusal && isBlank(bytes.subarray(first.from, first.to))) return { key, items: [] }
  const turn = inTurns()
  // a body that is not JSON is refused as a whole, before any of its decisions is accepted
  for (const { from, to, refusal } of items) {
    await turn()
    if (!refusal) parseSyntax(bytes.subarray(from, to), { body: bytes, inBody: (at) => from + at })
  }
  return { key, items: items.map(({ from, to, refusal }) => itemOf(bytes.subarray(from, to), refusal, parseJson)) }
}

/** The body without the items of its lists. */
function parseEnvelope(bytes: Buffer, lists: readonly Part[]): unknown {
  const parts: Buffer[] = []
  let from = 0
  for (const list of lists) {
    parts.push(bytes.subarray(from, list.from))
    from = list.to
  }
  const rest = Buffer.concat([...parts, bytes.subarray(from)])
  if (rest.length > envelopeBody.bytes) {
    throw problem('payload_too_large', `Beside its decisions a batch may have ${sizeOf(envelopeBody.bytes)} at most.`, {
      details: { limit_bytes: envelopeBody.bytes },
    })
  }
  const place: Place = {
    body: bytes,
    inBody(at) {
      let here = at
      for (const list of lists) if (here >= list.from) here += list.to - list.from
      return here
    },
  }
  return parseJson(rest, place)
}

function itemOf(bytes: Buffer, refusal: Error | undefined, parse: (bytes: Buffer) => unknown): ImportItem {
  return {
    bytes: bytes.length,
    read() {
      if (refusal) throw refusal
      return parse(bytes)
    },
  }
}
