export type State = 'draft' | 'placed' | 'paid' | 'shipped' | 'delivered' | 'cancelled' | 'returned'
export interface Line {
  sku: string
  quantity: number
  unitCents: number
}
export interface Order {
  id: string
  customer: string
  state: State
  lines: Line[]
  voucher?: string
  deliveredAt?: Date
}

const next: Record<State, State[]> = {
  draft: ['placed'],
  placed: ['paid', 'cancelled'],
  paid: ['shipped', 'cancelled'],
  shipped: ['delivered'],
  delivered: ['returned'],
  cancelled: [],
  returned: [],
}

export function move(order: Order, to: State): Order {
  if (!next[order.state].includes(to)) throw new Error(`order ${order.id} cannot go from ${order.state} to ${to}`)
  return { ...order, state: to }
}
