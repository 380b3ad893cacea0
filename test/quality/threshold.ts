/**
 * Measures the threshold in stores of different sizes (stores.ts): the share of foreign questions without an answer, and
 * the share of relevant hits among the first ten that count as answers. Only questions of the half that the constants of
 * scorer.ts were not fitted on. Their final rounding had both halves in view.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openSqlite } from '../../src/adapters/sqlite/connection.ts'
import { sqliteSearch } from '../../src/adapters/sqlite/search.ts'
import type { WorkspaceId } from '../../src/ids.ts'
import type { SearchEngine } from '../../src/ports/search.ts'
import { analyze } from '../../src/text/analyzer.ts'
import { pairsOf } from '../../src/text/matching.ts'
import { termsOf } from '../../src/text/query.ts'
import { answers, type Scored, score } from '../../src/text/scorer.ts'
import { type Row, row } from '../bench/row.ts'
import { searchDocumentOf } from './search-document.ts'
import { readFields, type Store, storeOf } from './stores.ts'

/** Records of a store, and how many stores of this size each field has. */
const sizes = [
  [60, 6],
  [1_000, 2],
  [5_000, 1],
  [50_000, 1],
] as const

const index = 'quality'
const workspace = 'w' as WorkspaceId

export async function measureThreshold(): Promise<Row[]> {
  const fields = readFields()
  const rows: Row[] = []
  for (const [size, draws] of sizes) {
    const [refused, kept] = [
      { of: 0, all: 0 },
      { of: 0, all: 0 },
    ]
    for (const nth of fields.keys()) {
      for (let seed = 1; seed <= draws; seed++) {
        const measured = await measure(storeOf(fields, nth, size, seed))
        for (const [sum, one] of [
          [refused, measured.refused],
          [kept, measured.kept],
        ] as const) {
          sum.of += one.of
          sum.all += one.all
        }
      }
    }
    rows.push(
      row(`store_${size}_foreign_refused`, (100 * refused.of) / refused.all, '%', { at_least: 95 }),
      row(`store_${size}_relevant_kept`, (100 * kept.of) / kept.all, '%', { at_least: 90 }),
    )
  }
  return rows
}

interface Share {
  of: number
  all: number
}

async function measure({ documents, own, foreign }: Store): Promise<{ refused: Share; kept: Share }> {
  const directory = mkdtempSync(join(tmpdir(), 'precedent-threshold-'))
  const sqlite = openSqlite({ path: join(directory, 'store.db') })
  try {
    const engine = sqliteSearch(sqlite)
    await engine.create(index)
    await engine.upsert(
      index,
      documents.map((text, n) => searchDocumentOf(text, n, { id: String(n), workspace })),
    )
    const found = (questions: readonly string[]) => Promise.all(questions.map((text) => search(engine, text)))
    const refused = await found(foreign.filter(isShown))
    const asked = own.filter(isShown)
    const hits = await found(asked.map(({ text }) => text))
    const relevant = hits.flatMap((some, n) =>
      some.slice(0, 10).filter(({ candidate }) => asked[n]?.answers.has(candidate.record_id)),
    )
    return {
      refused: { of: refused.filter(([best]) => (best?.score ?? 0) < answers).length, all: refused.length },
      kept: { of: relevant.filter((hit) => hit.score >= answers).length, all: relevant.length },
    }
  } finally {
    await sqlite.close()
    rmSync(directory, { recursive: true, force: true })
  }
}

/** The constants were fitted on the others. */
function isShown(_: unknown, n: number): boolean {
  return n % 2 === 1
}

async function search(engine: SearchEngine, text: string): Promise<Scored[]> {
  const query = termsOf(text)
  if (query.terms.length === 0) return []
  const filter = { workspace, audiences: ['workspace'] as const }
  const { items, statistics } = await engine.candidates(index, filter, query, 200)
  return score(items, statistics, { ...query, pairs: pairsOf(analyze(text), query.terms) })
}
