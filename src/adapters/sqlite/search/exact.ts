/** Ranks rows by the exact BM25 of all terms. Their estimates lack the terms whose postings were not read. */
import { normOf, saturated } from '../../../text/matching.ts'
import { frequencyIn } from '../../../text/places.ts'
import type { Database } from '../base/database.ts'
import { lacks, type Postings } from './postings.ts'
import { type DocumentRow, lengthOf, readRows } from './read-rows.ts'
import type { Scores } from './scores.ts'

export interface Weighing {
  /** Encoded. */
  terms: readonly string[]
  /** Those of the terms that documents have. */
  present: readonly WeighedTerm[]
  /** The average length of a document, in tokens. */
  average: number
  /** What the terms that were not read can add to an estimate, at most. */
  missed: number
}

export interface WeighedTerm {
  encoded: string
  /** Its weight times its inverse document frequency. */
  gain: number
  /** Those that were read. */
  postings: Postings
}

/** The error of an estimate, because it knows lengths and frequencies only by classes. */
const tolerance = 0.03
/** Rows that are read before it looks whether the next ones can still be among the best. */
const readAtOnce = 100

interface Ranked {
  row: number
  read: DocumentRow
  score: number
}

/** The best `limit`: best first, and newest first among equals. `rows`: best first by estimate. */
export function bestOf(
  db: Database,
  rows: readonly number[],
  estimates: Scores,
  weighing: Weighing,
  limit: number,
): DocumentRow[] {
  let best: Ranked[] = []
  for (let from = 0; from < rows.length; from += readAtOnce) {
    const least = best[limit - 1]?.score ?? Number.NEGATIVE_INFINITY
    const some = rows.slice(from, from + readAtOnce)
    const end = some.findIndex((row) => (estimates.get(row) as number) * (1 + tolerance) + weighing.missed < least)
    const read = readRows(db, end < 0 ? some : some.slice(0, end))
    for (const [row, one] of read) best.push({ row, read: one, score: scoreOf(row, one, weighing) })
    best = best.sort((x, y) => y.score - x.score || y.row - x.row).slice(0, limit)
    if (end >= 0) break
  }
  return best.map(({ read }) => read)
}

function scoreOf(row: number, read: DocumentRow, { present, average }: Weighing): number {
  const norm = normOf(lengthOf(read), average)
  let sum = 0
  for (const { encoded, gain, postings } of present) {
    if (!lacks(postings, row)) sum += gain * saturated(frequencyIn(read, encoded), norm)
  }
  return sum
}
