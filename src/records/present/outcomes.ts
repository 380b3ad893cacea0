/** Presents the outcomes of decisions. An outcome has the audience of its decision. */
import type { RecordId } from '../../ids.ts'
import type { Documents, Where } from '../../ports/documents.ts'
import type { DecisionMutable, OutcomeStatus } from '../body.ts'
import { type OutcomeKey, outcomeKeys } from '../projections/outcomes.ts'
import type { RecordReader } from '../read/reader.ts'
import { cut } from '../title.ts'
import { type Presenting, type SourceResponse, sourcesOf } from './present.ts'

export interface OutcomeResponse {
  id: string
  outcome_status: OutcomeStatus
  outcome_notes?: string
  observed_at: string
  recorded_at: string
  sources: SourceResponse[]
}

/** What lists and search show of the leading outcome. */
export interface OutcomeFields {
  outcome_status?: OutcomeStatus
  outcome_notes?: string
}

/** Where a page of outcomes ended. */
export type OutcomePosition = Pick<OutcomeKey, 'observed_at' | 'accepted'>

/** Outcomes of one page of decision.get. */
const pageLength = 50
/** Code points of notes in lists and search. */
const mostShown = 2_000

export function outcomeFields({ outcome }: DecisionMutable): OutcomeFields {
  return outcome === undefined ? {} : fieldsOf(outcome.status, outcome.notes ?? '')
}

function fieldsOf(status: OutcomeStatus, notes: string): OutcomeFields {
  return { outcome_status: status, ...(notes === '' ? {} : { outcome_notes: cut(notes, mostShown) }) }
}

/** One page, newest first, in the order in which outcomes lead. */
export async function outcomesOf(
  decision: RecordId,
  after: OutcomePosition | undefined,
  presenting: Presenting,
  documents: Documents,
): Promise<{ items: OutcomeResponse[]; next: OutcomePosition | undefined }> {
  const found = await keysAfter(decision, after, presenting.reader, documents)
  const page = found.slice(0, pageLength)
  const shown = await responsesOf(
    page.map(({ id }) => id as RecordId),
    presenting,
  )
  return {
    items: page.flatMap(({ id }) => shown.get(id) ?? []),
    next: found.length > pageLength ? page.at(-1) : undefined,
  }
}

async function keysAfter(
  decision: RecordId,
  after: OutcomePosition | undefined,
  { workspace, audiences }: RecordReader,
  documents: Documents,
): Promise<OutcomeKey[]> {
  const where = { workspace, decision, audience: { in: audiences } }
  const find = (more: Where<OutcomeKey>, limit: number) =>
    documents.find(outcomeKeys, { where: { ...where, ...more }, sort: newestFirst, limit })
  if (after === undefined) return find({}, pageLength + 1)
  const same = await find({ observed_at: after.observed_at, accepted: { lt: after.accepted } }, pageLength + 1)
  if (same.length > pageLength) return same
  return [...same, ...(await find({ observed_at: { lt: after.observed_at } }, pageLength + 1 - same.length))]
}

const newestFirst = [
  ['observed_at', 'desc'],
  ['accepted', 'desc'],
] as const

/** Whole outcomes, by id. */
export async function responsesOf(
  ids: readonly RecordId[],
  presenting: Presenting,
): Promise<Map<string, OutcomeResponse>> {
  const rows = await presenting.reader.rows(ids, ['kind', 'body', 'text', 'valid_from', 'created_at', 'sources'])
  const shown = new Map<string, OutcomeResponse>()
  for (const [id, row] of rows) {
    if (row.kind !== 'outcome') continue
    shown.set(id, {
      id,
      outcome_status: row.body.outcome_status,
      ...(row.text === '' ? {} : { outcome_notes: row.text }),
      observed_at: row.valid_from,
      recorded_at: row.created_at,
      sources: await sourcesOf(row, presenting),
    })
  }
  return shown
}

/** The leading outcome of each decision among these records, if it has one. `asOf`: ignores outcomes observed later. */
export async function leadingOutcomes(
  ids: readonly RecordId[],
  { reader }: Presenting,
  documents: Documents,
  asOf?: string,
): Promise<Map<RecordId, OutcomeFields>> {
  const decisions = [...(await reader.records(ids)).values()].filter(({ kind }) => kind === 'decision')
  const rows = await reader.rows(
    decisions.map(({ current }) => current),
    ['kind', 'mutable'],
  )
  const found = new Map<RecordId, OutcomeFields>()
  for (const { record_id, current } of decisions) {
    const row = rows.get(current)
    if (row?.kind !== 'decision' || row.mutable.outcome === undefined) continue
    const isKnownThen = asOf === undefined || row.mutable.outcome.observed_at <= asOf
    const fields = isKnownThen ? outcomeFields(row.mutable) : await leadingAt(asOf, record_id, reader, documents)
    if (fields) found.set(record_id, fields)
  }
  return found
}

async function leadingAt(asOf: string, decision: RecordId, reader: RecordReader, documents: Documents) {
  const { workspace, audiences } = reader
  const where = { workspace, decision, audience: { in: audiences }, observed_at: { lte: asOf } }
  const [key] = await documents.find(outcomeKeys, { where, sort: newestFirst, limit: 1 })
  const row = key && (await reader.rows([key.id], ['kind', 'body', 'text'])).get(key.id)
  return row?.kind === 'outcome' ? fieldsOf(row.body.outcome_status, row.text) : undefined
}
