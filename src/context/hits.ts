/** Ranks the hits of a query, for context.search, decision.search and briefs (SEMANTICS 3). */

import type { RecordId } from '../ids.ts'
import { checkpoints } from '../journal/checkpoint.ts'
import { fieldsOfIndex, indexToSearch } from '../journal/shown-in.ts'
import type { Reads } from '../operation.ts'
import type { SearchFilter } from '../ports/search.ts'
import { analysisNeededBy } from '../records/filter-versions.ts'
import type { RecordReader } from '../records/read/reader.ts'
import type { SeenRecord } from '../records/read/seen-record.ts'
import type { Envelope } from '../records/record.ts'
import { analyze } from '../text/analyzer.ts'
import { matching, pairsOf } from '../text/matching.ts'
import { mostRead, type QueryTerms, termsOf } from '../text/query.ts'
import { compareRanks, type Rank, rankOf, type Scored, score } from '../text/scorer.ts'
import { joined, nearTo } from './fusion.ts'
import { type HitOptions, recordsOfHits } from './hit-records.ts'
import { completed, type Place, rarest, writtenAsOne } from './query-words.ts'

/** Where a page ended in the ranking, and the records shown so far, so that no record is shown twice. */
export interface RankPosition extends Rank {
  /** The last 6 bytes of each record id, base64. */
  shown: string
  /** The ranking used vectors. */
  meant?: true
}

export interface Wanted extends HitOptions {
  q: string
  filter: Omit<SearchFilter, 'workspace' | 'audiences'>
  /** The least score; 0 by default. */
  threshold?: number
  /**
   * A word that no record holds stands for no other. Looking for others takes some 15 ms a word: too long where most of the
   * words are in no record of the filter.
   */
  asWritten?: boolean
  limit: number
  after: RankPosition | undefined
}

export interface Hit {
  record: Envelope
  score: number
  /** The row whose text was found, if it is another one: an outcome of the decision. */
  foundIn?: string
}

export interface Hits {
  hits: Hit[]
  /** Superseded records that were found; this page or an earlier one shows the head of their chain instead. */
  replaced: SeenRecord[]
  /** Where the next page begins; undefined: this is the last page. */
  next: RankPosition | undefined
  /** The tokens of the query; none if it consists of punctuation and stop words. */
  terms: string[]
  /** How much each of them counts: rare ones more. */
  gains: ReadonlyMap<string, number>
  /** An embedder is configured, but the search had no vectors. */
  byWordsAlone: boolean
}

/** Candidates that the engine proposes for one query; also the bound of all pages together. */
const mostCandidates = 200

/** Throws EngineUnavailable if the search engine is unavailable. */
export async function rankedHits(wanted: Wanted, reader: RecordReader, reads: Reads): Promise<Hits> {
  const asked = termsOf(wanted.q, mostRead)
  const { ranked, gains, meant, byWordsAlone, terms } =
    asked.terms.length === 0 ? nothing : await rank(wanted, asked, reader, reads)
  const shown = shownBefore(wanted.after)
  const found: Hits = { hits: [], replaced: [], next: undefined, terms, gains, byWordsAlone }
  let last: Scored | undefined
  const atOnce = Math.max(wanted.limit + 1, 20)
  for (let from = 0; from < ranked.length; from += atOnce) {
    const some = ranked.slice(from, from + atOnce)
    const records = await recordsOfHits(some, wanted, reader, reads)
    for (const scored of some) {
      const { head, replaced } = records.get(scored.candidate.id) ?? {}
      if (head) {
        const isNew = !shown.has(markOf(head.record_id))
        if (isNew && found.hits.length === wanted.limit) {
          return { ...found, next: positionOf(last as Scored, shown, meant) }
        }
        if (isNew) found.hits.push(hitOf(head, scored))
        if (replaced && !found.replaced.includes(replaced)) found.replaced.push(replaced)
        shown.add(markOf(head.record_id))
      }
      last = scored
    }
  }
  return found
}

interface Ranked extends Pick<Hits, 'gains'> {
  ranked: Scored[]
  /** The ranking used vectors. */
  meant: boolean
  byWordsAlone: boolean
  /** Those that were searched for. */
  terms: string[]
}

const nothing: Ranked = { ranked: [], gains: new Map(), meant: false, byWordsAlone: false, terms: [] }

async function rank(wanted: Wanted, asked: QueryTerms, reader: RecordReader, reads: Reads): Promise<Ranked> {
  const checkpoint = await reads.documents.get(checkpoints, reader.workspace, fieldsOfIndex)
  // the workspace has no records yet
  if (!checkpoint) return { ...nothing, terms: asked.terms }
  const filter: SearchFilter = {
    ...wanted.filter,
    workspace: reader.workspace,
    audiences: reader.audiences,
    ...(wanted.asOf === undefined ? {} : { as_of: wanted.asOf }),
  }
  const { after, threshold = 0 } = wanted
  const index = await indexToSearch(reads.search, checkpoint, analysisNeededBy(filter))
  // later pages rank as the first page did; otherwise a record could be on no page
  const usesVectors = after === undefined || after.meant === true
  // begun here: the endpoint takes its time, and the words are looked up meanwhile
  const embedding = usesVectors ? reads.queryEmbedder?.embed(wanted.q) : undefined
  const { found, terms, weights } = await candidatesFor(wanted, asked, { search: reads.search, index, filter })
  const near = await nearTo(embedding, index, filter, terms, reads)
  const sought = { weights, pairs: pairsOf(analyze(wanted.q), terms) }
  const ranked = score(joined(found, near), found.statistics, sought, near?.nearness).filter(
    (scored) => scored.score >= threshold && (after === undefined || compareRanks(rankOf(scored), after) > 0),
  )
  const meant = near !== undefined
  const { gains } = matching(sought, found.statistics)
  const byTerm = new Map(terms.map((term, n) => [term, gains[n] as number]))
  return { ranked, gains: byTerm, meant, byWordsAlone: reads.queryEmbedder !== undefined && !meant, terms }
}

async function candidatesFor({ q, asWritten }: Wanted, asked: QueryTerms, place: Place) {
  const { search, index, filter } = place
  const kept = await rarest(asked, place)
  if (asWritten) return { found: await search.candidates(index, filter, kept, mostCandidates), ...kept }
  const [found, joined] = await Promise.all([
    search.candidates(index, filter, kept, mostCandidates),
    writtenAsOne(q, kept, place),
  ])
  const more = await completed(kept, found.statistics.document_frequencies, joined, place)
  if (more === undefined) return { found, ...kept }
  return { found: await search.candidates(index, filter, more, mostCandidates), ...more }
}

function hitOf(record: Envelope, { candidate, score }: Scored): Hit {
  return { record, score, ...(candidate.kind === 'outcome' ? { foundIn: candidate.id } : {}) }
}

function positionOf(scored: Scored, shown: ReadonlySet<string>, meant: boolean): RankPosition {
  const marks = Buffer.concat([...shown].map((mark) => Buffer.from(mark, 'hex')))
  const position = { ...rankOf(scored), shown: marks.toString('base64') }
  return meant ? { ...position, meant } : position
}

function shownBefore(position: RankPosition | undefined): Set<string> {
  const marks = Buffer.from(position?.shown ?? '', 'base64').toString('hex')
  return new Set(marks.match(/.{12}/g) ?? [])
}

/** The last 6 bytes of a uuid are random, so a collision among at most 200 is practically impossible. */
function markOf(recordId: RecordId): string {
  return recordId.slice(-12)
}
