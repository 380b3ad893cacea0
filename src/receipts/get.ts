/** Reads one receipt. On request it waits until the receipt has ended (PROTOCOL 6, receipt.get). */
import { z } from 'zod'
import { defineQuery } from '../operation.ts'
import { problem } from '../problem.ts'
import { receipts, seenFields } from '../receipt.ts'
import { presentedFields, presentReceipt, type ReceiptResponse, receiptResponse, visibleTo } from './present.ts'

/** The longest wait, in seconds. */
export const longestWait = 30

export const getReceiptInput = z.strictObject({
  id: z.string().describe('The receipt_id.'),
  wait: z
    .number()
    .min(0)
    .max(longestWait)
    .default(0)
    .describe('Seconds to wait for its end. After that time, the answer is the receipt in its current state.'),
})

export const getReceipt = defineQuery<z.infer<typeof getReceiptInput>, ReceiptResponse>({
  name: 'receipt.get',
  scope: null,
  summary: 'The state of one write, and what it made.',
  input: getReceiptInput,
  output: receiptResponse,

  async run({ input, actor, reads }) {
    const id = input.id.toLowerCase()
    const receipt = await reads.documents.get(receipts, id, presentedFields, visibleTo(actor))
    if (!receipt) throw problem('not_found', 'There is no receipt with this id.')
    const awaited =
      input.wait > 0 && receipt.open === 1 ? await reads.documents.get(receipts, id, seenFields) : undefined
    const ended = awaited ? await reads.waitForEnd(awaited, input.wait * 1000) : receipt
    return presentReceipt(ended, actor, reads.publicUrl)
  },
})
