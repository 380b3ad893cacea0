/** Searches one workspace in one index, with several searches in one request and one deadline for all requests. */
import type { estypes } from '@elastic/elasticsearch'
import { attemptsAtMost, type Deadline, deadlineIn, type Elastic } from './connection.ts'
import { failureOfRefusal, isTemporary, type Refusal, refusalOf, unavailable } from './failure.ts'
import type { Clause } from './filters.ts'
import type { Stored } from './stored.ts'

export interface Searching {
  /** Returns one answer for each search, in order. */
  several(searches: readonly Search[]): Promise<Answer[]>
  /** The documents that a query ranks highest. */
  ranked(query: Clause, limit: number): Promise<Hit[]>
  /** The statistics of the whole index, which the scores of the engine are based on. */
  termStatistics(terms: readonly string[]): Promise<TermStatistics>
}

export type Search = Pick<estypes.SearchRequest, 'query' | 'size' | 'from' | 'sort' | 'aggs'> &
  Pick<estypes.SearchRequest, 'terminate_after' | 'track_total_hits'>

export type Answer = estypes.MsearchMultiSearchItem<Stored>
export type Hit = estypes.SearchHit<Stored>

export interface TermStatistics {
  documents: number
  /** Number of documents that contain the term, by term. */
  frequencies: Map<string, number>
}

/** ms for all requests of one search together. */
const answersWithin = 5_000

export function searchingIn(elastic: Elastic, index: string, workspace: string): Searching {
  const deadline = deadlineIn(answersWithin)
  const { client } = elastic

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
      const answer = await elastic.ask(
        (how) =>
          client.search<Stored>(
            {
              index,
              routing: workspace,
              query,
              size: limit,
              // for equal scores the newest first, because the engine's own order changes when it merges segments
              sort: ['_score', { sequence: 'desc' }],
              track_total_hits: false,
              version: true,
              allow_partial_search_results: false,
            },
            how,
          ),
        deadline,
      )
      return complete(answer).hits.hits
    },

    termStatistics: (terms) => termStatistics(elastic, index, workspace, terms, deadline),
  }
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
