/** What is in force, from the store alone: for a brief without a query, and while search is away. */
import type { Reads } from '../../operation.ts'
import type { Where } from '../../ports/documents.ts'
import type { MemoryKind } from '../../records/body.ts'
import { chunks, newestFirst, type RecordReader, type SeenRecord } from '../../records/read.ts'
import { type Envelope, envelopeFields, inForce, type PrecedentRecord, records } from '../../records/record.ts'
import { analyze } from '../../text/analyzer.ts'
import { termsOf } from '../../text/query.ts'
import { type Counted, type Found, heldAmong, type Item, itemsOf } from './found.ts'

/** The newest decisions that are looked at, and of each group of memories so many rows: none crowds out another. */
const mostDecisions = 200
const mostOfAGroup = 50
/** Of those that were written before rows had their kind, and whose kind is not filled in yet. */
const mostUnknown = 200
/** The newest decisions of which it is told what they superseded. */
const mostSuperseding = 5
/** Decisions whose links are read in one go. */
const linkedAtOnce = 100

/** What matters most now. */
export async function standing(limit: number, reader: RecordReader, reads: Reads): Promise<Found> {
  return foundIn(await lookedAt(reader, reads), limit, reader, () => null)
}

/** The same for those whose title or topics hold a word of the query: what search would find, and less. */
export async function standingOn(query: string, limit: number, reader: RecordReader, reads: Reads): Promise<Found> {
  const { terms } = termsOf(query)
  const { decided, remembered, isAll } = await lookedAt(reader, reads)
  const shares = new Map([...decided, ...remembered].map((row) => [row.id, shareOf(row, terms)]))
  const isAbout = ({ id }: Envelope) => (shares.get(id) ?? 0) > 0
  const about = { decided: decided.filter(isAbout), remembered: remembered.filter(isAbout), isAll }
  const found = await foundIn(about, limit, reader, ({ id }) => shares.get(id) ?? 0)
  // a share of the title's words ranks, and is no measure of how well a record answers
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

/** The newest that superseded what the caller sees. Those that superseded hidden records alone have nothing to tell. */
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
  /** There are no others. */
  isAll: { readonly [kind in Counted]: boolean }
}

/** Each record once, as it is shown now. */
async function lookedAt(reader: RecordReader, reads: Reads): Promise<Looked> {
  const memories = (limit: number, ...kinds: (MemoryKind | null)[]) =>
    newest({ kind: 'memory', memory_kind: { in: kinds } }, limit, reader, reads)
  const [decided, constraints, commitments, facts, outcomes, unknown] = await Promise.all([
    newest({ kind: 'decision' }, mostDecisions, reader, reads),
    memories(mostOfAGroup, 'constraint'),
    memories(mostOfAGroup, 'commitment'),
    memories(mostOfAGroup, 'fact', 'correction'),
    memories(mostOfAGroup, 'session_outcome'),
    memories(mostUnknown, null),
  ])
  // of revisions that hold at once the one accepted last is shown
  const decisions = await reader.records(decided.map((row) => row.record_id))
  const binding = await successorsOf([...constraints, ...commitments], reader)
  const remembered = [constraints, commitments, facts, outcomes, unknown, binding].flat()
  const isAll = (group: Envelope[]) => group.length < mostOfAGroup && unknown.length < mostUnknown
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

/** A correction binds as what it corrects, and may be older than all corrections that are looked at. */
async function successorsOf(rows: readonly Envelope[], reader: RecordReader): Promise<Envelope[]> {
  const superseded = rows.filter(({ superseded_by }) => superseded_by !== null)
  const heads = await reader.heads(superseded.map((row) => row.record_id))
  return [...heads.values()].filter(({ kind }) => kind === 'memory')
}

function shareOf({ title, topics }: Envelope, terms: readonly string[]): number {
  const told = new Set([title, ...topics].flatMap(analyze))
  return terms.filter((term) => told.has(term)).length / Math.max(1, terms.length)
}
