const cents = new Map([
  ['MUG-1', 1250],
  ['TEE-M', 1990],
  ['CAP-X', 1490],
])

export function priceOf(sku: string): number {
  const price = cents.get(sku)
  if (price === undefined) throw new Error(`unknown article ${sku}`)
  return price
}
