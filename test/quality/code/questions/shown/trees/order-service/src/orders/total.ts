import { discount } from '../catalog/vouchers.ts'
import { shippingFee } from '../shipping/fee.ts'
import type { Order } from './order.ts'

export function totalOf(order: Order): number {
  const goods = order.lines.reduce((sum, { quantity, unitCents }) => sum + quantity * unitCents, 0)
  const reduced = goods - discount(order.voucher, goods)
  return reduced + shippingFee(reduced)
}
