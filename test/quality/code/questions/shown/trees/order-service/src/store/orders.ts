import type { Order } from '../orders/order.ts'
import { problem } from '../http/problems.ts'

const rows = new Map<string, Order>()

export function saveOrder(order: Order): Order {
  rows.set(order.id, order)
  return order
}

export function loadOrder(id: string): Order {
  const order = rows.get(id)
  if (!order) throw problem(404, `No order ${id}`)
  return order
}
