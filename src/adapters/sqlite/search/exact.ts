/** Ranks rows by the exact BM25 of all terms. Their estimates lack the terms whose postings were not read. */
import { normOf, saturated } from '../../../text/matching.ts'
import { type Database, statement } from '../base/database.ts'
import { eachFound } from './fingerprint.ts'
import type { Scores } from './scores.ts'

export interface Weighing {
  /** The terms that documents have, in the order of their hashes. */
  present: readonly WeighedTerm[]
  /** The average length of a document, in tokens. */
  average: number
  /** What the terms that were not read can add to an estimate, at most. */
  missed: number
}

export interface WeighedTerm {
  /** The hash of the encoded term (hashOf). */
  hash: number
  /** Its weight times its inverse document frequency. */
  gain: number
}

/** The error of an estimate, because it knows lengths and frequencies only by classes. */
const tolerance = 0.03
/** Rows that are read before it looks whether the next ones can still be among the best. */
const readAtOnce = 200

interface Ranked {
  row: number
  score: number
}

/** The best `limit`: best first, and newest first among equals. `rows`: best first by estimate. */
export function bestOf(
  db: Database,
  rows: readonly number[],
  estimates: Scores,
  weighing: Weighing,
  limit: number,
): number[] {
  let best: Ranked[] = []
  for (let from = 0; from < rows.length; from += readAtOnce) {
    const least = best[limit - 1]?.score ?? Number.NEGATIVE_INFINITY
    const some = rows.slice(from, from + readAtOnce)
    const end = some.findIndex((row) => (estimates.get(row) as number) * (1 + tolerance) + weighing.missed < least)
    best.push(...ranked(db, end < 0 ? some : some.slice(0, end), estimates, weighing))
    best = best.sort((x, y) => y.score - x.score || y.row - x.row).slice(0, limit)
    if (end >= 0) break
  }
  return best.map(({ row }) => row)
}

/** A row of an older format has no fingerprint, and keeps its estimate. */
function ranked(db: Database, rows: readonly number[], estimates: Scores, weighing: Weighing): Ranked[] {
  const { present, average } = weighing
  const hashes = present.map(({ hash }) => hash)
  // one string for all rows, because a value for each row would take several times as long
  const [read] = statement(
    db,
    `SELECT group_concat(concat_ws(',', row, length, coalesce(fingerprint, '')), ' ')
     FROM search_documents WHERE row IN (SELECT value FROM json_each(?))`,
  ).get(JSON.stringify(rows)) as [string | null]
  return (read?.split(' ') ?? []).map((entry) => {
    const [first, length, fingerprint] = entry.split(',') as [string, string, string]
    const row = Number(first)
    const norm = normOf(Number(length), average)
    let score = fingerprint === '' ? (estimates.get(row) as number) : 0
    eachFound(fingerprint, hashes, (n, frequency) => {
      score += (present[n] as WeighedTerm).gain * saturated(frequency, norm)
    })
    return { row, score }
  })
}
