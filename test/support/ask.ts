/** Runs queries in the test's own world, without HTTP. Checks each response against its schema. */
import { expect } from 'vitest'
import type { Actor } from '../../src/access/actor.ts'
import { openCursors } from '../../src/access/cursors.ts'
import type { Query, Reads } from '../../src/operation.ts'
import { runQuery } from '../../src/run-query.ts'
import { runWatching } from '../../src/runs/watching/watching.ts'
import { actorAda, type World } from './apply.ts'

export const publicUrl = 'http://precedent.test'

/** `at`: the time of every response; if left out, the world's clock. */
export async function readsOf(world: World, at?: string): Promise<Reads> {
  const clock = at === undefined ? world.clock : { ...world.clock, now: () => Date.parse(at) }
  return {
    documents: world.documents,
    search: world.search,
    clock,
    cursors: await openCursors(world.documents, clock),
    waitForEnd: async (receipt) => receipt,
    runRules: () => world.portsOf(world).runRules(),
    runs: runWatching(world.documents, clock),
    publicUrl,
  }
}

export async function ask<Input, Output>(
  reads: Reads,
  query: Query<Input, Output>,
  input: unknown,
  actor: Actor = actorAda,
): Promise<Output> {
  const answer = await runQuery(reads, query, actor, input)
  // as JSON, like HTTP responses
  const sent = JSON.parse(JSON.stringify(answer)) as Output
  expect(query.output.parse(sent)).toEqual(sent)
  return sent
}

/** Reads all pages, each with the previous cursor. Fails if they do not end. */
export async function pagesOf<Input, Output extends { next_cursor?: string | undefined }>(
  reads: Reads,
  query: Query<Input, Output>,
  input: object,
  actor: Actor = actorAda,
): Promise<Output[]> {
  const pages: Output[] = []
  let cursor: string | undefined
  do {
    const page: Output = await ask(reads, query, cursor === undefined ? input : { ...input, cursor }, actor)
    pages.push(page)
    cursor = page.next_cursor
    expect(pages.length).toBeLessThan(500)
  } while (cursor !== undefined)
  return pages
}
