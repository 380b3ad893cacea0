import { createHmac, timingSafeEqual } from 'node:crypto'
import { problem } from '../http/problems.ts'
import { move } from '../orders/order.ts'
import { loadOrder, saveOrder } from '../store/orders.ts'

interface Event {
  id: string
  order: string
  type: 'charge.succeeded' | 'charge.failed'
  signature: string
}
const seen = new Set<string>()

/** The provider delivers an event more than once; only its first delivery counts. */
export async function handle(body: unknown) {
  const event = body as Event
  if (!genuine(event, process.env.HOOK_KEY ?? '')) throw problem(401, 'signature does not match')
  if (seen.has(event.id)) return { ignored: true }
  seen.add(event.id)
  if (event.type === 'charge.succeeded') saveOrder(move(loadOrder(event.order), 'paid'))
  return { ignored: false }
}

function genuine({ id, order, signature }: Event, key: string): boolean {
  const expected = createHmac('sha256', key).update(`${id}.${order}`).digest()
  const given = Buffer.from(signature, 'hex')
  return given.length === expected.length && timingSafeEqual(given, expected)
}
