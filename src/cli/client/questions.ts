/** Reads open questions: one by its id, or all, page by page. */
import type { ListedQuestion, QuestionList } from '../../questions/list.ts'
import type { OpenQuestion } from '../../questions/schema.ts'
import type { Client } from './client.ts'

/** Those of these reasons; without reasons all of them. In the order of the service: priority, then reason. */
export async function* openQuestions(client: Client, reasons: readonly string[] = []): AsyncGenerator<ListedQuestion> {
  let cursor: string | undefined
  do {
    const query = new URLSearchParams({ limit: '200', ...(cursor === undefined ? {} : { cursor }) })
    for (const reason of reasons) query.append('reason', reason)
    const page: QuestionList = await client.call({ method: 'GET', path: `/v1/context/questions?${query}` })
    yield* page.items
    cursor = page.next_cursor
  } while (cursor !== undefined)
}

/**
 * The open question with this id, and a brief about it. Questions have no URL: a brief whose query is the id of an open
 * question contains that question.
 */
export async function briefOfQuestion(client: Client, id: string) {
  const { open_questions, markdown } = await client.call<{ open_questions: OpenQuestion[]; markdown: string }>({
    method: 'GET',
    path: `/v1/context/brief?${new URLSearchParams({ query: id })}`,
  })
  return { question: open_questions.find(({ question_id }) => question_id === id), brief: markdown }
}

/**
 * How many questions that the key may see are open, at least. Only the first page is counted: enough for a note beside a
 * brief.
 */
export async function countOpen(client: Client): Promise<{ counted: number; hasMore: boolean }> {
  const { items, next_cursor }: QuestionList = await client.call({
    method: 'GET',
    path: '/v1/context/questions?limit=200',
  })
  return { counted: items.length, hasMore: next_cursor !== undefined }
}
