/**
 * Finds newer records by the words of those that the query found: a newer one may say the same in words that the query
 * does not have. It is told only if it may have outdated one of them (choose/outdated.ts).
 */
import { checkpoints } from '../../../journal/checkpoint.ts'
import { indexToSearch } from '../../../journal/shown-in.ts'
import type { Reads } from '../../../operation.ts'
import type { SearchFilter } from '../../../ports/search.ts'
import { analysisNeededBy } from '../../../records/filter-versions.ts'
import { inForce } from '../../../records/in-force.ts'
import type { RecordReader } from '../../../records/read/reader.ts'
import type { SeenRecord } from '../../../records/read/seen-record.ts'
import { termsOf } from '../../../text/query.ts'
import { score } from '../../../text/scorer.ts'
import type { Item } from './found.ts'

/** The nearest records whose words are searched for. */
const mostSought = 10
/** UTF-16 units of a text that are read, and the rarest of its words that are searched for. */
const mostRead = 160
const mostWords = 3
/** More frequent words are equally common. */
const countedUpTo = 1_000
/** Rows that the engine proposes, and records that are found. */
const proposed = 40
const mostFound = 20

const fieldsOfIndex = ['id', 'live', 'indexed', 'indexed_seq', 'shown_in'] as const

/** `items`: best first. `but`: ids of records to leave out. */
export async function relatedTo(
  items: readonly Item[],
  but: ReadonlySet<string>,
  reader: RecordReader,
  reads: Reads,
): Promise<SeenRecord[]> {
  const sought = items.slice(0, mostSought)
  const checkpoint = await reads.documents.get(checkpoints, reader.workspace, fieldsOfIndex)
  if (!checkpoint || sought.length === 0) return []
  const rows = await reader.rows(
    sought.map(({ record }) => record.id),
    ['title', 'text'],
  )
  const texts = [...rows.values()].map(({ title, text }) => termsOf(`${title}\n${text.slice(0, mostRead)}`).terms)
  const since = sought.map(({ record }) => record.valid_from).reduce((a, b) => (a < b ? a : b))
  const filter: SearchFilter = {
    workspace: reader.workspace,
    audiences: reader.audiences,
    kinds: ['decision', 'memory'],
    since,
  }
  const index = await indexToSearch(reads.search, checkpoint, analysisNeededBy(filter))
  const all = [...new Set(texts.flat())]
  const counts = await reads.search.frequencies(index, filter, all, countedUpTo)
  const countOf = new Map(all.map((term, n) => [term, counts[n] as number]))
  // a word that only one record has finds no other
  const rarest = (terms: readonly string[]) =>
    terms
      .filter((term) => (countOf.get(term) ?? 0) > 1)
      .sort((a, b) => (countOf.get(a) as number) - (countOf.get(b) as number))
      .slice(0, mostWords)
  const terms = [...new Set(texts.flatMap(rarest))]
  if (terms.length === 0) return []
  const weights = terms.map(() => 1)
  const { items: candidates, statistics } = await reads.search.candidates(index, filter, { terms, weights }, proposed)
  const ids = score(candidates, statistics, { weights, pairs: [] }).map(({ candidate }) => candidate.record_id)
  const others = [...new Set(ids)].filter((id) => !but.has(id)).slice(0, mostFound)
  const found = await reader.records(others as SeenRecord['record_id'][])
  return [...found.values()].filter((record) => inForce(record, reader.now))
}
