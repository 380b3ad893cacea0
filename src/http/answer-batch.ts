/** POST /v1/decisions/batch: many decisions in one body, as JSON or a line each (SEMANTICS 7, decision.import). */
import type { Context } from 'koa'
import { z } from 'zod'
import type { Actor } from '../access/actor.ts'
import { importBatch, mostDecisions } from '../decisions/import.ts'
import { invalid } from '../problem.ts'
import { presentReceipt, receiptResponse } from '../receipts/present.ts'
import { batchType, readBatch } from './middleware/batch.ts'
import { refuseQuery } from './middleware/query-string.ts'
import type { Slots } from './middleware/slots.ts'
import { toldOf } from './middleware/trace.ts'
import { asProblem, problemBody, problemResponse } from './problem.ts'
import type { BatchRoute } from './route.ts'
import type { Served } from './served.ts'

export const batchResponse = z.strictObject({
  batch_id: z.uuid().describe('The same for the same key; lists and counts the receipts at GET /v1/receipts.'),
  receipts: z.array(z.strictObject({ index: z.int().min(0), external_id: z.string(), receipt: receiptResponse })),
  refused: z.array(
    z.strictObject({ index: z.int().min(0), external_id: z.string().nullable(), problem: problemResponse }),
  ),
})

export function answerBatch(_: BatchRoute, served: Served, imports: Slots) {
  return async (ctx: Context, actor: Actor): Promise<void> => {
    refuseQuery(ctx.querystring)
    const type = batchType(ctx)
    const parse = await readBatch(ctx, type)
    // read before it takes a slot: a caller that sends slowly must not keep others waiting
    await imports.run(actor, async () => {
      const { key, items } = await parse()
      if (items.length === 0) throw invalid('decisions', `is empty: send 1 to ${mostDecisions}`)
      const told = toldOf(ctx)
      told.items = items.length
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
