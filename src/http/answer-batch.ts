/** POST /v1/decisions/batch: many decisions in one body, as JSON or NDJSON (SEMANTICS 7, decision.import). */
import type { Context } from 'koa'
import type { z } from 'zod'
import type { Actor } from '../access/actor.ts'
import { type Imported, importBatch, mostDecisions } from '../decisions/import.ts'
import { invalid, type Problem, type ProblemCode, problem } from '../problem.ts'
import { presentReceipt } from '../receipts/present.ts'
import type { Slots } from './admission/slots.ts'
import type { Api } from './base/api.ts'
import type { batchResponse } from './base/batch-response.ts'
import { asProblem, problemBody } from './base/problem.ts'
import type { BatchRoute } from './base/route.ts'
import { toldOf } from './base/trace.ts'
import { type BatchItem, batchType, readBatch } from './body/batch.ts'
import { replayedHeader } from './body/idempotency.ts'
import { refuseQuery } from './middleware/query-string.ts'

type Refused = z.infer<typeof batchResponse>['refused']

export function answerBatch(_: BatchRoute, api: Api, imports: Slots) {
  return async (ctx: Context, actor: Actor): Promise<void> => {
    refuseQuery(ctx.querystring)
    const type = batchType(ctx)
    const parse = await readBatch(ctx, type)
    // reads the body before it takes a slot, so that a slow sender does not delay others
    await imports.run(actor, async () => {
      const { key, items } = await parse()
      if (items.length === 0) throw invalid('decisions', `is empty: send 1 to ${mostDecisions}`)
      const told = toldOf(ctx)
      told.items = items.length
      const acceptMany: Api['acceptMany'] = (calls) =>
        api.acceptMany(calls.map((call) => ({ ...call, trace: told.trace })))
      const { batch_id, accepted, refused } = await importBatch(acceptMany, actor, key, items)
      told.batch = batch_id
      if (accepted.length === 0) throw allRefused(batch_id, refused, shownRefusals(refused, items, api.publicUrl))
      ctx.status = 202
      ctx.set('Location', `${api.publicUrl}/v1/receipts?batch_id=${batch_id}`)
      if (accepted.every(({ receipt }) => receipt.replayed)) ctx.set(replayedHeader, 'true')
      ctx.body = {
        batch_id,
        receipts: accepted.map(({ receipt, ...item }) => ({
          ...item,
          receipt: presentReceipt(receipt, actor, api.publicUrl),
        })),
        refused: shownRefusals(refused, items, api.publicUrl),
      }
    })
  }
}

function shownRefusals(refused: Imported['refused'], items: readonly BatchItem[], publicUrl: string): Refused {
  return refused.map(({ error, index, external_id }) => {
    const line = items[index]?.line
    return {
      index,
      external_id,
      ...(line === undefined ? {} : { line }),
      problem: problemBody(asProblem(error), publicUrl),
    }
  })
}

/** 202 would promise that something will be applied. If all refusals have the same code, the answer has it too. */
function allRefused(batch_id: string, errors: Imported['refused'], refused: Refused): Problem {
  const codes = new Set<ProblemCode>(refused.map((one) => one.problem.code))
  const [only = 'invalid_request'] = codes
  const code = codes.size === 1 ? only : 'invalid_request'
  const detail = `All ${refused.length} decisions were refused, each for the reason in details.refused. The first: ${refused[0]?.problem.detail}`
  return problem(code, detail, { details: { batch_id, refused }, cause: errors[0]?.error })
}
