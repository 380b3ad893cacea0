/**
 * Vectors of documents: a field for each number of dimensions, mapped when a vector of so many first comes. The index
 * is flat: exact, so that what a caller finds does not depend on what others keep, as the paths of a graph would.
 */
import type { Neighbour, SearchFilter, Vector } from '../../ports/search.ts'
import { candidateOf } from './candidates.ts'
import { type Deadline, deadlineIn, type Elastic } from './connection.ts'
import { type Clause, inSample, visible, wanted } from './filters.ts'
import { sharesOf } from './samples.ts'
import { type Searching, searchingIn } from './searching.ts'
import { statisticsOf } from './statistics.ts'

/** ms. A master that is busy takes its time; a search, which words answer too, does not wait for it. */
const mappedWithin = 15_000
export const mappedForSearchWithin = 1_000
const answersWithin = 5_000
/** Of more documents than are counted one by one the newest are compared, about so many. */
const newestCompared = 20_000

export type VectorField = `vector_${number}`

export function fieldOf({ values }: Pick<Vector, 'values'>): VectorField {
  return `vector_${values.length}`
}

export interface VectorFields {
  /** Makes what these vectors need in an index. */
  ensure(index: string, vectors: readonly Vector[], within?: number): Promise<void>
  /** It may be another index when it comes back. */
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
  const hits = await searching.ranked(query, limit)
  // Elasticsearch scores are never negative: (1 + cosine) / 2
  return hits.map((hit) => ({ ...candidateOf(hit, terms), cosine: 2 * ((hit._score ?? hit.sort?.[0]) as number) - 1 }))
}

/** Of very many the newest; how old these are is seen in the sample. */
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
