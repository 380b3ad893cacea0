/**
 * The records of a brief with a query: one search over decisions and memories. How much is told of a record depends on
 * how far it is below the best hit, never on a score of its own. Constraints and commitments are told however little
 * they match.
 */
import type { Reads } from '../../../operation.ts'
import { inForce } from '../../../records/in-force.ts'
import type { RecordReader } from '../../../records/read/reader.ts'
import type { Envelope } from '../../../records/record.ts'
import { answers } from '../../../text/scorer.ts'
import { type Hits, rankedHits } from '../../hits.ts'
import { byWords } from './by-words.ts'
import { currentDecisions } from './current.ts'
import { focused } from './focus.ts'
import { binds, type Found, heldAmong, type Item, itemsOf } from './found.ts'
import { firstHits, hitsToTell } from './hits-to-tell.ts'
import { bindingItems } from './newest.ts'
import { relatedTo } from './related.ts'

/** Hits that are read. Constraints and commitments among them are told. */
const mostHits = 100
/** Memories that are read if there are more hits than that. */
const mostMemories = 200
/** Hits that may have outdated what is told. */
const mostCompared = 60
/** Decisions told in full if a record answers the query, and how near to the best score they must be. */
const mostDecisions = 5
const nearBest = 0.95
/** Share of the best score from which on a memory is told in its section. */
const nearMemories = 0.5
/** Facts told in full, and session outcomes. */
const mostFacts = 8
const mostOutcomes = 4
/** Decisions that are not in force, and how near to the best score they must be. */
const nearOthers = 0.8
const mostOthers = 3
/** Decisions told in all, with those in one line: at most so many times `limit`, which bounds the others. */
const decisionsInAll = 2
/** How many of the records that related.ts finds are told. */
const mostRelated = 12
/** Constraints and commitments told besides those that match, until there are so many. */
const leastBinding = 25
const mostBinding = 40

interface Sought {
  query: string
  /** Decisions. */
  limit: number
}

/** Throws EngineUnavailable if search is unavailable. */
export async function matching({ query, limit }: Sought, reader: RecordReader, reads: Reads): Promise<Found> {
  const filter = { kinds: ['decision', 'outcome', 'memory'] as const }
  const hits = await rankedHits({ q: query, filter, limit: mostHits, after: undefined }, reader, reads)
  const best = hits.hits[0]?.score ?? 0
  const isAnswered = best >= answers
  const further = hits.next === undefined ? [] : await furtherMemories(query, hits.hits, reader, reads)
  const told = await itemsOf(await hitsToTell([...hits.hits, ...further], reader), reader)
  const holding = told.filter(({ record }) => inForce(record, reader.now))
  const first = new Set(hits.hits.slice(0, firstHits).map(({ record }) => record.record_id))
  const isFirst = ({ record }: Item) => first.has(record.record_id)

  const inFocus = (items: Item[]) => focused(items, query, hits.gains, holding, reader)
  const firstDecisions = told.filter((item) => item.kind === 'decision' && isFirst(item))
  const { decisions, others } = isAnswered
    ? await decisionsInFull(firstDecisions, holding, best, limit, inFocus)
    : { decisions: [], others: [] }
  const memories = memoriesInFull(holding, best)
  const inFull = new Set([...decisions, ...others, ...memories])
  const rest = holding.filter((item) => !inFull.has(item))
  const otherDecisions = told.filter((item) => item.kind === 'decision' && !inFull.has(item))
  // the limit leaves out none of the first hits that is in force
  const isAlwaysTold = (item: Item) => isFirst(item) && holding.includes(item)
  const always = otherDecisions.filter(isAlwaysTold)
  const room = decisionsInAll * limit - decisions.length - others.length - always.length
  const also = [
    ...always,
    ...otherDecisions.filter((item) => !isAlwaysTold(item)).slice(0, Math.max(0, room)),
    ...rest.filter((item) => item.kind !== 'decision' && !binds(item)),
  ]
  const known = new Set(holding.map(({ record }) => record.record_id))
  const missing = Math.max(0, leastBinding - holding.filter(binds).length)
  const besides = missing > 0 ? (await bindingItems(known, reader, reads)).slice(0, missing).map(unmatched) : []
  const current = await currentDecisions(known, reader, reads)
  const but = new Set([...told, ...besides, ...current].map(({ record }) => record.record_id))
  const related = await relatedTo([...holding].sort(bestFirst), hits.terms, but, reader, reads)
  const relatedTold = await inOrder(related.slice(0, mostRelated), reader)
  const roomBesides = Math.max(0, missing - relatedTold.filter(binds).length)
  const shown = [...decisions, ...others, ...memories, ...also]
  const seen = await reader.records([...decisions, ...others].map(({ record }) => record.record_id))
  return {
    ...{ decisions, others, memories },
    also: also.sort(bestFirst),
    binding: [...current.map(unmatched), ...rest.filter(binds), ...besides.slice(0, roomBesides)],
    related: relatedTold,
    background: [...toCompare(hits.hits, related, known, reader), ...besides.slice(roomBesides)],
    replaced: await replacedBy(shown, hits.replaced, reader),
    superseding: [],
    chosenFrom: null,
    relevance: isAnswered ? 'matched' : best > 0 ? 'weak' : 'none',
    held: heldAmong(seen.values()),
    places: new Map(hits.hits.map(({ record }, place) => [record.record_id, place])),
    terms: hits.terms,
    ...(await byWords(hits, reader, reads)),
  }
}

