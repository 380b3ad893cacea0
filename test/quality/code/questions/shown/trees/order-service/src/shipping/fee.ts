const freeFrom = 5000

export function shippingFee(goods: number): number {
  return goods >= freeFrom ? 0 : 490
}
