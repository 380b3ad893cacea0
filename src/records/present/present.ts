/**
 * The one presenter: every answer that shows records is made here and in present-*.ts, from a RecordReader. So no
 * answer contains what the actor can't see, neither as a record nor as an id inside another record.
 */

import { visibilityOf } from '../audience.ts'
import { dateTold } from '../imported.ts'
import { inForce } from '../in-force.ts'
import { kinds, pathOf } from '../kinds.ts'
import { leadingSources, namedIn, namedRecord } from '../named.ts'
import type { PlannedSuccessor } from '../read/planned.ts'
import type { RecordReader } from '../read/reader.ts'
import { mostLinks, type SeenRecord } from '../read/seen-record.ts'
import type { Envelope, Provenance, Source } from '../record.ts'
import { cut } from '../title.ts'

export interface Presenting {
  reader: RecordReader
  /** The beginning of absolute urls, without a slash at the end. */
  publicUrl: string
}

/** A source reference of the specification, in answers. */
export interface SourceResponse extends Source {}

export interface ConflictResponse {
  source: SourceResponse
  superseded_by: SourceResponse
  message: string
}

const longestUrl = 2000
const longestTitle = 500
const longestMessage = 2000

/** The record itself as a source: of a hit, a citation, a conflict or a change (SEMANTICS 3). */
export async function sourceOf(record: Envelope, presenting: Presenting): Promise<SourceResponse> {
  return {
    type: record.kind,
    id: record.record_id,
    title: titleWithStatus(record),
    ...urlField(record, presenting.publicUrl),
    occurred_at: record.valid_from,
    provenance: await provenanceOf(record, presenting),
  }
}

/** The same for many records: loads what their sources name in one read. */
export async function sourcesOfAll(records: readonly Envelope[], presenting: Presenting): Promise<SourceResponse[]> {
  const { reader } = presenting
  await reader.records(
    records.flatMap((record) => namedIn(leadingSources(record).slice(0, readFirst), reader.workspace)),
  )
  return Promise.all(records.map((record) => sourceOf(record, presenting)))
}

/** Adds the status to the title of a decision that is not accepted, for places that show only the title. */
export function titleWithStatus(record: Pick<Envelope, 'kind' | 'title' | 'status'>): string {
  if (record.kind !== 'decision' || record.status === 'accepted') return cut(record.title, longestTitle)
  const mark = ` (${record.status})`
  return cut(record.title, longestTitle - mark.length) + mark
}

export function urlField(record: Pick<Envelope, 'kind' | 'record_id'>, publicUrl: string): { url?: string } {
  const path = pathOf(record.kind, record.record_id)
  const url = path === undefined ? '' : publicUrl + path
  return url === '' || url.length > longestUrl ? {} : { url }
}

async function provenanceOf(record: Envelope, presenting: Presenting): Promise<Provenance> {
  const first = await firstSourceOf(record, presenting)
  if (first) return first.provenance
  return { class: kinds[record.kind].provenance }
}

/** One conflict for each successor of a superseded record, with the head of that successor's chain. */
export async function conflictsOf(older: readonly SeenRecord[], presenting: Presenting): Promise<ConflictResponse[]> {
  const { reader } = presenting
  const direct = await reader.links(older)
  const heads = await reader.heads(direct.flatMap(({ successors }) => successors.map((one) => one.record.record_id)))
  const conflicts = older.map(async (record, at) => {
    const shown = new Map<string, Promise<ConflictResponse>>()
    for (const successor of direct[at]?.successors ?? []) {
      const head = heads.get(successor.record.record_id)
      if (!head || shown.has(head.record_id)) continue
      const reason = head.record_id === successor.record.record_id ? successor.reason : null
      shown.set(head.record_id, conflictOf(record, head, reason, presenting))
    }
    return Promise.all(shown.values())
  })
  return (await Promise.all(conflicts)).flat()
}

async function conflictOf(older: SeenRecord, newer: SeenRecord, reason: string | null, presenting: Presenting) {
  const why = reason === null ? '' : ` Reason: ${reason}`
  const message = `“${titleWithStatus(older)}” was superseded by “${titleWithStatus(newer)}” (${dateTold(newer)}).${why}`
  return {
    source: await sourceOf(older, presenting),
    superseded_by: await sourceOf(newer, presenting),
    message: cut(message, longestMessage),
  }
}

/**
 * A record's own sources, without those that name a record which the actor doesn't see. Sources that name a missing
 * record are left out as well, so the absence of a source does not reveal a hidden record.
 */
export async function sourcesOf(record: Pick<Envelope, 'sources'>, presenting: Presenting): Promise<SourceResponse[]> {
  return seenOf(record.sources, presenting)
}

/** The first of its sources that the actor sees; it gives the record's provenance. */
export async function firstSourceOf(record: Envelope, presenting: Presenting): Promise<SourceResponse | undefined> {
  const leading = leadingSources(record)
  const [first] = await seenOf(leading.slice(0, readFirst), presenting)
  return first ?? (await seenOf(leading.slice(readFirst), presenting))[0]
}

/** Sources of a record whose own records are read at once. More are read only if the caller sees none of these. */
const readFirst = 10

async function seenOf(sources: readonly Source[], { reader }: Presenting): Promise<Source[]> {
  const visible = await reader.records(namedIn(sources, reader.workspace))
  return sources.filter((source) => {
    const id = namedRecord(source, reader.workspace)
    return id === undefined || visible.has(id)
  })
}

/** Fields of every record in answers. */
export function commonFields(record: SeenRecord, presenting: Presenting) {
  return {
    ...urlField(record, presenting.publicUrl),
    in_force: inForce(record, presenting.reader.now),
    visibility: visibilityOf(record.audience),
    recorded_at: record.created_at,
    updated_at: record.updated_at,
    ...(record.valid_to === null ? {} : { valid_to: record.valid_to }),
  }
}

/** What will supersede a record, left out if nothing will. */
export function plannedSuccessors(successors: readonly PlannedSuccessor[] = []) {
  if (successors.length === 0) return {}
  return {
    planned_successors: successors
      .slice(0, mostLinks)
      .map(({ record, at }) => ({ type: record.kind, id: record.record_id, title: titleWithStatus(record), at })),
  }
}
