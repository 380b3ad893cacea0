/** The answer to a batch: the receipts of the accepted items, and the problems of the refused ones. */
import { z } from 'zod'
import { receiptResponse } from '../../receipts/present.ts'
import { problemResponse } from './problem.ts'

const index = z.int().min(0).describe('The place of the decision in the batch, from 0.')

export const batchResponse = z.strictObject({
  batch_id: z.uuid().describe('The same for the same key; lists and counts the receipts at GET /v1/receipts.'),
  receipts: z
    .array(z.strictObject({ index, external_id: z.string(), receipt: receiptResponse }))
    .describe('The decisions that were accepted.'),
  refused: z
    .array(
      z.strictObject({
        index,
        external_id: z.string().nullable().describe('null: the decision has none that could be read.'),
        line: z.int().min(1).optional().describe('The number of its line in the body. Only of NDJSON.'),
        problem: problemResponse,
      }),
    )
    .describe('The decisions that were not accepted. Nothing of them was stored.'),
})
