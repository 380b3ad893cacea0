/**
 * Chooses the record that each hit shows: the one that was found, or another one that stands for it, which then has to meet
 * the filters itself.
 */

import type { RecordId, RecordKind } from '../ids.ts'
import type { Reads } from '../operation.ts'
import { inForce, isFound } from '../records/in-force.ts'
import { supersededUntil } from '../records/read/planned.ts'
import type { RecordReader } from '../records/read/reader.ts'
import type { SeenRecord } from '../records/read/seen-record.ts'
import { type Envelope, envelopeFields } from '../records/record.ts'
import type { Scored } from '../text/scorer.ts'

export interface HitOptions {
  /** Find only revisions that were in force at this instant. */
  asOf?: string | undefined
  /** A superseded hit is replaced by the newest record of this kind in its chain; by default of any kind. */
  headKind?: RecordKind
  /** A superseded hit stands for itself. */
  keepsSuperseded?: boolean
  /** Finds records too that come into force in the future. */
  findsAhead?: boolean
  /**
   * Returns the row ids of those that meet the filters. Asked about what was not found itself: heads of chains, other
   * revisions, and the decisions of outcomes.
   */
  accepts?(records: readonly Envelope[]): Promise<ReadonlySet<string>>
}

export interface HitRecord {
  head: Envelope
  /** The record that was found, if it is superseded. */
  replaced?: SeenRecord
}

/** By the id of the row that was found. */
export async function recordsOfHits(
  some: readonly Scored[],
  options: HitOptions,
  reader: RecordReader,
  reads: Reads,
): Promise<Map<string, HitRecord>> {
  const { asOf } = options
  const records = asOf === undefined ? await current(some, options, reader) : await inForceAt(asOf, some, reader, reads)
  const accepted = await acceptedOf(records, options)
  return new Map([...records].filter(([id, { head }]) => head.id === id || accepted.has(head.id)))
}

/** Without asOf: the shown revision of each record, or the head of its chain. */
async function current(
  some: readonly Scored[],
  { headKind, keepsSuperseded = false, findsAhead = false }: HitOptions,
  reader: RecordReader,
): Promise<Map<string, HitRecord>> {
  const ids = some.map(({ candidate }) => candidate.record_id as RecordId)
  const records = await reader.records(ids)
  const isShown = (row: Envelope) => (findsAhead ? row.invalidated_at === null : isFound(row, reader.now))
  const heads = keepsSuperseded
    ? records
    : await reader.heads(ids, ({ kind }) => headKind === undefined || kind === headKind)
  return new Map(
    some.flatMap(({ candidate }): [string, HitRecord][] => {
      const record = records.get(candidate.record_id as RecordId)
      const head = heads.get(candidate.record_id as RecordId)
      if (!record || !head || !isShown(record) || !isShown(head)) return []
      return [[candidate.id, head.record_id === record.record_id ? { head } : { head, replaced: record }]]
    }),
  )
}

/** With asOf: the revision that the engine proposes itself, if it is in force at that instant. */
async function inForceAt(
  asOf: string,
  some: readonly Scored[],
  reader: RecordReader,
  { documents }: Reads,
): Promise<Map<string, HitRecord>> {
  const rows = await reader.rows(
    some.map(({ candidate }) => candidate.id),
    envelopeFields,
  )
  for (const [id, row] of await decidedThen(asOf, some, reader)) rows.set(id, row)
  const found = [...rows].filter(([, row]) => inForce(row, asOf))
  const records = found.map(([, row]) => row.record_id)
  const gone = await supersededUntil(asOf, records, reader, documents)
  return new Map(
    found.flatMap(([id, head]): [string, HitRecord][] => (gone.has(head.record_id) ? [] : [[id, { head }]])),
  )
}

/** For each outcome that was found: the revision of its decision that was in force then. */
async function decidedThen(asOf: string, some: readonly Scored[], reader: RecordReader): Promise<[string, Envelope][]> {
  const outcomes = some.filter(({ candidate }) => candidate.kind === 'outcome')
  const decisions = await reader.records(outcomes.map(({ candidate }) => candidate.record_id as RecordId))
  return outcomes.flatMap(({ candidate }) => {
    const { revisions = [] } = decisions.get(candidate.record_id as RecordId) ?? {}
    const row = revisions.find((one) => inForce(one, asOf))
    return row ? [[candidate.id, row] as const] : []
  }) as [string, Envelope][]
}

/** The rows that meet the filters among those that stand for another row. */
async function acceptedOf(
  records: ReadonlyMap<string, HitRecord>,
  { accepts }: HitOptions,
): Promise<ReadonlySet<string>> {
  const others = [...records].flatMap(([id, { head }]) => (head.id === id ? [] : [head]))
  return accepts && others.length > 0 ? accepts(others) : new Set(others.map(({ id }) => id))
}
