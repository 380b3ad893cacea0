/** What is in force, from the store alone: for a brief without a query, and while search is away. */
import type { Reads } from '../../operation.ts'
import { newestFirst, type RecordReader } from '../../records/read.ts'
import { type Envelope, envelopeFields, inForce, records } from '../../records/record.ts'
import { analyze } from '../../text/analyzer.ts'
import { termsOf } from '../../text/query.ts'
import { type Found, type Item, itemsOf } from './found.ts'

/** The newest decisions and the newest memories that are looked at, of each kind so many rows. */
const mostExamined = 200
/** The newest decisions of which it is told what they superseded. */
const mostSuperseding = 5

/** What matters most now. */
export async function standing(limit: number, reader: RecordReader, reads: Reads): Promise<Found> {
  const [decided, remembered] = await Promise.all([newest('decision', reader, reads), newest('memory', reader, reads)])
  return foundIn(decided, remembered, limit, reader, () => null)
}

/** The same for those whose title or topics hold a word of the query: what search would find, and less. */
export async function standingOn(query: string, limit: number, reader: RecordReader, reads: Reads): Promise<Found> {
  const { terms } = termsOf(query)
  const [decided, remembered] = await Promise.all([newest('decision', reader, reads), newest('memory', reader, reads)])
  const shares = new Map([...decided.rows, ...remembered.rows].map((row) => [row.id, shareOf(row, terms)]))
  const about = ({ rows, isAll }: Newest) => {
    return { rows: rows.filter((row) => (shares.get(row.id) ?? 0) > 0), isAll }
  }
  const found = await foundIn(about(decided), about(remembered), limit, reader, ({ id }) => shares.get(id) ?? 0)
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
  decided: Newest,
  remembered: Newest,
  limit: number,
  reader: RecordReader,
  shareOf: (row: Envelope) => number | null,
): Promise<Found> {
  const holding = (rows: Envelope[]) => rows.filter((row) => inForce(row, reader.now))
  const items = async ({ rows }: Newest) =>
    itemsOf(
      holding(rows).map((record) => ({ record, score: shareOf(record) })),
      reader,
    )
  const superseding = holding(decided.rows).filter(({ supersedes }) => supersedes.length > 0)
  const decisions = await items(decided)
  return {
    decisions: decisions.slice(0, limit),
    others: [],
    memories: await items(remembered),
    replaced: [],
    superseding: superseding.slice(0, mostSuperseding),
    chosenFrom: { count: decisions.length, isAll: decided.isAll },
    relevance: 'unscoped',
    held: decided.rows.filter(({ status }) => status === 'proposed').length,
    terms: [],
    failures: [],
    passing: false,
  }
}

interface Newest {
  rows: Envelope[]
  /** There are no others. */
  isAll: boolean
}

/** Each record once, as it is shown now. */
async function newest(kind: 'decision' | 'memory', reader: RecordReader, { documents }: Reads): Promise<Newest> {
  const rows = await documents.find(records, {
    where: {
      workspace: reader.workspace,
      audience: { in: reader.audiences },
      kind,
      valid_from: { lte: reader.now },
    },
    sort: [
      ['valid_from', 'desc'],
      ['id', 'desc'],
    ],
    limit: mostExamined,
    fields: envelopeFields,
  })
  const isAll = rows.length < mostExamined
  if (kind === 'memory') return { rows, isAll }
  // of revisions that hold at once the one accepted last is shown
  const seen = await reader.records(rows.map((row) => row.record_id))
  return { rows: [...seen.values()].sort(newestFirst), isAll }
}

function shareOf({ title, topics }: Envelope, terms: readonly string[]): number {
  const told = new Set([title, ...topics].flatMap(analyze))
  return terms.filter((term) => told.has(term)).length / Math.max(1, terms.length)
}
