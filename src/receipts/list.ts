/** The caller's own receipts, newest first (SEMANTICS 7, receipt.list). */
import { z } from 'zod'
import type { Actor } from '../access/actor.ts'
import { defineQuery, type Reads } from '../operation.ts'
import type { Where } from '../ports/documents.ts'
import { invalid } from '../problem.ts'
import { type Receipt, type ReceiptSeen, type ReceiptState, receiptStates, receipts, seenFields } from '../receipt.ts'
import { presentReceipt, receiptResponse } from './present.ts'

export const listReceiptsInput = z.strictObject({
  state: z.enum(receiptStates).optional().describe('Only receipts in this state.'),
  operation: z.string().min(1).max(100).optional().describe('Such as context.remember.'),
  batch_id: z.uuid().optional().describe('Only those of one import; the answer then counts them by state.'),
  limit: z.int().min(1).max(200).default(50).describe('Receipts of one page, at most.'),
  cursor: z.string().min(1).max(4096).optional().describe('next_cursor of the page before, with the same filters.'),
})
type ListReceiptsInput = z.infer<typeof listReceiptsInput>

const count = z.int().min(0)

export const listReceiptsOutput = z.strictObject({
  items: z.array(receiptResponse),
  next_cursor: z.string().min(1).max(4096).optional(),
  counts: z
    .strictObject({
      accepted: count,
      processing: count,
      applied: count,
      failed: count,
      rejected: count,
      expired: count,
    })
    .optional()
    .describe('With batch_id: how many of its receipts are in each state.'),
})
export type ListReceiptsOutput = z.infer<typeof listReceiptsOutput>

/**
 * The most rows read for one page. With a filter by state or operation, a page may be short and still have a cursor.
 */
const mostExamined = 2_000
/** The most receipts counted for one batch. */
const mostCounted = 10_000

export const listReceipts = defineQuery<ListReceiptsInput, ListReceiptsOutput>({
  name: 'receipt.list',
  scope: null,
  summary: 'Your own receipts, newest first.',
  input: listReceiptsInput,
  output: listReceiptsOutput,

  async run({ input, actor, reads }) {
    const before = positionOf(input, actor, reads)
    const where = { ...indexed(input, actor), ...(before === undefined ? {} : { id: { lt: before } }) }
    const narrowed = input.state !== undefined || input.operation !== undefined
    const examined = narrowed ? mostExamined : input.limit + 1
    const rows = await reads.documents.find(receipts, {
      where,
      sort: [['id', 'desc']],
      limit: examined,
      fields: seenFields,
    })
    const matching = rows.filter((row) => isWanted(row, input))
    const page = matching.slice(0, input.limit)
    const last = matching.length > input.limit ? page.at(-1) : rows.length === examined ? rows.at(-1) : undefined
    return {
      items: page.map((row) => presentReceipt(row, actor, reads.publicUrl)),
      ...(last ? { next_cursor: reads.cursors.seal('receipts', { ...bound(input, actor), before: last.id }) } : {}),
      ...(input.batch_id === undefined ? {} : { counts: await countsOf(reads, actor, input.batch_id) }),
    }
  },
})

/** The conditions that an index serves: only rows of the caller. isWanted applies the others. */
function indexed({ batch_id }: Pick<ListReceiptsInput, 'batch_id'>, { workspace, user }: Actor): Where<Receipt> {
  return { workspace, owner: user, ...(batch_id === undefined ? {} : { batch_id: batch_id.toLowerCase() }) }
}

function isWanted(row: ReceiptSeen, { state, operation }: ListReceiptsInput): boolean {
  return (state === undefined || row.state === state) && (operation === undefined || row.operation === operation)
}

/** Binds a cursor to its list: it is refused with other filters or by another caller. */
function bound({ state, operation, batch_id }: ListReceiptsInput, actor: Actor) {
  return {
    workspace: actor.workspace,
    owner: actor.user,
    list: [state ?? '', operation ?? '', batch_id ?? ''].join('\n'),
  }
}

function positionOf(input: ListReceiptsInput, actor: Actor, reads: Reads): string | undefined {
  if (input.cursor === undefined) return undefined
  const opened = reads.cursors.open('receipts', input.cursor) as
    | (ReturnType<typeof bound> & { before: string })
    | undefined
  const { workspace, owner, list } = bound(input, actor)
  if (opened?.workspace !== workspace || opened.owner !== owner || opened.list !== list) {
    throw invalid(
      'cursor',
      'is not one of this list: send next_cursor unchanged with the same filters, or leave it out',
    )
  }
  return opened.before
}

async function countsOf(reads: Reads, actor: Actor, batch_id: string): Promise<Record<ReceiptState, number>> {
  const rows = await reads.documents.find(receipts, {
    where: indexed({ batch_id }, actor),
    limit: mostCounted,
    fields: ['state'],
  })
  const counts = Object.fromEntries(receiptStates.map((state) => [state, 0])) as Record<ReceiptState, number>
  for (const row of rows) counts[row.state] += 1
  return counts
}
