/** Reads all open questions, page by page. */
import type { OpenQuestion } from '../../questions/schema.ts'
import type { Client } from './client.ts'

interface Page {
  items: OpenQuestion[]
  next_cursor?: string
}

/** Those of these reasons; without reasons all of them. In the order of the service: priority, then reason. */
export async function* openQuestions(client: Client, reasons: readonly string[] = []): AsyncGenerator<OpenQuestion> {
  let cursor: string | undefined
  do {
    const query = new URLSearchParams({ limit: '200', ...(cursor === undefined ? {} : { cursor }) })
    for (const reason of reasons) query.append('reason', reason)
    const page: Page = await client.call({ method: 'GET', path: `/v1/context/questions?${query}` })
    yield* page.items
    cursor = page.next_cursor
  } while (cursor !== undefined)
}
