/** Measures the ranking of search, and whether its scores separate answers from other hits. */
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSqlite, type Sqlite } from '../../src/adapters/sqlite/connection.ts'
import { sqliteSearch } from '../../src/adapters/sqlite/search.ts'
import type { WorkspaceId } from '../../src/ids.ts'
import type { SearchEngine } from '../../src/ports/search.ts'
import { analyze } from '../../src/text/analyzer.ts'
import { pairsOf } from '../../src/text/matching.ts'
import { termsOf } from '../../src/text/query.ts'
import { answers, type Scored, score } from '../../src/text/scorer.ts'
import { temporaryFolder } from '../support/clean-up.ts'
import { skipIf } from '../support/skip.ts'
import { type JudgedCollection, missing, type Name, names, ndcg10, readCollection } from './collections.ts'
import { searchDocumentOf } from './search-document.ts'

const floors: Record<Name, number> = { cacm: 0.49, cranfield: 0.375, cisi: 0.395 }

// cranfield is about aircraft, cacm about computing, cisi about libraries. The last two share questions
const foreign = (of: Name, by: Name) => (of === 'cranfield') !== (by === 'cranfield')

describe('search on judged collections', skipIf(missing), () => {
  const directory = temporaryFolder('quality-')
  const collections = new Map<Name, JudgedCollection>()
  let sqlite: Sqlite
  let engine: SearchEngine
  beforeAll(async () => {
    sqlite = openSqlite({ path: join(directory, 'store.db') })
    engine = sqliteSearch(sqlite)
    await engine.create('quality')
    for (const name of names) {
      const collection = readCollection(name)
      collections.set(name, collection)
      await fill(engine, collection)
    }
  })
  afterAll(async () => {
    await sqlite?.close()
  })

  async function search(name: Name, question: string): Promise<Scored[]> {
    const query = termsOf(question)
    const filter = { workspace: name as string as WorkspaceId, audiences: ['workspace'] as const }
    const { items, statistics } = await engine.candidates('quality', filter, query, 200)
    return score(items, statistics, { ...query, pairs: pairsOf(analyze(question), query.terms) })
  }

  for (const name of names) {
    it(`ranks ${name} with nDCG@10 of at least ${floors[name]}`, async () => {
      const { questions, judgments } = collections.get(name) as JudgedCollection
      const values: number[] = []
      for (const { id, text } of questions) {
        const judged = judgments.get(id)
        if (judged === undefined) continue
        const hits = await search(name, text)
        values.push(
          ndcg10(
            hits.map(({ candidate }) => candidate.id.slice(name.length + 1)),
            judged,
          ),
        )
      }
      const mean = values.reduce((sum, value) => sum + value, 0) / values.length
      console.info(`${name}: nDCG@10 ${mean.toFixed(4)} over ${values.length} questions`)
      expect(mean).toBeGreaterThanOrEqual(floors[name])
    })
  }

  it('finds no answer to at least 95 % of the questions about another field', async () => {
    let asked = 0
    let refused = 0
    for (const of of names) {
      for (const by of names.filter((other) => foreign(of, other))) {
        for (const { text } of (collections.get(by) as JudgedCollection).questions) {
          asked++
          if (((await search(of, text))[0]?.score ?? 0) < answers) refused++
        }
      }
    }
    console.info(`foreign questions refused: ${((100 * refused) / asked).toFixed(1)} % of ${asked}`)
    expect(refused / asked).toBeGreaterThanOrEqual(0.95)
  })

  it('scores at least 90 % of the relevant hits among the first ten as answers', async () => {
    let relevant = 0
    let kept = 0
    for (const { name, questions, judgments } of collections.values()) {
      for (const { id, text } of questions) {
        const judged = judgments.get(id)
        if (judged === undefined) continue
        for (const hit of (await search(name, text)).slice(0, 10)) {
          if ((judged.get(hit.candidate.id.slice(name.length + 1)) ?? 0) === 0) continue
          relevant++
          if (hit.score >= answers) kept++
        }
      }
    }
    console.info(`relevant among the first ten and kept: ${((100 * kept) / relevant).toFixed(1)} % of ${relevant}`)
    expect(kept / relevant).toBeGreaterThanOrEqual(0.9)
  })
})

async function fill(engine: SearchEngine, { name, documents }: JudgedCollection): Promise<void> {
  const workspace = name as string as WorkspaceId
  await engine.upsert(
    'quality',
    documents.map((text, n) => searchDocumentOf(text, n, { id: `${name}-${text.id}`, workspace })),
  )
  await engine.refresh('quality', workspace, { epoch: 'quality', sequence: documents.length })
}
