/**
 * Repositories that a caller can't see do not exist for it (REPOSITORIES 1). Each answer equals that of a store that has
 * only the repositories that the caller may see.
 */
import fc from 'fast-check'
import { expect, it, onTestFinished } from 'vitest'
import type { ConnectedRepository } from '../../config/operator/repository-settings.ts'
import { type Actor, audiencesOf } from '../../src/access/actor.ts'
import { systemClock } from '../../src/adapters/system-clock.ts'
import { indexRepository } from '../../src/code/indexing/index-repository.ts'
import { listRepositories } from '../../src/code/reading/list.ts'
import { searchCode } from '../../src/code/reading/search/search.ts'
import { findSymbols } from '../../src/code/reading/symbols/symbols.ts'
import { repositoryTree } from '../../src/code/reading/tree.ts'
import type { CodeSearch } from '../../src/code/stored/search-document.ts'
import { type CodeStore, codeCollections } from '../../src/code/stored/store.ts'
import type { Audience } from '../../src/ids.ts'
import type { Query, Reads } from '../../src/operation.ts'
import { Problem } from '../../src/problem.ts'
import { openedParser } from '../adapters/code-parser/open.ts'
import { never, newMirrors, newRepository, type Repository } from '../adapters/git/repositories.ts'
import { openWorld, workspace } from '../support/apply.ts'
import { pagesOf, readsOf } from '../support/ask.ts'
import { randomOf } from '../support/chaos.ts'
import { openEngines } from '../support/profile-engines.ts'
import { actors as readers, teams } from '../support/readers.ts'
import { tries } from '../support/size.ts'

const actors: Actor[] = readers.map((one) => ({ ...one, scopes: ['repos:read'] }))
const audiences: Audience[] = ['workspace', `team:${teams[0]}`, `team:${teams[1]}`, 'user:ada'] as Audience[]

const words = ['falcon', 'copper', 'lantern', 'harbour'] as const
const names = ['openHarbour', 'lightLantern', 'falconOf', 'CopperStore'] as const
const files = ['src/a.ts', 'src/deep/b.ts', 'lib/c.py', 'test/a.test.ts', 'README.md'] as const

/** A push of one file, with some names and words in it, or without the file. */
const push = fc.record({
  repository: fc.nat(3),
  file: fc.constantFrom(...files),
  names: fc.subarray([...names], { minLength: 1 }),
  words: fc.subarray([...words], { minLength: 1 }),
  isGone: fc.nat(5).map((n) => n === 0),
})
type Push = typeof push extends fc.Arbitrary<infer P> ? P : never
const histories = fc.record({
  audiences: fc.tuple(...[0, 1, 2, 3].map(() => fc.constantFrom(...audiences))),
  pushes: fc.array(push, { minLength: 6, maxLength: 12 }),
})

it('every answer equals that of a store with only the repositories that the caller may see', {
  timeout: 300_000,
}, async () => {
  const { mirrors } = newMirrors()
  const parser = openedParser()
  const world = await openWorld(randomOf(1))
  onTestFinished(() => world.close())
  const reads = await readsOf(world)
  await fc.assert(
    fc.asyncProperty(histories, async ({ audiences: seenBy, pushes }) => {
      const repositories = seenBy.map(() => newRepository())
      const connected = repositories.map(({ path }, at) => connectedOf(at, path, seenBy[at] as Audience))
      const whole = await newStore()
      const parts = await Promise.all(actors.map(newStore))
      try {
        const index = (one: ConnectedRepository, store: CodeStore) =>
          indexRepository(one, { ...store, mirrors, parser, clock: systemClock }, never)
        for (const one of pushes) {
          change(repositories[one.repository] as Repository, one)
          const changed = connected[one.repository] as ConnectedRepository
          await index(changed, whole)
          for (const [at, actor] of actors.entries()) {
            if (audiencesOf(actor).includes(changed.audience)) await index(changed, parts[at] as CodeStore)
          }
        }
        for (const [at, actor] of actors.entries()) {
          const visible = connected.filter(({ audience }) => audiencesOf(actor).includes(audience))
          const hidden = connected.filter((one) => !visible.includes(one))
          const inWhole = { ...reads, code: { connected, open: async () => whole } }
          const inPart = { ...reads, code: { connected: visible, open: async () => parts[at] as CodeStore } }
          await compare(inWhole, inPart, actor, hidden)
        }
      } finally {
        for (const store of [whole, ...parts]) await store.close()
      }
    }),
    { numRuns: Number(process.env.VISIBILITY_RUNS ?? tries(5)), endOnFailure: true },
  )
})

