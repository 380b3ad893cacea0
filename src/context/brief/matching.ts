/**
 * The records of a brief with a query. Searches decisions and memories separately, so that neither displaces the other.
 */

import type { RecordId, RecordKind } from '../../ids.ts'
import type { Reads } from '../../operation.ts'
import type { RecordReader } from '../../records/read/reader.ts'
import { inForce } from '../../records/record.ts'
import { answers } from '../../text/scorer.ts'
import { type Hit, type Hits, rankedHits } from '../hits.ts'
import { byWords } from './by-words.ts'
import { type Found, heldAmong, type Item, itemsOf } from './found.ts'

/** Search hits from which significance and freshness choose: memories, and decisions in addition to the limit. */
const mostMemories = 30
const moreDecisions = 10
/** A record with a lower match is left out if another record answers the query. */
const leastMatch = 0.4
/** How many decisions and memories are included if no record answers the query. */
const nearest = 3

/** Throws EngineUnavailable if search is unavailable. */
export async function matching(query: string, limit: number, reader: RecordReader, reads: Reads): Promise<Found> {
  const ask = (kinds: readonly RecordKind[], most: number) =>
    rankedHits({ q: query, filter: { kinds }, limit: most, after: undefined }, reader, reads)
  const [decided, remembered] = await Promise.all([
    // a decision is also found by the notes of its outcomes
    ask(['decision', 'outcome'], limit + moreDecisions),
    ask(['memory'], mostMemories),
  ])
  const best = Math.max(0, ...[...decided.hits, ...remembered.hits].map(({ score }) => score))
  const isAnswered = best >= answers
  const matches = [...decided.hits, ...remembered.hits].filter(({ score }) => !isAnswered || score >= leastMatch)
  const items = await itemsOf(bestOfEach(matches), reader)
  // by the kind of the result, not of the search: a memory may supersede a decision, and a decision a memory
  const found = { decisions: items.filter(isDecision), memories: items.filter((item) => !isDecision(item)) }
  const mostOf = (most: number) => (isAnswered ? most : Math.min(most, nearest))
  const holds = ({ record }: Item) => inForce(record, reader.now)
  const decisions = found.decisions.filter(holds).slice(0, mostOf(limit))
  const memories = found.memories.filter(holds).slice(0, mostOf(mostMemories))
  // records not in force only fill the remaining places, and only if they answer the query or no record does
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

/** Keeps the best hit of each record: it may be found both by its own words and by those of a record it superseded. */
function bestOfEach(hits: readonly Hit[]): Hit[] {
  const best = new Map<string, Hit>()
  for (const hit of hits) {
    const known = best.get(hit.record.record_id)
    if (known === undefined || known.score < hit.score) best.set(hit.record.record_id, hit)
  }
  return [...best.values()]
}

/** Superseded records whose successor is in the brief, each once. Other conflicts are not worth a warning. */
async function replacedBy(shown: readonly Item[], replaced: Hits['replaced'], reader: RecordReader) {
  const ids = new Set(shown.map(({ record }) => record.record_id))
  const heads = await reader.heads(replaced.map(({ record_id }) => record_id))
  const older = new Map(replaced.map((record) => [record.record_id, record]))
  return [...older.values()].filter(({ record_id }) => ids.has(heads.get(record_id)?.record_id as RecordId))
}
