/** decision.find: decisions by a question, by id, or the newest that pass filters. */
import type { z } from 'zod'
import { type List, listOutput, openList } from '../access/list.ts'
import { type RankPosition, rankedHits, type Wanted } from '../context/hits.ts'
import type { RecordId } from '../ids.ts'
import { defineQuery, type Reads } from '../operation.ts'
import type { Where } from '../ports/documents.ts'
import { bodyOf } from '../records/body.ts'
import { inForce } from '../records/in-force.ts'
import type { Presenting } from '../records/present/present.ts'
import { recordReader } from '../records/read/reader.ts'
import type { SeenRecord } from '../records/read/seen-record.ts'
import { type Envelope, type PrecedentRecord, records } from '../records/record.ts'
import { tagOf, tagsOf } from '../records/search-document.ts'
import { type FindInput, findInput, tagNames } from './find-input.ts'
import { decisionRecord } from './schema.ts'
import { shownDecisions } from './shown.ts'

export const findOutput = listOutput(decisionRecord)
export type FindOutput = z.output<typeof findOutput>

/** Rows of the store examined for one page, approximately: a page may be short and still have a cursor. */
const mostExamined = 1_000

export const findDecisions = defineQuery<FindInput, FindOutput>({
  name: 'decision.find',
  scope: 'context:read',
  summary: 'Decisions that answer a question, known ones by id, or the newest that pass filters.',
  input: findInput,
  output: findOutput,

  async run({ input, actor, reads }) {
    const presenting = { reader: recordReader(reads.documents, actor, reads.clock), publicUrl: reads.publicUrl }
    const list = <Position>() => openList<Position>(reads, actor, 'decision.find', input)
    if (input.ids) return byIds(input.ids as RecordId[], list(), presenting)
    if (input.external_id !== undefined) return byExternalId(input.external_id, input, list(), presenting, reads)
    if (input.q !== undefined) return byQuestion(input, input.q, list(), presenting, reads)
    return newest(input, list(), presenting, reads)
  },
})

/** In the order of the ids, each once. All fit on one page, so every cursor is refused. */
async function byIds(ids: readonly RecordId[], list: List<never>, presenting: Presenting): Promise<FindOutput> {
  const found = [...(await presenting.reader.records(ids)).values()].filter(({ kind }) => kind === 'decision')
  return list.page(await shownDecisions(found, presenting), undefined)
}

/** A caller has few audiences, and each has at most one decision with this id. So all fit on one page. */
async function byExternalId(
  external_id: string,
  input: FindInput,
  list: List<never>,
  presenting: Presenting,
  { documents }: Reads,
): Promise<FindOutput> {
  const { reader } = presenting
  const rows = await Promise.all(
    reader.audiences.map((audience) => {
      const where = { workspace: reader.workspace, audience, kind: 'decision', external_id } as const
      return documents.find(records, { where, limit: 1, fields: ['record_id'] })
    }),
  )
  const seen = [...(await reader.records(rows.flat().map(({ record_id }) => record_id))).values()]
  const passed = await passing(seen.filter(isListed), input, presenting)
  return list.page(await shownDecisions([...passed.values()], presenting), undefined)
}

async function byQuestion(
  input: FindInput,
  q: string,
  list: List<RankPosition>,
  presenting: Presenting,
  reads: Reads,
): Promise<FindOutput> {
  const wanted = {
    q,
    filter: engineFilter(input, presenting.reader.now),
    threshold: input.threshold,
    headKind: 'decision' as const,
    findsAhead: true,
    // asked for by their standing, superseded decisions are not replaced by others
    keepsSuperseded: [input.status, input.in_force, input.outcome_status].some((one) => one !== undefined),
    accepts: async (records: readonly Envelope[]) => new Set((await passing(records, input, presenting)).keys()),
    limit: input.limit,
    after: list.position,
  }
  const { hits, next } = await rankedHits(wanted, presenting.reader, reads)
  const scores = new Map(hits.map(({ record, score }) => [record.record_id, score]))
  const found = await presenting.reader.records(scores.keys())
  return list.page(await shownDecisions([...found.values()], presenting, scores), next)
}

/** The filters of the search engine. `passes` means the same. An outcome has the tags of its decision. */
function engineFilter(input: FindInput, now: string): Wanted['filter'] {
  const { since, until, in_force } = input
  const accepted = tagOf('status', 'accepted')
  const tags = [...tagsIn(input), ...(in_force === true ? [[accepted]] : [])]
  return {
    kinds: ['decision', 'outcome'],
    ...(tags.length === 0 ? {} : { tags }),
    ...(in_force === true ? { as_of: now } : {}),
    ...(in_force === false ? { except: { tag: accepted, as_of: now } } : {}),
    ...(since === undefined ? {} : { since }),
    ...(until === undefined ? {} : { until }),
  }
}

