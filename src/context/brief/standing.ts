/** The records of a brief from the store alone: for a brief without a query, or if search is unavailable. */
import type { Reads } from '../../operation.ts'
import { chunks } from '../../ports/chunks.ts'
import type { Where } from '../../ports/documents.ts'
import type { MemoryKind } from '../../records/body.ts'
import type { RecordReader } from '../../records/read/reader.ts'
import { newestFirst, type SeenRecord } from '../../records/read/seen-record.ts'
import { type Envelope, envelopeFields, inForce, type PrecedentRecord, records } from '../../records/record.ts'
import { analyze } from '../../text/analyzer.ts'
import { termsOf } from '../../text/query.ts'
import { type Counted, type Found, heldAmong, type Item, itemsOf } from './found.ts'

/** The newest decisions that are read. */
const mostDecisions = 200
/** Rows of each group of memories; bounded by group, so that no group displaces another. */
const mostOfAGroup = 50
/** The newest decisions whose superseded records the brief names. */
const mostSuperseding = 5
/** Decisions in one read of links. */
const linkedAtOnce = 100

/** The records that matter most now. */
export async function standing(limit: number, reader: RecordReader, reads: Reads): Promise<Found> {
  return foundIn(await lookedAt(reader, reads), limit, reader, () => null)
}

/** The same, limited to records whose title or topics contain a word of the query. Finds less than search would. */
export async function standingOn(query: string, limit: number, reader: RecordReader, reads: Reads): Promise<Found> {
  const { terms } = termsOf(query)
  const { decided, remembered, isAll } = await lookedAt(reader, reads)
  const shares = new Map([...decided, ...remembered].map((row) => [row.id, shareOf(row, terms)]))
  const isAbout = ({ id }: Envelope) => (shares.get(id) ?? 0) > 0
  const about = { decided: decided.filter(isAbout), remembered: remembered.filter(isAbout), isAll }
  const found = await foundIn(about, limit, reader, ({ id }) => shares.get(id) ?? 0)
  // this share of words serves for ranking only: it does not measure how well a record answers
  const unmeasured = (items: Item[]) => items.map((item) => ({ ...item, match: null }))
  const { decisions, memories } = found
  return {
    ...found,
    decisions: unmeasured(decisions),
    memories: unmeasured(memories),
    chosenFrom: null,
    relevance: 'unknown',
    terms,
  }
}

async function foundIn(
  { decided, remembered, isAll }: Looked,
  limit: number,
  reader: RecordReader,
  shareOf: (row: Envelope) => number | null,
): Promise<Found> {
  const holding = (rows: Envelope[]) => rows.filter((row) => inForce(row, reader.now))
  const items = async (rows: Envelope[]) =>
    itemsOf(
      holding(rows).map((record) => ({ record, score: shareOf(record) })),
      reader,
    )
  const superseding = await supersedingAmong(
    decided.filter((row) => inForce(row, reader.now)),
    reader,
  )
  const [decisions, memories] = [await items(decided), await items(remembered)]
  const choice = (kind: Counted, among: Item[], ...kinds: Item['kind'][]) => {
    return { count: among.filter((item) => kinds.includes(item.kind)).length, isAll: isAll[kind] }
  }
  return {
    decisions: decisions.slice(0, limit),
    others: [],
    memories,
    replaced: [],
    superseding,
    chosenFrom: {
      decision: choice('decision', decisions, 'decision'),
      constraint: choice('constraint', memories, 'constraint'),
      commitment: choice('commitment', memories, 'commitment'),
      fact: choice('fact', memories, 'fact', 'correction'),
    },
    relevance: 'unscoped',
    held: heldAmong(decided),
    terms: [],
    failures: [],
    passing: false,
  }
}

/** The newest decisions that superseded a record which the caller sees. */
async function supersedingAmong(decided: readonly SeenRecord[], reader: RecordReader): Promise<Envelope[]> {
  const found: Envelope[] = []
  for (const some of chunks(decided, linkedAtOnce)) {
    const links = await reader.links(some)
    found.push(...some.filter((_, at) => links[at]?.supersedes.length !== 0))
    if (found.length >= mostSuperseding) break
  }
  return found.slice(0, mostSuperseding)
}

interface Looked {
  decided: SeenRecord[]
  remembered: Envelope[]
  /** For each kind: all records in force were read. */
  isAll: { readonly [kind in Counted]: boolean }
}

/** Reads each record once, in the revision shown now. */
async function lookedAt(reader: RecordReader, reads: Reads): Promise<Looked> {
  const memories = (...kinds: MemoryKind[]) =>
    newest({ kind: 'memory', memory_kind: { in: kinds } }, mostOfAGroup, reader, reads)
  const [decided, constraints, commitments, facts, outcomes] = await Promise.all([
    newest({ kind: 'decision' }, mostDecisions, reader, reads),
    memories('constraint'),
    memories('commitment'),
    memories('fact', 'correction'),
    memories('session_outcome'),
  ])
  // if several revisions are in force, the one accepted last is shown
  const decisions = await reader.records(decided.map((row) => row.record_id))
  const binding = await successorsOf([...constraints, ...commitments], reader)
  const remembered = [constraints, commitments, facts, outcomes, binding].flat()
  const isAll = (group: Envelope[]) => group.length < mostOfAGroup
  return {
    decided: [...decisions.values()].sort(newestFirst),
    remembered: [...new Map(remembered.map((row) => [row.id, row])).values()],
    isAll: {
      decision: decided.length < mostDecisions,
      constraint: isAll(constraints),
      commitment: isAll(commitments),
      fact: isAll(facts),
    },
  }
}

function newest(
  which: Where<PrecedentRecord>,
  limit: number,
  reader: RecordReader,
  { documents }: Reads,
): Promise<Envelope[]> {
  return documents.find(records, {
    where: {
      workspace: reader.workspace,
      audience: { in: reader.audiences },
      ...which,
      valid_from: { lte: reader.now },
    },
    sort: [
      ['valid_from', 'desc'],
      ['id', 'desc'],
    ],
    limit,
    fields: envelopeFields,
  })
}

/** Corrections of constraints and commitments, which may be older than the corrections read above. */
async function successorsOf(rows: readonly Envelope[], reader: RecordReader): Promise<Envelope[]> {
  const superseded = rows.filter(({ superseded_by }) => superseded_by !== null)
  const heads = await reader.heads(superseded.map((row) => row.record_id))
  return [...heads.values()].filter(({ kind }) => kind === 'memory')
}

function shareOf({ title, topics }: Envelope, terms: readonly string[]): number {
  const words = new Set([title, ...topics].flatMap(analyze))
  return terms.filter((term) => words.has(term)).length / Math.max(1, terms.length)
}
