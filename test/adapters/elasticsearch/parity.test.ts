/** Both search engines give the same hits and scores for judged collections, next to documents of another workspace. */
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { elasticsearchSearch } from '../../../src/adapters/elasticsearch/search.ts'
import { openSqlite } from '../../../src/adapters/sqlite/connection.ts'
import { sqliteSearch } from '../../../src/adapters/sqlite/search.ts'
import type { WorkspaceId } from '../../../src/ids.ts'
import type { Candidate, Candidates, SearchDocument, SearchEngine, SearchFilter } from '../../../src/ports/search.ts'
import { analyze, tokensInPieces } from '../../../src/text/analyzer.ts'
import { type Asked, pairsOf } from '../../../src/text/matching.ts'
import { termsOf } from '../../../src/text/query.ts'
import { score } from '../../../src/text/scorer.ts'
import { documentOf, workspace } from '../../contracts/search.contract.ts'
import { missing, type Name, readCollection } from '../../quality/collections.ts'
import { temporaryFolder } from '../../support/clean-up.ts'
import { sharedEngine } from '../../support/engines.ts'
import { skipIf } from '../../support/skip.ts'

const { url = '', reason = missing } = await sharedEngine('elasticsearch')

const index = 'live'
const limit = 200

describe('search on SQLite and Elasticsearch', skipIf(reason), () => {
  const directory = temporaryFolder('parity-')
  const sqlite = openSqlite({ path: join(directory, 'store.db') })
  const engines: SearchEngine[] = []

  beforeAll(async () => {
    engines.push(sqliteSearch(sqlite), elasticsearchSearch({ url, prefix: `parity-${randomUUID().slice(0, 8)}` }))
    const documents = [...documentsOf('cacm', workspace), ...documentsOf('cisi', 'other' as WorkspaceId)]
    for (const engine of engines) {
      await engine.create(index)
      await engine.upsert(index, documents)
      await engine.refresh(index, workspace, { epoch: 'e', sequence: 1 })
    }
  })
  afterAll(async () => {
    for (const engine of engines) {
      await engine.drop(index)
      await engine.close()
    }
    await sqlite.close()
  })

  const filters: [string, Omit<SearchFilter, 'workspace'>][] = [
    ['with the audience of the workspace', { audiences: ['workspace'] }],
    ['with the audience of one user', { audiences: ['workspace', 'user:eva'] }],
    ['for decisions of one category as of an instant', narrow()],
  ]
  for (const [name, filter] of filters) {
    it(`both engines give the same rank and score to each hit ${name}`, async () => {
      const all = documentsOf('cacm', workspace)
        .filter((document) => passes(document, filter))
        .map((document) => [document, countsOf(document)] as const)
      let compared = 0
      for (const { id, text } of readCollection('cacm').questions) {
        const { terms, weights } = termsOf(text)
        const asked = { weights, pairs: pairsOf(analyze(text), terms) }
        const [embedded, scaled] = (await Promise.all(
          engines.map((engine) => engine.candidates(index, { workspace, ...filter }, { terms, weights }, limit)),
        )) as [Candidates, Candidates]
        expect(scaled.statistics, id).toEqual(embedded.statistics)
        const items = all.map(([document, counts]) => candidateOf(document, counts, terms)).filter(isHit)
        const exact = ranked({ items, statistics: scaled.statistics }, asked)
        const given = ranked(scaled, asked)
        if (exact.length <= limit) expect(given, id).toEqual(exact)
        // if more documents match than the limit, one with a good passage may be missing among the candidates
        expect(given.slice(0, limit / 4), id).toEqual(exact.slice(0, limit / 4))
        expect(ranked(embedded, asked).slice(0, limit / 2), id).toEqual(given.slice(0, limit / 2))
        compared += Math.min(limit, exact.length)
      }
      expect(compared).toBeGreaterThan(1_000)
    })
  }
})

function ranked({ items, statistics }: Candidates, asked: Asked): unknown[][] {
  return score(items, statistics, asked).map((hit) => [hit.candidate.id, hit.score, hit.bm25])
}

function passes(document: SearchDocument, filter: Omit<SearchFilter, 'workspace'>): boolean {
  const { audiences, kinds, category, as_of } = filter
  return (
    audiences.includes(document.audience) &&
    (kinds?.includes(document.kind) ?? true) &&
    (category === undefined || document.category === category) &&
    (as_of === undefined || (document.valid_from <= as_of && (document.valid_to === null || as_of < document.valid_to)))
  )
}

function countsOf({ tokens }: SearchDocument): Map<string, number[]> {
  const counts = new Map<string, number[]>()
  for (const [at, token] of tokens.entries()) counts.set(token, [...(counts.get(token) ?? []), at])
  return counts
}

function candidateOf(
  document: SearchDocument,
  counts: ReadonlyMap<string, number[]>,
  terms: readonly string[],
): Candidate {
  const { id, record_id, kind, version, valid_from, valid_to, tokens } = document
  const places = terms.map((term) => counts.get(term) ?? [])
  const frequencies = places.map(({ length }) => length)
  return { id, record_id, kind, version, valid_from, valid_to, length: tokens.length, frequencies, places }
}

function isHit({ frequencies }: Candidate): boolean {
  return frequencies.some((frequency) => frequency > 0)
}

function narrow(): Omit<SearchFilter, 'workspace'> {
  return { audiences: ['workspace'], kinds: ['decision'], category: 'security', as_of: at(400) }
}

function at(day: number): string {
  return new Date(Date.UTC(2024, 0, day)).toISOString()
}

const documentsTaken = 800

/** Documents of several kinds, audiences and categories, with different periods of validity. */
function documentsOf(name: Name, of: WorkspaceId): SearchDocument[] {
  // the last ones, because in cacm most of the first have no text
  const { documents } = readCollection(name)
  return documents.slice(-documentsTaken).map(({ id, title, text }, n) => ({
    ...documentOf(id, ''),
    workspace: of,
    version: n + 1,
    title,
    tokens: [...tokensInPieces({ title, topics: [], text })].flat(),
    kind: n % 3 === 0 ? 'memory' : 'decision',
    audience: n % 5 === 0 ? 'user:eva' : 'workspace',
    category: n % 2 === 0 ? 'security' : null,
    valid_from: at(n),
    valid_to: n % 7 === 0 ? at(n + 30) : null,
  }))
}
