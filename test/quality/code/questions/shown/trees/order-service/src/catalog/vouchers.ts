interface Voucher {
  percent?: number
  fixedCents?: number
  minimumCents: number
}
const vouchers = new Map<string, Voucher>([
  ['SPRING10', { percent: 10, minimumCents: 2000 }],
  ['FIVER', { fixedCents: 500, minimumCents: 3000 }],
])

/** Never takes off more than the goods cost; an unknown code is worth nothing. */
export function discount(code: string | undefined, goods: number): number {
  const voucher = vouchers.get(code?.toUpperCase() ?? '')
  if (!voucher || goods < voucher.minimumCents) return 0
  return Math.min(goods, voucher.fixedCents ?? Math.floor((goods * (voucher.percent ?? 0)) / 100))
}
