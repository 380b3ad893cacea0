/** The records of a brief from the store alone: for a brief without a query, or if search is unavailable. */
import type { Reads } from '../../../operation.ts'
import { chunks } from '../../../ports/chunks.ts'
import { inForce } from '../../../records/in-force.ts'
import type { RecordReader } from '../../../records/read/reader.ts'
import { newestFirst, type SeenRecord } from '../../../records/read/seen-record.ts'
import type { Envelope } from '../../../records/record.ts'
import { analyze } from '../../../text/analyzer.ts'
import { termsOf } from '../../../text/query.ts'
import { currentAmong } from './current.ts'
import { binds, type Counted, type Found, heldAmong, type Item, itemsOf, nothingFound, unscored } from './found.ts'
import { bindingRows, lastSaidFirst, mostOfAGroup, newest, newestMemories } from './newest.ts'

/** The newest decisions that are read. */
const mostDecisions = 200
/** Facts and session outcomes that may have outdated what is told. */
const mostCompared = 60
/** Decisions told. */
const mostTold = 5
/** The newest proposals. Those that are listed as questions are not told again. */
const mostProposed = 8
/** How many times as many are compared with newer records, because some may be outdated. */
const timesCompared = 2
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
  const { decided, remembered, current, isAll } = await lookedAt(reader, reads)
  const shares = new Map([...decided, ...remembered].map((row) => [row.id, shareOf(row, terms)]))
  const isAbout = ({ id }: Envelope) => (shares.get(id) ?? 0) > 0
  const about = { decided: decided.filter(isAbout), remembered: remembered.filter(isAbout), current, isAll }
  const found = await foundIn(about, limit, reader, ({ id }) => shares.get(id) ?? 0)
  // this share of words serves for ranking only: it does not measure how well a record answers
  const unmeasured = (items: Item[]) => items.map((item) => ({ ...item, match: null }))
  const { decisions, memories, binding } = found
  return {
    ...found,
    decisions: unmeasured(decisions),
    memories: unmeasured([...binding, ...memories]),
    binding: [],
    chosenFrom: null,
    relevance: 'unknown',
    terms,
  }
}

async function foundIn(
  { decided, remembered, current, isAll }: Looked,
  limit: number,
  reader: RecordReader,
  shareOf: (row: Envelope) => number | null,
): Promise<Found> {
  const itemsIn = (rows: Envelope[]) => {
    const holding = rows.filter((row) => inForce(row, reader.now))
    return itemsOf(
      holding.map((record) => ({ record, score: shareOf(record) })),
      reader,
    )
  }
  const [decisions, memories] = [await itemsIn(decided), await itemsIn(remembered)]
  const informing = memories.filter((item) => !binds(item))
  const choice = (kind: Counted, among: Item[], ...kinds: Item['kind'][]) => {
    return { count: among.filter((item) => kinds.includes(item.kind)).length, isAll: isAll[kind] }
  }
  const isCurrent = ({ record }: Item) => Number(current.has(record.record_id))
  const proposed = decided.filter(({ status }) => status === 'proposed').slice(0, mostProposed)
  const currentFirst = [...decisions].sort((a, b) => isCurrent(b) - isCurrent(a))
  return {
    ...nothingFound,
    decisions: currentFirst.slice(0, timesCompared * Math.min(limit, mostTold)),
    mostDecisions: Math.min(limit, mostTold),
    others: await unscored(proposed, reader),
    memories: informing,
    background: [...informing].sort(lastSaidFirst).slice(0, mostCompared),
    binding: memories.filter(binds).sort(lastSaidFirst),
    superseding: await supersedingAmong(
      decided.filter((row) => inForce(row, reader.now)),
      reader,
    ),
    chosenFrom: {
      decision: choice('decision', decisions, 'decision'),
      constraint: choice('constraint', memories, 'constraint'),
      commitment: choice('commitment', memories, 'commitment'),
      fact: choice('fact', memories, 'fact', 'correction'),
    },
    relevance: 'unscoped',
    held: heldAmong(decided),
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
  /** Ids of the decisions whose period includes today. */
  current: ReadonlySet<string>
  /** For each kind: all records in force were read. */
  isAll: { readonly [kind in Counted]: boolean }
}

/** Reads each record once, in the revision shown now. */
async function lookedAt(reader: RecordReader, reads: Reads): Promise<Looked> {
  const [decided, binding, facts, outcomes] = await Promise.all([
    newest({ kind: 'decision' }, mostDecisions, reader, reads),
    bindingRows(reader, reads),
    newestMemories(reader, reads, 'fact', 'correction'),
    newestMemories(reader, reads, 'session_outcome'),
  ])
  // if several revisions are in force, the one accepted last is shown
  const decisions = await reader.records(decided.map((row) => row.record_id))
  const current = await currentAmong(decided, reader)
  const { constraints, commitments, corrections } = binding
  const remembered = [constraints, commitments, facts, outcomes, corrections].flat()
  const isAll = (group: Envelope[]) => group.length < mostOfAGroup
  return {
    decided: [...decisions.values()].sort(newestFirst),
    remembered: [...new Map(remembered.map((row) => [row.id, row])).values()],
    current: new Set(current.map(({ record_id }) => record_id)),
    isAll: {
      decision: decided.length < mostDecisions,
      constraint: isAll(constraints),
      commitment: isAll(commitments),
      fact: isAll(facts),
    },
  }
}

function shareOf({ title, topics }: Envelope, terms: readonly string[]): number {
  const words = new Set([title, ...topics].flatMap(analyze))
  return terms.filter((term) => words.has(term)).length / Math.max(1, terms.length)
}
