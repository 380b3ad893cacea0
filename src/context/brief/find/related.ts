/**
 * Takes the words of the records that the query found, and searches for other records with these words. Such a record
 * may answer the query in other words. A newer one may have outdated what is told (choose/outdated.ts).
 */
import { checkpoints } from '../../../journal/checkpoint.ts'
import { fieldsOfIndex, indexToSearch } from '../../../journal/shown-in.ts'
import type { Reads } from '../../../operation.ts'
import type { Candidate, SearchFilter, SearchQuery } from '../../../ports/search.ts'
import { analysisNeededBy } from '../../../records/filter-versions.ts'
import { isImported, isUndated } from '../../../records/imported.ts'
import { inForce } from '../../../records/in-force.ts'
import type { RecordReader } from '../../../records/read/reader.ts'
import type { SeenRecord } from '../../../records/read/seen-record.ts'
import { idf, k1, saturated } from '../../../text/matching.ts'
import { termsOf } from '../../../text/query.ts'
import { score } from '../../../text/scorer.ts'
import type { Place } from '../../query-words.ts'
import { halving } from '../../trust.ts'
import { tellsSubject } from '../text/subject-words.ts'
import { type Item, rowIdsOf } from './found.ts'

/** The number of records that words are taken from, nearest first. Each must reach this share of the best match. */
const mostSought = 8
const leastMatch = 0.5
/** UTF-16 units of a text that are read, from its beginning. */
const mostRead = 200
/** Words that are searched for, and those that they are chosen from. */
const mostWords = 40
const mostCounted = 300
/** More frequent words are equally common. A word counts by how few of so many records would have it. */
const countedUpTo = 1_000
/** Rows that the engine proposes, and records that are found. */
const proposed = 100
const mostFound = 40
/** Days after which a record weighs half. However old it is, it weighs at least `leastFreshness`. */
const halfLife = 240
const leastFreshness = 0.2

/** In force, best first. `items`: best first. `asked`: the words of the query. `but`: ids of records to leave out. */
export async function relatedTo(
  items: readonly Item[],
  asked: readonly string[],
  but: ReadonlySet<string>,
  reader: RecordReader,
  reads: Reads,
): Promise<SeenRecord[]> {
  const best = items[0]?.match ?? 0
  const sought = items.slice(0, mostSought).filter(({ match }) => (match ?? 0) >= leastMatch * best)
  const checkpoint = await reads.documents.get(checkpoints, reader.workspace, fieldsOfIndex)
  if (!checkpoint || sought.length === 0) return []
  const { workspace, audiences } = reader
  const filter: SearchFilter = { workspace, audiences, kinds: ['decision', 'memory'] }
  const index = await indexToSearch(reads.search, checkpoint, analysisNeededBy(filter))
  const query = await tellingWords(await textsOf(sought, reader), new Set(asked), {
    search: reads.search,
    index,
    filter,
  })
  if (query.terms.length === 0) return []
  const { items: candidates, statistics } = await reads.search.candidates(index, filter, query, proposed)
  const ranked = score(candidates, statistics, { weights: query.weights, pairs: [] })
  const weighed = ranked.map(({ candidate, bm25 }) => ({ candidate, weight: bm25 * freshness(candidate, reader.now) }))
  const freshFirst = weighed.sort((a, b) => b.weight - a.weight).map(({ candidate }) => candidate.record_id)
  const ids = [...new Set(freshFirst)].filter((id) => !but.has(id))
  const chosen = ids.slice(0, mostFound) as SeenRecord['record_id'][]
  const found = await reader.records(chosen)
  const holding = chosen.flatMap((id) => found.get(id) ?? []).filter((record) => inForce(record, reader.now))
  // where the best answer is our own, decision records of repositories with its words tell nothing about it
  const isOurs = sought.some(({ record, match }) => match === best && !isImported(record))
  const related = holding.filter((record) => !(isOurs && isImported(record)))
  // these seem to be as new as their import
  return [...related.filter((record) => !isUndated(record)), ...related.filter(isUndated)]
}

interface Text {
  /** How often it has each word. */
  words: ReadonlyMap<string, number>
  match: number
}

async function textsOf(items: readonly Item[], reader: RecordReader): Promise<Text[]> {
  const rows = await reader.rows(rowIdsOf(items), ['title', 'text'])
  return items.flatMap(({ record, match }) => {
    const row = rows.get(record.id)
    if (row === undefined) return []
    const { terms, weights } = termsOf(`${row.title}\n${row.text.slice(0, mostRead)}`, mostCounted)
    return [{ words: new Map(terms.map((term, n) => [term, weights[n] as number])), match: match ?? 0 }]
  })
}

/** The words that tell most about the texts: rare ones that are in those which match best. */
async function tellingWords(
  texts: readonly Text[],
  asked: ReadonlySet<string>,
  { search, index, filter }: Place,
): Promise<SearchQuery> {
  const words = new Set(texts.flatMap((text) => [...text.words.keys()]))
  const counted = [...words].filter((word) => !asked.has(word) && tellsSubject(word)).slice(0, mostCounted)
  const counts = counted.length === 0 ? [] : await search.frequencies(index, filter, counted, countedUpTo)
  const gains = counted.flatMap((word, n): [string, number][] => {
    const count = counts[n] as number
    // a word that only one record has finds no other
    if (count < 2) return []
    const gain = texts.reduce((sum, { words, match }) => sum + match * saturated(words.get(word) ?? 0, k1), 0)
    return gain > 0 ? [[word, gain * idf(count, countedUpTo) ** 2]] : []
  })
  const best = gains.sort((a, b) => b[1] - a[1]).slice(0, mostWords)
  const most = best[0]?.[1] ?? 1
  return { terms: best.map(([word]) => word), weights: best.map(([, gain]) => gain / most) }
}

/** Of two records that are equally related, the newer one is more likely to hold still. At most 1. */
function freshness({ valid_from }: Pick<Candidate, 'valid_from'>, now: string): number {
  return Math.max(leastFreshness, halving(valid_from, now, halfLife))
}
