/** What a query finds, of decisions and of memories by themselves, so that neither crowds out the other. */
import type { Reads } from '../../operation.ts'
import type { RecordId } from '../../records/ids.ts'
import type { RecordReader } from '../../records/read.ts'
import { inForce } from '../../records/record.ts'
import { answers } from '../../text/scorer.ts'
import { type Hit, type Hits, rankedHits } from '../hits.ts'
import { byWords } from './by-words.ts'
import { type Found, heldAmong, type Item, itemsOf } from './found.ts'

/** Memories that are looked at, and decisions beyond the limit: significance and freshness choose among them. */
const mostMemories = 30
const moreDecisions = 10
/** Where something answers the query, this match is enough to be told beside it. */
const besideIt = 0.4
/** Where nothing does, so many of each are told as the nearest. */
const nearest = 3

/** Throws EngineUnavailable where search is away. */
export async function matching(query: string, limit: number, reader: RecordReader, reads: Reads): Promise<Found> {
  const ask = (kind: 'decision' | 'memory', most: number) =>
    rankedHits({ q: query, filter: { kinds: [kind] }, limit: most, after: undefined }, reader, reads)
  const [decided, remembered] = await Promise.all([ask('decision', limit + moreDecisions), ask('memory', mostMemories)])
  const best = Math.max(0, ...[...decided.hits, ...remembered.hits].map(({ score }) => score))
  const isAnswered = best >= answers
  const told = [...decided.hits, ...remembered.hits].filter(({ score }) => !isAnswered || score >= besideIt)
  const items = await itemsOf(bestOfEach(told), reader)
  // by what it is, not by what was asked for: a memory may have taken a decision's place, and a decision a memory's
  const found = { decisions: items.filter(isDecision), memories: items.filter((item) => !isDecision(item)) }
  const mostOf = (most: number) => (isAnswered ? most : Math.min(most, nearest))
  const holds = ({ record }: Item) => inForce(record, reader.now)
  const decisions = found.decisions.filter(holds).slice(0, mostOf(limit))
  const memories = found.memories.filter(holds).slice(0, mostOf(mostMemories))
  // what does not hold is told only where it answers, or where nothing does, and never in the place of what holds
  const others = found.decisions
    .filter((item) => !holds(item) && (!isAnswered || (item.match ?? 0) >= answers))
    .slice(0, mostOf(limit) - decisions.length)
  const shown = [...decisions, ...others, ...memories]
  const seen = await reader.records([...decisions, ...others].map(({ record }) => record.record_id))
  return {
    ...{ decisions, others, memories },
    replaced: await replacedBy(shown, [...decided.replaced, ...remembered.replaced], reader),
    superseding: [],
    chosenFrom: null,
    relevance: isAnswered ? 'matched' : best > 0 ? 'weak' : 'none',
    held: heldAmong(seen.values()),
    terms: [...new Set([...decided.terms, ...remembered.terms])],
    ...(await byWords([decided, remembered], reader, reads)),
  }
}

function isDecision({ record }: Item): boolean {
  return record.kind === 'decision'
}

/**
 * A record that was found by its own words and by those of what it superseded counts once, by the better of the two.
 */
function bestOfEach(hits: readonly Hit[]): Hit[] {
  const best = new Map<string, Hit>()
  for (const hit of hits) {
    const known = best.get(hit.record.record_id)
    if (known === undefined || known.score < hit.score) best.set(hit.record.record_id, hit)
  }
  return [...best.values()]
}

/** Each once. Whose successor is not told need not be warned of. */
async function replacedBy(told: readonly Item[], replaced: Hits['replaced'], reader: RecordReader) {
  const ids = new Set(told.map(({ record }) => record.record_id))
  const heads = await reader.heads(replaced.map(({ record_id }) => record_id))
  const older = new Map(replaced.map((record) => [record.record_id, record]))
  return [...older.values()].filter(({ record_id }) => ids.has(heads.get(record_id)?.record_id as RecordId))
}
