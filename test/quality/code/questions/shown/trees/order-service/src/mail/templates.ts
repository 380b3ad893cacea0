import type { Order } from '../orders/order.ts'

const texts: Record<string, string> = {
  placed: 'Thank you, {{customer}}. We received order {{id}}.',
  shipped: 'Good news, {{customer}}: order {{id}} is on its way.',
}

/** Fills the double braces; a name that the order doesn't have stays empty. */
export function render(name: string, order: Order): string {
  const values = order as unknown as Record<string, string>
  return (texts[name] ?? '').replace(/\{\{(\w+)\}\}/g, (_, key: string) => values[key] ?? '')
}