function passes(record: Envelope, decidedBy: readonly string[], input: FindInput, now: string): boolean {
  const { since, until, in_force } = input
  const tags = new Set(tagsOf(record, decidedBy))
  return (
    tagsIn(input).every((some) => some.some((one) => tags.has(one))) &&
    (in_force === undefined || inForce(record, now) === in_force) &&
    (since === undefined || record.valid_from > since) &&
    (until === undefined || record.valid_from <= until)
  )
}

/** For each filter, a list of tags: a decision must have at least one of them. */
function tagsIn(input: FindInput): string[][] {
  return Object.entries(tagNames).flatMap(([field, name]) => {
    const values = input[field as keyof typeof tagNames]
    return values === undefined ? [] : [values.map((value) => tagOf(name, value))]
  })
}

type Position = Pick<Envelope, 'valid_from' | 'id'>

/** Also those that come into force in the future. */
function isListed({ invalidated_at }: Envelope): boolean {
  return invalidated_at === null
}

/** By valid_from and id of the revision that is shown. */
async function newest(
  input: FindInput,
  list: List<Position>,
  presenting: Presenting,
  reads: Reads,
): Promise<FindOutput> {
  const found: SeenRecord[] = []
  const page = async (next: Position | undefined): Promise<FindOutput> =>
    list.page(await shownDecisions(found, presenting), next)
  let last = list.position
  for (let examined = 0; examined < mostExamined; ) {
    const { rows, ended } = await rowsAfter(last, input, presenting, reads)
    const listed = await listedOf(rows, input, presenting)
    for (const { id, valid_from } of rows) {
      const record = listed.get(id)
      if (record && found.length === input.limit) return page(last)
      if (record) found.push(record)
      last = { id, valid_from }
    }
    if (ended) return page(undefined)
    examined += rows.length
  }
  return page(last)
}

/** The records of which these rows are shown and that pass the filters, by row. */
async function listedOf(
  rows: readonly Pick<Envelope, 'id' | 'record_id'>[],
  input: FindInput,
  { reader }: Presenting,
): Promise<Map<string, SeenRecord>> {
  const seen = await reader.records(rows.map(({ record_id }) => record_id))
  const shown = rows.flatMap(({ id, record_id }) => {
    const record = seen.get(record_id)
    return record?.id === id && isListed(record) ? [record] : []
  })
  return passing(shown, input, { reader })
}

/** Those that pass the filters, by row. */
async function passing<Row extends Envelope>(
  records: readonly Row[],
  input: FindInput,
  { reader }: Pick<Presenting, 'reader'>,
): Promise<Map<string, Row>> {
  const bodies = await reader.rows(input.decided_by === undefined ? [] : records.map(({ id }) => id), ['kind', 'body'])
  const decidedBy = (id: string) => {
    const row = bodies.get(id)
    return row === undefined ? [] : bodyOf(row, 'decision').decided_by
  }
  const found = records.filter((record) => passes(record, decidedBy(record.id), input, reader.now))
  return new Map(found.map((record) => [record.id, record]))
}

/** First the remaining rows of the same valid_from, then older ones. */
async function rowsAfter(
  last: Position | undefined,
  { limit, since, until, outcome_status, in_force }: FindInput,
  { reader }: Presenting,
  { documents }: Reads,
): Promise<{ rows: Pick<Envelope, 'id' | 'record_id' | 'valid_from'>[]; ended: boolean }> {
  const most = 2 * limit + 1
  // few decisions have an outcome: they have an index. For 'none' it would save nothing, and miss rows of the first stores
  const led = outcome_status?.includes('none') === false ? { outcome_status: { in: outcome_status } } : {}
  const find = (range: Where<PrecedentRecord>, limit: number) =>
    documents.find(records, {
      where: { workspace: reader.workspace, audience: { in: reader.audiences }, kind: 'decision', ...led, ...range },
      sort: [
        ['valid_from', 'desc'],
        ['id', 'desc'],
      ],
      limit,
      fields: ['id', 'record_id', 'valid_from'],
    })
  const same = last ? await find({ valid_from: last.valid_from, id: { lt: last.id } }, most) : []
  if (same.length === most) return { rows: same, ended: false }
  const rest = most - same.length
  // what is in force has begun
  const newest = in_force === true && (until === undefined || reader.now < until) ? reader.now : until
  const before = last ? { lt: last.valid_from } : newest === undefined ? {} : { lte: newest }
  const period = { ...before, ...(since === undefined ? {} : { gt: since }) }
  const older = await find(Object.keys(period).length === 0 ? {} : { valid_from: period }, rest)
  return { rows: [...same, ...older], ended: older.length < rest }
}
