/** Selects the best of the scored rows that pass the filter. */

import type { SearchFilter } from '../../../ports/search.ts'
import { type Database, statement } from '../base/database.ts'
import { bestOf, type Weighing } from './exact.ts'
import type { Scores } from './scores.ts'

/** Rows ranked exactly, at most. */
const exactAtMost = 1_000

/**
 * Up to `limit` rows by the exact BM25 of all terms: best first, and newest first among equals. Removes rows that fail
 * the filter from `scores`.
 */
export function bestRows(
  db: Database,
  filter: SearchFilter,
  scores: Scores,
  weighing: Weighing,
  limit: number,
): number[] {
  const rows = passingRows(db, filter, scores, exactAtMost)
  // if all of them become candidates, their order does not matter
  return rows.length <= limit ? rows : bestOf(db, rows, scores, weighing, limit)
}

/** Up to `limit` rows, best first by their scores. Removes rows that fail the filter from `scores`. */
export function passingRows(db: Database, filter: SearchFilter, scores: Scores, limit: number): number[] {
  return looksAtRows(filter) ? bestPassing(db, filter, scores, limit) : best(scores, limit)
}

/** Whether the filter has conditions that postings can't check. */
export function looksAtRows(filter: SearchFilter): boolean {
  const { since, until, as_of, category, significance, surface, entity_type, tags, except } = filter
  const conditions = [since, until, as_of, category, significance, surface, entity_type, tags, except]
  return conditions.some((value) => value !== undefined)
}

/** Most searches need one round. If few rows pass the filter, each round checks more rows. */
function bestPassing(db: Database, filter: SearchFilter, scores: Scores, limit: number): number[] {
  const looked = new Set<number>()
  for (let count = limit; ; count *= 4) {
    const rows = best(scores, count)
    const others = rows.filter((row) => !looked.has(row))
    for (const row of others) looked.add(row)
    const failing = removeFailing(db, filter, scores, others)
    if (failing === 0 || rows.length - failing >= limit) return rows.filter((row) => scores.has(row)).slice(0, limit)
  }
}

/** The `count` rows with the highest scores, in order. */
function best(scores: Scores, count: number): number[] {
  const least = scores.size > count ? boundBelow(scores, count) : Number.NEGATIVE_INFINITY
  const entries = scores.from(least)
  entries.sort((x, y) => y[1] - x[1] || y[0] - x[0])
  return entries.slice(0, count).map(([row]) => row)
}

/** More make the bound tighter, so fewer rows are sorted. */
const buckets = 2_000

/** At least `count` scores are not below it, and hardly more. Counting in buckets takes a fifth of the time of sorting. */
function boundBelow(scores: Scores, count: number): number {
  const values = scores.values()
  let [lowest, highest] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const value of values) {
    if (value < lowest) lowest = value
    if (value > highest) highest = value
  }
  if (lowest === highest) return lowest
  const bucketOf = (value: number) => Math.floor(((value - lowest) / (highest - lowest)) * (buckets - 1))
  const counts = new Uint32Array(buckets)
  for (const value of values) {
    const bucket = bucketOf(value)
    counts[bucket] = (counts[bucket] as number) + 1
  }
  let at = buckets
  for (let found = 0; found < count; ) found += counts[--at] as number
  let least = Number.POSITIVE_INFINITY
  for (const value of values) if (value < least && bucketOf(value) >= at) least = value
  return least
}

/** Removes the rows that fail the filter from `scores`. Returns how many. */
function removeFailing(db: Database, filter: SearchFilter, scores: Scores, rows: readonly number[]): number {
  const [found] = statement(
    db,
    `SELECT group_concat(row) FROM search_documents
     WHERE row IN (SELECT value FROM json_each(?1)) AND NOT (
       (?2 IS NULL OR dated > ?2)
       AND (?3 IS NULL OR (valid_from <= ?3 AND (valid_to IS NULL OR ?3 < valid_to)))
       AND (?4 IS NULL OR category IS ?4)
       AND (?5 IS NULL OR significance IS ?5)
       AND (?6 IS NULL OR surface IS ?6)
       AND (?7 IS NULL OR ?7 IN (SELECT value FROM json_each(entity_types)))
       AND (?8 IS NULL OR dated <= ?8)
       AND (?9 IS NULL OR NOT EXISTS (
         SELECT 1 FROM json_each(?9) AS wanted WHERE NOT EXISTS (
           SELECT 1 FROM json_each(wanted.value) AS one WHERE one.value IN (SELECT value FROM json_each(tags)))))
       AND (?10 IS NULL OR NOT (
         ?10 IN (SELECT value FROM json_each(tags))
         AND valid_from <= ?11 AND (valid_to IS NULL OR ?11 < valid_to))))`,
  ).get(
    JSON.stringify(rows),
    filter.since ?? null,
    filter.as_of ?? null,
    filter.category ?? null,
    filter.significance ?? null,
    filter.surface ?? null,
    filter.entity_type ?? null,
    filter.until ?? null,
    filter.tags === undefined ? null : JSON.stringify(filter.tags),
    filter.except?.tag ?? null,
    filter.except?.as_of ?? null,
  ) as [string | null]
  const failing = found === null ? [] : found.split(',')
  for (const row of failing) scores.delete(Number(row))
  return failing.length
}
