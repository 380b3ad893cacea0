import { refund } from '../payments/refund.ts'
import { release } from '../stock/reserve.ts'
import { loadOrder, saveOrder } from '../store/orders.ts'
import { totalOf } from './total.ts'
import { move } from './order.ts'

/** Money goes back before the goods do: a crash in between must not keep the customer's money. */
export async function handle(_body: unknown, [id = '']: string[]) {
  const order = loadOrder(id)
  const cancelled = move(order, 'cancelled')
  if (order.state === 'paid') await refund(order.id, totalOf(order))
  release(order.id)
  return saveOrder(cancelled)
}
