/** Turns scored rows into candidates: the best that pass the filter, with exact frequencies. */

import type { RecordKind } from '../../../ids.ts'
import type { Candidate, SearchFilter } from '../../../ports/search.ts'
import { frequencyIn } from '../../../text/frequencies.ts'
import { type Database, statement } from '../base/database.ts'

/**
 * Returns up to `limit` candidates, best first, and newest first among equals. `terms` are encoded. Removes rows that
 * fail the filter from `scores`.
 */
export function candidatesIn(
  db: Database,
  filter: SearchFilter,
  scores: Map<number, number>,
  terms: readonly string[],
  limit: number,
): Candidate[] {
  return candidatesOfRows(db, passingRows(db, filter, scores, limit), terms)
}

/** Only the rows. */
export function passingRows(db: Database, filter: SearchFilter, scores: Map<number, number>, limit: number): number[] {
  return looksAtRows(filter) ? bestPassing(db, filter, scores, limit) : best(scores, limit)
}

/** Keeps the order of the rows. */
export function candidatesOfRows(db: Database, rows: readonly number[], terms: readonly string[]): Candidate[] {
  const read = readRows(db, rows)
  return rows.map((row) => candidateOf(read.get(row) as Row, terms))
}

/** Whether the filter has conditions that postings can't check. */
export function looksAtRows(filter: SearchFilter): boolean {
  const { since, until, as_of, category, significance, surface, entity_type, tags, except } = filter
  const conditions = [since, until, as_of, category, significance, surface, entity_type, tags, except]
  return conditions.some((value) => value !== undefined)
}

/** Most searches need one round. If few rows pass the filter, each round checks more rows. */
function bestPassing(db: Database, filter: SearchFilter, scores: Map<number, number>, limit: number): number[] {
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
function best(scores: ReadonlyMap<number, number>, count: number): number[] {
  let entries = [...scores]
  if (entries.length > count) {
    // sorting plain numbers is many times faster than sorting pairs
    const least = Float64Array.from(scores.values()).sort().at(-count) as number
    entries = entries.filter(([, value]) => value >= least)
  }
  entries.sort((x, y) => y[1] - x[1] || y[0] - x[0])
  return entries.slice(0, count).map(([row]) => row)
}

/** Removes the rows that fail the filter from `scores`. Returns how many. */
function removeFailing(
  db: Database,
  filter: SearchFilter,
  scores: Map<number, number>,
  rows: readonly number[],
): number {
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

/** The fields of a row, as text. */
type Row = string[]

function readRows(db: Database, rows: readonly number[]): Map<number, Row> {
  // returns one string: separate values for each field and row would cost three times as much
  const [found] = statement(
    db,
    `SELECT group_concat(
       concat_ws(char(31), row, id, record_id, kind, version, valid_from, coalesce(valid_to, ''), length, terms), char(30))
     FROM search_documents WHERE row IN (SELECT value FROM json_each(?))`,
  ).get(JSON.stringify(rows)) as [string | null]
  const read = new Map<number, Row>()
  for (const text of found?.split('\x1e') ?? []) {
    const row = text.split('\x1f')
    read.set(Number(row[0]), row)
  }
  return read
}

function candidateOf(row: Row, terms: readonly string[]): Candidate {
  const [, id, record_id, kind, version, valid_from, valid_to, length, text] = row as [string, ...string[]]
  return {
    id: id as string,
    record_id: record_id as string,
    kind: kind as RecordKind,
    version: Number(version),
    valid_from: valid_from as string,
    valid_to: valid_to === '' ? null : (valid_to as string),
    length: Number(length),
    frequencies: terms.map((term) => frequencyIn(text as string, term)),
  }
}
