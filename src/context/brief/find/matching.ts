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
import { hitsToTell } from './hits-to-tell.ts'
import { bindingItems } from './newest.ts'
import { relatedTo } from './related.ts'

/** Hits that are read. Constraints and commitments among them are told. */
const mostHits = 100
/** The first hits are told always, and further ones if they reach half the best score. */
const firstHits = 10
const mostTold = 60
const leastTold = 0.5
/** Hits that may have outdated what is told. */
const mostCompared = 60
/** Decisions told in full if a record answers the query, and how near to the best score they must be. */
const mostDecisions = 5
const nearBest = 0.95
/** Share of the best score from which on a memory is told in its section. */
const reach = answers
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
  const told = await itemsOf(
    await hitsToTell(hits.hits, { first: firstHits, most: mostTold, least: leastTold }, reader),
    reader,
  )
  const holding = told.filter(({ record }) => inForce(record, reader.now))
  const reaches = (share: number) => (item: Item) => (item.match ?? 0) >= share * best
  const ofKind = (...kinds: Item['kind'][]) => holding.filter(({ kind }) => kinds.includes(kind))

  const first = new Set(hits.hits.slice(0, firstHits).map(({ record }) => record.record_id))
  const isFirst = ({ record }: Item) => first.has(record.record_id)
  // what is no longer in force does not push out what is
  const bestHolding = Math.max(0, ...holding.map(({ match }) => match ?? 0))
  const near = ofKind('decision').filter((item) => isFirst(item) && (item.match ?? 0) >= nearBest * bestHolding)
  const most = isAnswered ? Math.min(mostDecisions, limit) : 0
  const decisions = (await focused(near, query, hits.terms, holding, reader)).slice(0, most)
  const bound = holding.filter(binds).slice(0, mostBinding)
  const memories = [
    ...bound.filter(reaches(reach)),
    ...ofKind('fact', 'correction').filter(reaches(reach)).slice(0, mostFacts),
    ...ofKind('session_outcome').filter(reaches(reach)).slice(0, mostOutcomes),
  ]
  const isTold = new Set([...decisions, ...memories])
  const rest = holding.filter((item) => !isTold.has(item))
  const ended = told.filter((item) => item.kind === 'decision' && !holding.includes(item))
  const nearEnded = isAnswered ? ended.filter((item) => isFirst(item) && reaches(nearOthers)(item)) : []
  const mostEnded = Math.min(mostOthers, limit - decisions.length)
  const others = (await focused(nearEnded, query, hits.terms, holding, reader)).slice(0, mostEnded)
  const further = told.filter(
    (item) => item.kind === 'decision' && (rest.includes(item) || (ended.includes(item) && !others.includes(item))),
  )
  // so that the limit leaves out none of the first hits
  const nearest = [...further.filter(isFirst), ...further.filter((item) => !isFirst(item))]
  const also = [
    ...nearest.slice(0, decisionsInAll * limit - decisions.length - others.length),
    ...rest.filter((item) => item.kind !== 'decision' && !binds(item)),
  ]
  const known = new Set(holding.map(({ record }) => record.record_id))
  const more = bound.length >= leastBinding ? [] : await bindingItems(known, reader, reads)
  const current = await currentDecisions(known, reader, reads)
  const besides = more.slice(0, leastBinding - bound.length)
  const but = new Set([...told, ...besides, ...current].map(({ record }) => record.record_id))
  const related = await relatedTo([...holding].sort(bestFirst), hits.terms, but, reader, reads)
  const shown = [...decisions, ...others, ...memories, ...also]
  const seen = await reader.records([...decisions, ...others].map(({ record }) => record.record_id))
  return {
    ...{ decisions, others, memories },
    also: also.sort(bestFirst),
    binding: [...current.map(unmatched), ...rest.filter(binds), ...besides.map(unmatched)],
    related: await inOrder(related.slice(0, mostRelated), reader),
    background: toCompare(hits.hits, related, known, reader),
    replaced: await replacedBy(shown, hits.replaced, reader),
    superseding: [],
    chosenFrom: null,
    relevance: isAnswered ? 'matched' : best > 0 ? 'weak' : 'none',
    held: heldAmong(seen.values()),
    terms: hits.terms,
    ...(await byWords([hits], reader, reads)),
  }
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

function bestFirst(a: Item, b: Item): number {
  return (b.match ?? 0) - (a.match ?? 0)
}

/** Superseded records whose successor is in the brief, each once. Other conflicts are not worth a warning. */
async function replacedBy(shown: readonly Item[], replaced: Hits['replaced'], reader: RecordReader) {
  const ids = new Set<string | undefined>(shown.map(({ record }) => record.record_id))
  const heads = await reader.heads(replaced.map(({ record_id }) => record_id))
  const older = new Map(replaced.map((record) => [record.record_id, record]))
  return [...older.values()].filter(({ record_id }) => ids.has(heads.get(record_id)?.record_id))
}
