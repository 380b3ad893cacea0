/** Reads receipts: pages of the list, counts of a batch, one by id. Formats one as a line. */
import type { ReceiptResponse } from '../../receipts/present.ts'
import { inLine } from '../terminal/terminal.ts'
import type { Client } from './client.ts'

export type { ReceiptResponse }
export type State = ReceiptResponse['state']
export type Counts = Record<State, number>

export interface ReceiptPage {
  items: ReceiptResponse[]
  next_cursor?: string
  counts?: Counts
}

export const openStates: readonly State[] = ['accepted', 'processing']
/** The write has ended, and nothing was recorded. */
export const refusedStates: readonly State[] = ['failed', 'rejected', 'expired']

export const isOpen = ({ state }: Pick<ReceiptResponse, 'state'>): boolean => openStates.includes(state)
export const isRefused = ({ state }: Pick<ReceiptResponse, 'state'>): boolean => refusedStates.includes(state)

type Filters = Partial<Record<'state' | 'operation' | 'batch_id' | 'limit' | 'cursor', string>>

export function receiptPage(client: Client, filters: Filters): Promise<ReceiptPage> {
  return client.call({ method: 'GET', path: `/v1/receipts?${new URLSearchParams(filters)}` })
}

/** The receipts that match the filters, newest first, at most `most`. */
export async function receiptsOf(client: Client, filters: Filters, most: number): Promise<ReceiptResponse[]> {
  const found: ReceiptResponse[] = []
  let cursor: string | undefined
  do {
    const page = await receiptPage(client, { ...filters, limit: '200', ...(cursor === undefined ? {} : { cursor }) })
    found.push(...page.items)
    cursor = page.next_cursor
  } while (cursor !== undefined && found.length < most)
  return found.slice(0, most)
}

export async function countsOf(client: Client, batchId: string): Promise<Counts> {
  const { counts } = await receiptPage(client, { batch_id: batchId, limit: '1' })
  return { accepted: 0, processing: 0, applied: 0, failed: 0, rejected: 0, expired: 0, ...counts }
}

/** `seconds`: how long the service may wait for the receipt to end before it answers, 0 to 30. */
export function receiptWithId(client: Client, id: string, seconds = 0): Promise<ReceiptResponse> {
  const wait = seconds === 0 ? '' : `?wait=${seconds}`
  return client.call({ method: 'GET', path: `/v1/receipts/${encodeURIComponent(id)}${wait}` })
}

export const total = (counts: Counts): number => Object.values(counts).reduce((sum, one) => sum + one, 0)
export const openIn = (counts: Counts): number => counts.accepted + counts.processing
export const refusedIn = (counts: Counts): number => counts.failed + counts.rejected + counts.expired

/** One line: id, state, operation, and the record that it made or the error. */
export function receiptLine(receipt: ReceiptResponse): string {
  const { state, operation, receipt_id, entity, error } = receipt
  const what = entity ? `${entity.type} ${entity.id}${entity.label ? ` “${inLine(entity.label)}”` : ''}` : ''
  const why = error ? `${error.code}: ${inLine(error.message)}` : ''
  return [receipt_id, state.padEnd(10), operation.padEnd(16), what || why].join('  ').trimEnd()
}
