import type { OpenQuestion } from '../../src/questions/schema.ts'
import type { Target } from '../bench/client.ts'
import { call } from '../support/http.ts'

interface Page {
  items: OpenQuestion[]
  next_cursor?: string
}

/** All that the caller may see. `reason`: only these. */
export async function openQuestions(target: Target, reason?: OpenQuestion['reason']): Promise<OpenQuestion[]> {
  const all: OpenQuestion[] = []
  const asked = new URLSearchParams({ limit: '50', ...(reason === undefined ? {} : { reason }) })
  for (;;) {
    const { body } = await call<Page>(target, 'GET', `/v1/context/questions?${asked}`)
    all.push(...body.items)
    if (body.next_cursor === undefined) return all
    asked.set('cursor', body.next_cursor)
  }
}
