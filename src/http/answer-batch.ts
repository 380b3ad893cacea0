/** POST /v1/decisions/batch: many decisions in one body, as JSON or a line each (SEMANTICS 7, decision.import). */
import type { Context } from 'koa'
import { z } from 'zod'
import type { Actor } from '../access/actor.ts'
import { type ImportItem, importBatch, mostDecisions } from '../decisions/import.ts'
import { invalid, problem } from '../problem.ts'
import { presentReceipt, receiptShown } from '../receipts/present.ts'
import { validated } from '../records/validated.ts'
import { batchLimit, bodyLimit, mediaTypeOf, readBytes } from './middleware/body.ts'
import { takeKey } from './middleware/idempotency.ts'
import { parseJson, parseSyntax, refuseHalves } from './middleware/json.ts'
import { refuseQuery } from './middleware/query-string.ts'
import type { Slots } from './middleware/slots.ts'
import { toldOf } from './middleware/trace.ts'
import { asProblem, problemBody, problemShown } from './problem.ts'
import type { BatchRoute } from './route.ts'
import type { Served } from './served.ts'

export const batchShown = z.strictObject({
  batch_id: z.uuid().describe('The same for the same key; lists and counts the receipts at GET /v1/receipts.'),
  receipts: z.array(z.strictObject({ index: z.int().min(0), external_id: z.string(), receipt: receiptShown })),
  refused: z.array(
    z.strictObject({ index: z.int().min(0), external_id: z.string().nullable(), problem: problemShown }),
  ),
})

const json = 'application/json'
const lines = 'application/x-ndjson'

export function answerBatch(_: BatchRoute, served: Served, imports: Slots) {
  return async (ctx: Context, actor: Actor): Promise<void> => {
    refuseQuery(ctx.querystring)
    const type = mediaTypeOf(ctx, [json, lines])
    await imports.run(async () => {
      const bytes = await readBytes(ctx, batchLimit)
      const { key, items } = type === json ? await inJson(ctx, bytes) : await inLines(ctx, bytes)
      if (items.length === 0) throw invalid('decisions', `is empty: send 1 to ${mostDecisions}`)
      if (items.length > mostDecisions) {
        throw invalid(
          'decisions',
          `has more than ${mostDecisions} items: send the others after them, under another key`,
        )
      }
      const told = toldOf(ctx)
      const acceptMany: Served['acceptMany'] = (calls) =>
        served.acceptMany(calls.map((call) => ({ ...call, trace: told.trace })))
      const { batch_id, accepted, refused } = await importBatch(acceptMany, actor, key, items)
      told.batch = batch_id
      ctx.status = 202
      ctx.set('Location', `${served.publicUrl}/v1/receipts?batch_id=${batch_id}`)
      ctx.body = {
        batch_id,
        receipts: accepted.map(({ receipt, ...item }) => ({
          ...item,
          receipt: presentReceipt(receipt, actor, served.publicUrl),
        })),
        refused: refused.map(({ error, ...item }) => ({
          ...item,
          problem: problemBody(asProblem(error), served.publicUrl),
        })),
      }
    })
  }
}

interface Batch {
  key: string
  items: ImportItem[]
}

const envelope = z.strictObject({ decisions: z.array(z.unknown()) })

async function inJson(ctx: Context, bytes: Buffer): Promise<Batch> {
  const { key, input } = await takeKey(ctx.req, parseSyntax(bytes))
  const { decisions } = validated(envelope, input)
  // beyond the bound they are only counted
  return {
    key,
    items: decisions.slice(0, mostDecisions + 1).map((input) => itemOf(() => withinBounds(input, bytes.length))),
  }
}

async function inLines(ctx: Context, bytes: Buffer): Promise<Batch> {
  const { key } = await takeKey(ctx.req, undefined)
  const items: ImportItem[] = []
  for (let at = 0; at < bytes.length && items.length <= mostDecisions; ) {
    const end = bytes.indexOf(0x0a, at)
    const line = bytes.subarray(at, end < 0 ? bytes.length : end)
    at = end < 0 ? bytes.length : end + 1
    if (!isBlank(line)) {
      items.push(
        itemOf(() => {
          if (line.length > bodyLimit) throw itemTooLarge()
          return parseJson(line)
        }),
      )
    }
  }
  return { key, items }
}

/** A bad item never stops the others. */
function itemOf(read: () => unknown): ImportItem {
  try {
    return { input: read() }
  } catch (error) {
    return { error: error as Error }
  }
}

/** What a single decision's body would be refused for. */
function withinBounds(input: unknown, bodyLength: number): unknown {
  refuseHalves(input)
  if (bodyLength > bodyLimit && Buffer.byteLength(JSON.stringify(input)) > bodyLimit) throw itemTooLarge()
  return input
}

function itemTooLarge() {
  return problem('payload_too_large', 'One decision may have 8 MiB at most.', { details: { limit_bytes: bodyLimit } })
}

function isBlank(line: Buffer): boolean {
  return line.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d)
}
