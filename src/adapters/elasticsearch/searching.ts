/**
 * Searches one workspace in one index, with several searches in one request and one deadline for all requests. A search
 * ranks without reading stored fields, because reading 1,000 long documents takes seconds. The best are read afterwards,
 * in pieces, because parsing them at once would block this process.
 */
import type { estypes } from '@elastic/elasticsearch'
import { piecesBySize } from '../../ports/chunks.ts'
import { attemptsAtMost, type Deadline, deadlineIn, type Elastic } from './connection.ts'
import { failureOfRefusal, isTemporary, type Refusal, refusalOf, unavailable } from './failure.ts'
import type { Clause } from './filters.ts'
import type { Stored } from './stored.ts'

export interface Searching {
  /** Returns one answer for each search, in order. */
  several(searches: readonly Search[]): Promise<Answer[]>
  /** The documents that a query ranks highest, best first. */
  ranked(query: Clause, limit: number): Promise<Found[]>
  /** The newest documents that match. */
  newest(query: Clause, limit: number): Promise<Found[]>
  /** In the order of `found`. undefined: one of them was replaced or deleted since it was found. */
  read(found: readonly Found[], filter: readonly Clause[]): Promise<Hit[] | undefined>
  /** The statistics of the whole index, which the scores of the engine are based on. */
  termStatistics(terms: readonly string[]): Promise<TermStatistics>
}

export type Search = Pick<estypes.SearchRequest, 'query' | 'size' | 'from' | 'sort' | 'aggs'> &
  Pick<estypes.SearchRequest, 'terminate_after' | 'track_total_hits'>

export type Answer = estypes.MsearchMultiSearchItem<Stored>
export type Hit = estypes.SearchHit<Stored>

export interface Found {
  /** The engine's number of this version of the document in the index. Unlike its id, it is not a stored field. */
  number: number
  score: number
  sequence: number
  /** In tokens. */
  length: number
  /** The score of each named clause that it matches, by name. */
  scores: Readonly<Record<string, number>>
}

export interface TermStatistics {
  documents: number
  /** Number of documents that contain the term, by term. */
  frequencies: Map<string, number>
}

/** ms for all requests of one search together. */
const answersWithin = 5_000
/** Tokens of the documents that are read in one request: about 20 ms of this process. */
const tokensAtOnce = 300_000

export function searchingIn(elastic: Elastic, index: string, workspace: string): Searching {
  const deadline = deadlineIn(answersWithin)
  const { client } = elastic

  async function search(body: estypes.SearchRequest): Promise<Hit[]> {
    const request = { index, routing: workspace, track_total_hits: false, allow_partial_search_results: false, ...body }
    return complete(await elastic.ask((how) => client.search<Stored>(request, how), deadline)).hits.hits
  }

  return {
    async several(searches) {
      const header = { routing: workspace, allow_partial_search_results: false }
      const lines = searches.flatMap((search) => [header, { _source: false, ...search }])
      for (let attempts = 1; ; attempts++) {
        const { responses } = await elastic.ask(
          (how) => client.msearch<Stored>({ index, searches: lines }, how),
          deadline,
        )
        const refusal = firstRefusal(responses)
        if (refusal === undefined) return (responses as Answer[]).map(complete)
        if (!isTemporary(refusal) || attempts >= attemptsAtMost || deadline.signal.aborted)
          throw failureOfRefusal(refusal)
        await elastic.pause(attempts)
      }
    },

    async ranked(query, limit) {
      // for equal scores the newest first, because the engine's own order changes when it merges segments
      const sort: estypes.Sort = ['_score', { sequence: 'desc' }]
      const hits = await search({ query, size: limit, sort, include_named_queries_score: true, ...unread })
      return hits.map(foundOf)
    },

    async newest(query, limit) {
      const hits = await search({ query, size: limit, sort: [{ sequence: 'desc' }], ...unread })
      return hits.map((hit) => foundOf({ ...hit, sort: [0, ...(hit.sort as [number])] }))
    },

    async read(found, filter) {
      const read = new Map<number, Hit>()
      for (const piece of piecesBySize(found, ({ length }) => length, tokensAtOnce)) {
        const numbers = piece.map(({ number }) => number)
        const query = { bool: { filter: [...filter, { terms: { _seq_no: numbers } }] } }
        const how = { sort: ['_doc'], version: true, seq_no_primary_term: true }
        for (const hit of await search({ query, size: numbers.length, ...how })) read.set(hit._seq_no as number, hit)
      }
      const hits = found.map(({ number }) => read.get(number))
      // if the index was created again meanwhile, another document may have the number
      const isComplete = found.every(({ sequence }, n) => hits[n]?._source?.sequence === sequence)
      return isComplete ? (hits as Hit[]) : undefined
    },

    termStatistics: (terms) => termStatistics(elastic, index, workspace, terms, deadline),
  }
}

/** What is known of a document without reading its stored fields. */
const unread = { stored_fields: '_none_', seq_no_primary_term: true, docvalue_fields: ['length'] }

function foundOf({ _seq_no, sort, fields, matched_queries }: Hit): Found {
  const [score, sequence] = sort as [number, number]
  const [length] = (fields as { length: [number] }).length
  const scores = (matched_queries ?? {}) as unknown as Record<string, number>
  return { number: _seq_no as number, score, sequence, length, scores }
}

/** Throws if an answer is incomplete. */
function complete<A extends { timed_out: boolean; _shards: estypes.ShardStatistics }>(answer: A): A {
  if (answer.timed_out || answer._shards.failed > 0) throw unavailable('part of the index did not answer', 'busy')
  return answer
}

function firstRefusal(responses: readonly estypes.MsearchResponseItem<Stored>[]): Refusal | undefined {
  for (const response of responses) if ('error' in response) return refusalOf(response.status, response.error)
  return undefined
}

async function termStatistics(
  { client, ask }: Elastic,
  index: string,
  workspace: string,
  terms: readonly string[],
  deadline: Deadline,
): Promise<TermStatistics> {
  const { term_vectors } = await ask(
    (how) =>
      client.termvectors(
        {
          index,
          routing: workspace,
          // an artificial document that consists of these terms
          doc: { tokens: terms.join(' ') },
          fields: ['tokens'],
          term_statistics: true,
          field_statistics: true,
          positions: false,
          offsets: false,
          payloads: false,
        },
        how,
      ),
    deadline,
  )
  const tokens = term_vectors?.tokens
  const frequencies = Object.entries(tokens?.terms ?? {}).map(([term, { doc_freq }]): [string, number] => [
    term,
    doc_freq ?? 0,
  ])
  return { documents: tokens?.field_statistics?.doc_count ?? 0, frequencies: new Map(frequencies) }
}
