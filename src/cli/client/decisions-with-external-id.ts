/** Finds decisions by their id in another system. */
import type { FindOutput } from '../../decisions/find.ts'
import type { Client } from './client.ts'

/** Those that the key sees, also superseded ones: one for each visibility. They fit on one page. */
export async function decisionsWithExternalId(client: Client, externalId: string): Promise<FindOutput['items']> {
  const path = `/api/v2/decisions/search?${new URLSearchParams({ external_id: externalId, limit: '200' })}`
  return (await client.call<FindOutput>({ method: 'GET', path })).items
}
