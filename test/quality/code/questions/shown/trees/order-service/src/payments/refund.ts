export async function refund(order: string, cents: number): Promise<void> {
  const response = await fetch(`${process.env.PAYMENT_URL}/refunds`, {
    method: 'POST',
    headers: { 'idempotency-key': `refund-${order}` },
    body: JSON.stringify({ order, cents }),
  })
  if (!response.ok) throw new Error(`refund of ${order} was refused with ${response.status}`)
}