async function newStore() {
  const engines = await openEngines()
  await engines.documents.declare(codeCollections)
  const search = engines.search as unknown as CodeSearch
  return { documents: engines.documents, search, close: () => engines.close() }
}

function connectedOf(at: number, url: string, audience: Audience): ConnectedRepository {
  return { id: `${workspace}/acme/r${at}@1`, name: `acme/r${at}`, workspace, audience, url, include: [], exclude: [] }
}

function change(repository: Repository, { repository: at, file, names: some, words: said, isGone }: Push): void {
  const text = file.endsWith('.ts')
    ? some.map((name) => `/** ${said.join(' ')} only${at}only */\nexport function ${name}() {}\n`).join('\n')
    : file.endsWith('.py')
      ? some.map((name) => `def ${name}():\n    """${said.join(' ')} only${at}only"""\n`).join('\n')
      : `# ${said.join(' ')}\n\nonly${at}only ${some.join(' ')}\n`
  repository.commit({ [file]: text, 'kept.md': `only${at}only\n` })
  if (isGone) {
    repository.git(['rm', '-q', file])
    repository.commit()
  }
}

async function compare(whole: Reads, part: Reads, actor: Actor, hidden: readonly ConnectedRepository[]) {
  const inAll = <I, O extends { next_cursor?: string | undefined }>(query: Query<I, O>, input: object) => ({
    query,
    input,
  })
  const asked = [
    inAll(listRepositories, { limit: 2 }),
    inAll(listRepositories, { q: 'r1' }),
    ...[0, 1, 2, 3].map((at) => inAll(repositoryTree, { repo_full_name: `acme/r${at}`, depth: 5 })),
    ...words.map((q) => inAll(searchCode, { q: `${q} ${words[0]}`, limit: 2 })),
    ...[
      '"copper lantern"',
      'lantern lang:ts',
      'harbour path:src',
      'falcon -path:test',
      'symbol:openHarbour',
      '"ightL"',
    ].map((q) => inAll(searchCode, { q })),
    ...[0, 1, 2, 3].flatMap((at) => [
      inAll(searchCode, { q: `only${at}only` }),
      inAll(searchCode, { q: 'falcon', repo: [`acme/r${at}`] }),
      inAll(findSymbols, { name: 'falconOf', repo: [`acme/r${at}`] }),
    ]),
    ...names.flatMap((name) => [
      inAll(findSymbols, { name, limit: 2 }),
      inAll(findSymbols, { name: name.slice(0, 4) }),
      inAll(findSymbols, { name: name.slice(1), match: 'fuzzy', limit: 3 }),
    ]),
  ]
  for (const { query, input } of asked) {
    const [answer, expected] = [await settled(whole, query, input, actor), await settled(part, query, input, actor)]
    expect(answer, `${query.name} ${JSON.stringify(input)}`).toEqual(expected)
    const told = JSON.stringify(answer)
    for (const { name, url } of hidden) {
      expect(told).not.toContain(`only${name.at(-1)}only`)
      expect(told).not.toContain(url)
    }
  }
}

/** All pages, or the problem. Cursors are random, so only their length is compared. */
async function settled(reads: Reads, query: unknown, input: object, actor: Actor): Promise<unknown> {
  try {
    const pages = await pagesOf(reads, query as Query<unknown, { next_cursor?: string }>, input, actor)
    return pages.map(({ next_cursor, ...page }) => [page, next_cursor?.length])
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return { code: error.code, detail: error.message, details: error.details }
  }
}
