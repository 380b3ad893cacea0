/** What a query finds, of decisions and of memories by themselves, so that neither crowds out the other. */
import type { Reads } from '../../operation.ts'
import type { RecordId } from '../../records/ids.ts'
import type { RecordReader } from '../../records/read.ts'
import { inForce } from '../../records/record.ts'
import { answers } from '../../text/scorer.ts'
import { type Hits, rankedHits } from '../hits.ts'
import { byWords } from './by-words.ts'
import { type Found, type Item, itemsOf } from './found.ts'

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
  const tell = async ({ hits }: Hits, most: number) => {
    const told = isAnswered ? hits.filter(({ score }) => score >= besideIt) : hits
    return (await itemsOf(told, reader)).slice(0, isAnswered ? most : Math.min(most, nearest))
  }
  const [decisions, memories] = [await tell(decided, limit), await tell(remembered, mostMemories)]
  const holds = ({ record }: Item) => inForce(record, reader.now)
  // what does not hold is told only where it answers, or where nothing does
  const others = decisions.filter((item) => !holds(item) && (!isAnswered || (item.match ?? 0) >= answers))
  return {
    decisions: decisions.filter(holds),
    others,
    // a fact may be found by its successor's words, and no longer hold
    memories: memories.filter(holds),
    replaced: await replacedBy([...decisions, ...memories], [...decided.replaced, ...remembered.replaced], reader),
    superseding: [],
    chosenFrom: null,
    relevance: isAnswered ? 'matched' : best > 0 ? 'weak' : 'none',
    held: others.filter(({ record }) => record.status === 'proposed').length,
    terms: [...new Set([...decided.terms, ...remembered.terms])],
    ...(await byWords([decided, remembered], reader, reads)),
  }
}

/** Each once. Whose successor is not told need not be warned of. */
async function replacedBy(told: readonly Item[], replaced: Hits['replaced'], reader: RecordReader) {
  const ids = new Set(told.map(({ record }) => record.record_id))
  const heads = await reader.heads(replaced.map(({ record_id }) => record_id))
  const older = new Map(replaced.map((record) => [record.record_id, record]))
  return [...older.values()].filter(({ record_id }) => ids.has(heads.get(record_id)?.record_id as RecordId))
}
