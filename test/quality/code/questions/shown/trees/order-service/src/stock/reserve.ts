interface Hold {
  order: string
  sku: string
  quantity: number
  since: number
}
export const onHand = new Map([
  ['MUG-1', 40],
  ['TEE-M', 12],
  ['CAP-X', 7],
])
export let holds: Hold[] = []

export function available(sku: string): number {
  const held = holds.filter((hold) => hold.sku === sku).reduce((sum, { quantity }) => sum + quantity, 0)
  return (onHand.get(sku) ?? 0) - held
}

export function reserve(order: string, sku: string, quantity: number): void {
  if (available(sku) < quantity) throw new Error(`only ${available(sku)} of ${sku} left`)
  holds.push({ order, sku, quantity, since: Date.now() })
}

export function release(order: string): void {
  holds = holds.filter((hold) => hold.order !== order)
}
