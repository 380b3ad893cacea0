/** Every read whose answers the tests of visibility compare. */
import type { Actor } from '../../../src/access/actor.ts'
import { brief } from '../../../src/context/brief/brief.ts'
import { searchContext } from '../../../src/context/search.ts'
import { syncContext } from '../../../src/context/sync.ts'
import { findDecisions } from '../../../src/decisions/find.ts'
import { getDecision } from '../../../src/decisions/get.ts'
import { decisionGraph } from '../../../src/decisions/graph.ts'
import { searchDecisions } from '../../../src/decisions/search.ts'
import { getMemory } from '../../../src/memories/get.ts'
import type { Query, Reads } from '../../../src/operation.ts'
import { listQuestions } from '../../../src/questions/list.ts'
import type { PrecedentRecord } from '../../../src/records/record.ts'
import { explainPolicy } from '../../../src/runs/explain.ts'
import { getRun } from '../../../src/runs/get.ts'
import { subscribeRun } from '../../../src/runs/subscribe.ts'
import { getTask } from '../../../src/tasks/get.ts'
import { listTasks } from '../../../src/tasks/list.ts'
import { ask, pagesOf } from '../ask.ts'
import { isQuestion, namesOf, words } from './writes.ts'

export type Read = (reads: Reads, actor: Actor) => Promise<unknown>

/** All pages of every read. Cursors are random, so only their length is compared. */
export function readsFor(ids: readonly string[], all: readonly PrecedentRecord[]): Read[] {
  const paged =
    <I, O extends { next_cursor?: string | undefined }>(query: Query<I, O>, input: object): Read =>
    async (reads, actor) =>
      (await pagesOf(reads, query, input, actor)).map(({ next_cursor, ...page }) => [page, next_cursor?.length])
  const own = all.flatMap((row) => /only\d+only/.exec(row.text)?.[0] ?? [])
  const pages = [0, 1, 2].map((n) => ({ type: 'page', id: `page-${n}` }))
  const questions = all.filter(isQuestion).flatMap(namesOf)
  return [
    ...words.slice(0, 3).map((q) => paged(searchContext, { q: `${q} ${words[4]}`, limit: 3 })),
    ...own.slice(-6).map((q) => paged(searchContext, { q })),
    paged(searchContext, { q: words.join(' '), as_of: '2022-01-01T00:00:00Z', limit: 4 }),
    paged(searchContext, { limit: 3 }),
    paged(searchContext, { limit: 3, as_of: '2023-01-01T00:00:00Z' }),
    paged(searchContext, {
      references: [...pages, ...ids.slice(0, 30).map((id) => ({ type: 'decision', id }))],
      limit: 4,
    }),
    ...(questions.length === 0 ? [] : [paged(searchContext, { references: questions.slice(0, 50) })]),
    paged(searchContext, { references: ids.slice(0, 40).map((id) => ({ type: 'memory', id })), q: 'falcon' }),
    paged(searchDecisions, { q: words.slice(0, 4).join(' '), threshold: 0, limit: 2 }),
    paged(searchDecisions, { q: 'copper lantern', category: 'pricing' }),
    paged(searchDecisions, { ids: ids.slice(0, 50) }),
    paged(findDecisions, { q: words.slice(0, 4).join(' '), threshold: 0, limit: 2 }),
    paged(findDecisions, { ids: ids.slice(0, 50) }),
    paged(findDecisions, { category: ['pricing'], limit: 2 }),
    paged(findDecisions, { status: ['proposed', 'rejected'], q: words.slice(0, 4).join(' '), threshold: 0 }),
    paged(findDecisions, { in_force: false, q: words.slice(2, 6).join(' '), threshold: 0, limit: 2 }),
    paged(findDecisions, { since: '2019-01-01T00:00:00Z', limit: 3 }),
    paged(findDecisions, { outcome_status: ['failure', 'mixed'], limit: 2 }),
    paged(findDecisions, { outcome_status: ['failure'], q: words.slice(0, 6).join(' '), threshold: 0, limit: 2 }),
    ...own
      .slice(-6)
      .map((q) => paged(findDecisions, { q, outcome_status: ['none', 'failure', 'success'], threshold: 0 })),
    ...ids.map(
      (id): Read =>
        (reads, actor) =>
          ask(reads, getDecision, { id }, actor),
    ),
    ...ids.map(
      (root): Read =>
        (reads, actor) =>
          ask(reads, decisionGraph, { root, depth: 20 }, actor),
    ),
    ...ids.map(
      (id): Read =>
        (reads, actor) =>
          ask(reads, getMemory, { id }, actor),
    ),
    ...ids.map(
      (id): Read =>
        (reads, actor) =>
          ask(reads, getTask, { id }, actor),
    ),
    ...[getRun, explainPolicy, subscribeRun].flatMap((query) =>
      ids.map(
        (id): Read =>
          (reads, actor) =>
            ask(reads, query as Query<unknown, unknown>, { id }, actor),
      ),
    ),
    paged(listQuestions, { limit: 2 }),
    paged(listQuestions, { limit: 1, reason: ['contradiction', 'low_confidence', 'explicit_question'] }),
    ...['created', 'due', 'priority'].map((sort) => paged(listTasks, { sort, limit: 2 })),
    paged(listTasks, { sort: 'created', project: ['pricing'], label: words.slice(0, 4), limit: 1 }),
    paged(listTasks, { sort: 'created', assignee: [...words.slice(0, 4), 'me'] }),
    ...ids.slice(0, 5).map((id) => paged(listTasks, { sort: 'created', parent_id: [id] })),
    paged(listTasks, { q: words.slice(0, 4).join(' '), limit: 2 }),
    paged(listTasks, { q: words.slice(2, 6).join(' '), priority: ['high'] }),
    changedTasks,
    ...[{}, { lens: 'handoff' }, { query: words.slice(0, 3).join(' ') }].map(
      (input): Read =>
        (reads, actor) =>
          ask(reads, brief, { ...input, limit: 20 }, actor),
    ),
    wholeFeed,
  ]
}

const wholeFeed: Read = async (reads, actor) => {
  const pages: unknown[] = []
  let cursor: string | undefined
  for (let more = true; more; ) {
    const page = await ask(reads, syncContext, { limit: 3, ...(cursor ? { cursor } : {}) }, actor)
    pages.push(page.changes, page.has_more, page.reset_required, page.cursor.length)
    cursor = page.cursor
    more = page.has_more
  }
  return pages
}

/** Its last page has a cursor too. */
const changedTasks: Read = async (reads, actor) => {
  const pages: unknown[] = []
  let cursor: string | undefined
  for (let more = true; more; ) {
    const page = await ask(reads, listTasks, { limit: 2, ...(cursor ? { cursor } : {}) }, actor)
    pages.push(page.items, page.has_more, page.next_cursor?.length)
    cursor = page.next_cursor
    more = page.has_more
  }
  return pages
}