/** Memories beyond `hits`: many decisions with words of the query must not hide a rule that has them too. */
async function furtherMemories(
  query: string,
  hits: Hits['hits'],
  reader: RecordReader,
  reads: Reads,
): Promise<Hits['hits']> {
  const known = new Set(hits.map(({ record }) => record.record_id))
  const least = hits.at(-1)?.score ?? 0
  const wanted = {
    q: query,
    filter: { kinds: ['memory'] as const },
    limit: mostMemories,
    after: undefined,
    asWritten: true,
  }
  const found = await rankedHits(wanted, reader, reads)
  return found.hits
    .filter(({ record }) => !known.has(record.record_id))
    .map((hit) => ({ ...hit, score: Math.min(hit.score, least) }))
}

/** Of the decisions among the first hits: those in force that are told in full, and others that are not in force. */
async function decisionsInFull(
  first: readonly Item[],
  holding: readonly Item[],
  best: number,
  limit: number,
  inFocus: (items: Item[]) => Promise<Item[]>,
) {
  // what is no longer in force does not push out what is
  const bestHolding = Math.max(0, ...holding.map(matchOf))
  const near = first.filter((item) => holding.includes(item) && matchOf(item) >= nearBest * bestHolding)
  const decisions = (await inFocus(near)).slice(0, Math.min(mostDecisions, limit))
  const ended = first.filter((item) => !holding.includes(item) && matchOf(item) >= nearOthers * best)
  const others = (await inFocus(ended)).slice(0, Math.min(mostOthers, limit - decisions.length))
  return { decisions, others }
}

function memoriesInFull(holding: readonly Item[], best: number): Item[] {
  const near = holding.filter((item) => matchOf(item) >= nearMemories * best)
  const ofKind = (...kinds: Item['kind'][]) => near.filter(({ kind }) => kinds.includes(kind))
  return [
    ...near.filter(binds).slice(0, mostBinding),
    ...ofKind('fact', 'correction').slice(0, mostFacts),
    ...ofKind('session_outcome').slice(0, mostOutcomes),
  ]
}

/** Hits and related records that may have outdated what is told. `but`: ids of records to leave out. */
function toCompare(
  hits: Hits['hits'],
  related: readonly Envelope[],
  but: ReadonlySet<string>,
  reader: RecordReader,
): Found['background'] {
  const kindOf = ({ kind }: Envelope) => (kind === 'decision' ? 'decision' : 'fact')
  const compared = hits
    .slice(0, mostCompared)
    .filter(({ record }) => !but.has(record.record_id) && inForce(record, reader.now))
    .map(({ record, score }) => ({ record, match: score, kind: kindOf(record) }) as const)
  const known = new Set<string>(compared.map(({ record }) => record.record_id))
  const others = related
    .filter(({ record_id }) => !known.has(record_id))
    .map((record) => ({ record, match: 0, kind: kindOf(record) }) as const)
  return [...compared, ...others]
}

function unmatched(item: Item): Item {
  return { ...item, match: 0 }
}

async function inOrder(records: readonly Envelope[], reader: RecordReader): Promise<Item[]> {
  const items = await itemsOf(
    records.map((record) => ({ record, score: 0 })),
    reader,
  )
  const byId = new Map(items.map((item) => [item.record.id, item]))
  return records.flatMap(({ id }) => byId.get(id) ?? [])
}

const matchOf = ({ match }: Item) => match ?? 0

function bestFirst(a: Item, b: Item): number {
  return matchOf(b) - matchOf(a)
}

/** Superseded records whose successor is in the brief, each once. Other conflicts are not worth a warning. */
async function replacedBy(shown: readonly Item[], replaced: Hits['replaced'], reader: RecordReader) {
  const ids = new Set<string | undefined>(shown.map(({ record }) => record.record_id))
  const heads = await reader.heads(replaced.map(({ record_id }) => record_id))
  const older = new Map(replaced.map((record) => [record.record_id, record]))
  return [...older.values()].filter(({ record_id }) => ids.has(heads.get(record_id)?.record_id))
}
