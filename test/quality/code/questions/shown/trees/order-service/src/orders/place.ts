import { randomUUID } from 'node:crypto'
import { problem } from '../http/problems.ts'
import { priceOf } from '../catalog/prices.ts'
import { reserve } from '../stock/reserve.ts'
import { saveOrder } from '../store/orders.ts'
import { type Line, move, type Order } from './order.ts'

/** Accepts a basket: looks up today's prices, sets the goods aside and stores the order. */
export async function handle(body: unknown): Promise<Order> {
  const { customer, lines } = parse(body)
  const id = randomUUID()
  const priced = lines.map((line) => ({ ...line, unitCents: priceOf(line.sku) }))
  for (const { sku, quantity } of priced) reserve(id, sku, quantity)
  return saveOrder(move({ id, customer, state: 'draft', lines: priced }, 'placed'))
}

function parse(body: unknown): { customer: string; lines: Omit<Line, 'unitCents'>[] } {
  const { customer, lines } = (body ?? {}) as { customer?: string; lines?: Line[] }
  if (!customer) throw problem(400, 'customer is missing')
  if (!lines?.length) throw problem(400, 'An order needs at least one line')
  if (lines.some(({ quantity }) => quantity < 1 || quantity > 99)) throw problem(400, 'quantity must be 1 to 99')
  return { customer, lines }
}
