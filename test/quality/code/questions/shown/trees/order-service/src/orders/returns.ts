import { type Order, move } from './order.ts'

const window = 30 * 24 * 60 * 60 * 1000

/** Thirty days after the parcel arrived it is too late to send it back. */
export function sendBack(order: Order, now: Date): Order {
  if (!order.deliveredAt || now.getTime() - order.deliveredAt.getTime() > window) throw new Error('return window is over')
  return move(order, 'returned')
}
