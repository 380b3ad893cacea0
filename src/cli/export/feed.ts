/** Reads everything that a key may see, in the order of its last change. */
import type { Client } from '../client/client.ts'
import { Failure } from '../terminal/failure.ts'

export interface Change {
  id: string
  kind: string
  title: string
  change_type: 'upsert' | 'superseded' | 'invalidated'
  source: { occurred_at?: string }
}

interface SyncPage {
  cursor: string
  has_more: boolean
  changes: Changes
  reset_required?: boolean
}

export interface Changes {
  knowledge: Change[]
  decisions: Change[]
  work: Change[]
}

const pageSize = 200

/** From the first change to the last one. A record may appear more than once. */
export async function* feed(client: Client): AsyncGenerator<Changes> {
  for (let cursor: string | undefined; ; ) {
    const body = { limit: pageSize, ...(cursor === undefined ? {} : { cursor }) }
    const page = await client.call<SyncPage>({ method: 'POST', path: '/v1/context/sync', body, reads: true })
    if (page.reset_required) {
      throw new Failure('failed', 'reset_required', 'The records that this key may see changed while they were read.', {
        remedy: 'Run the same command again.',
      })
    }
    yield page.changes
    if (!page.has_more) return
    cursor = page.cursor
  }
}
