/**
 * Vectors of documents. Each number of dimensions has a separate field, which is mapped with the first such vector. The
 * index is flat, so a search is exact. In a graph index, the result would depend on the records of others.
 */
import type { Neighbour, SearchFilter, Vector } from '../../ports/search.ts'
import { readFound } from './candidates.ts'
import { type Deadline, deadlineIn, type Elastic } from './connection.ts'
import { type Clause, inSample, visible, wanted } from './filters.ts'
import { sharesOf } from './samples.ts'
import { type Found, type Searching, searchingIn } from './searching.ts'
import { statisticsOf } from './statistics.ts'
import { fieldOf, type VectorField } from './stored.ts'

/** ms. Long for writes, because the master node may be busy. Short for searches, because they can match words only. */
const mappedWithin = 15_000
export const mappedForSearchWithin = 1_000
const answersWithin = 5_000
/** About how many of the newest documents are compared, if there are too many to compare all. */
const newestCompared = 20_000

export interface VectorFields {
  /** Maps the fields that these vectors need in the index. */
  ensure(index: string, vectors: readonly Vector[], within?: number): Promise<void>
  /** Forgets the mapped fields, because an index of the same name may be a new one. */
  forget(index: string): void
}

export function vectorFields({ client, ask }: Elastic): VectorFields {
  const known = new Map<string, Set<VectorField>>()
  return {
    async ensure(index, vectors, within = mappedWithin) {
      const mapped = known.get(index) ?? new Set()
      for (const vector of vectors) {
        const field = fieldOf(vector)
        if (mapped.has(field)) continue
        const properties = { space: { type: 'keyword', ignore_above: 1024 } as const, [field]: propertyOf(vector) }
        await ask((how) => client.indices.putMapping({ index, properties }, how), deadlineIn(within))
        mapped.add(field)
        known.set(index, mapped)
      }
    },
    forget: (index) => void known.delete(index),
  }
}

function propertyOf({ values }: Vector) {
  return {
    type: 'dense_vector',
    dims: values.length,
    index: true,
    similarity: 'cosine',
    index_options: { type: 'flat' },
  } as const
}

export async function nearestOf(
  elastic: Elastic,
  index: string,
  filter: SearchFilter,
  vector: Vector,
  terms: readonly string[],
  limit: number,
): Promise<Neighbour[]> {
  const searching = searchingIn(elastic, index, filter.workspace)
  const seen = [...visible(filter), { term: { space: vector.space } }]
  const query = {
    knn: {
      field: fieldOf(vector),
      query_vector: Array.from(vector.values),
      k: limit,
      num_candidates: limit,
      filter: [...seen, ...wanted(filter), ...(await newestOf(searching, filter, seen))],
    },
  }
  let found: Found[] = []
  const candidates = await readFound(searching, filter, terms, async () => {
    found = await searching.ranked(query, limit)
    return found
  })
  // Elasticsearch returns (1 + cosine) / 2, because scores are never negative
  return candidates.map((candidate, n) => ({ ...candidate, cosine: 2 * (found[n] as Found).score - 1 }))
}

/** If there are very many documents, a clause for the newest ones. The sample tells how far back they go. */
async function newestOf(searching: Searching, filter: SearchFilter, seen: Clause[]): Promise<Clause[]> {
  const { step } = await statisticsOf(searching, filter, [])
  if (step === 0) return []
  const [answer] = await searching.several([
    {
      query: { bool: { filter: [...seen, ...inSample(step)] } },
      size: 1,
      from: Math.round(newestCompared / sharesOf(step)),
      sort: [{ sequence: 'desc' }],
      track_total_hits: false,
    },
  ])
  const oldest = answer?.hits.hits[0]?.sort?.[0]
  return oldest === undefined ? [] : [{ range: { sequence: { gte: oldest as number } } }]
}

export async function unembeddedOf(
  { client, ask }: Elastic,
  index: string,
  workspace: string,
  space: string,
  ids: readonly string[],
  deadline: Deadline = deadlineIn(answersWithin),
): Promise<string[]> {
  if (ids.length === 0) return []
  const query = {
    bool: {
      filter: [{ ids: { values: [...ids] } }, { term: { workspace } }, { exists: { field: 'audience' } }],
      must_not: [{ term: { space } }],
    },
  }
  const { hits } = await ask(
    (how) =>
      client.search(
        { index, routing: workspace, query, size: ids.length, _source: false, allow_partial_search_results: false },
        how,
      ),
    deadline,
  )
  return hits.hits.map(({ _id }) => _id as string)
}
