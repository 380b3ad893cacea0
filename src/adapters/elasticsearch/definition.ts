/** The names, settings and mapping of an index. */
import type { estypes } from '@elastic/elasticsearch'
import { b, k1 } from '../../text/scorer.ts'

/**
 * Version of the settings, the mapping and the stored form of documents (stored.ts, text/frequencies.ts). Raise it by one
 * with each change of them.
 */
export const format = 3

export interface Names {
  /** The beginning of all names of this service. */
  prefix: string
  /** The version of the text analysis (text/version.ts). */
  analysis: number
}

/**
 * The name contains both versions, so an index of another version is not found, and is rebuilt as if it were lost.
 */
export function concreteName({ prefix, analysis }: Names, index: string, of = format): string {
  return `${prefix}-${index}-v${of}.${analysis}`
}

/** The names that the index has in older versions. A version is older if neither of its parts is higher. */
export function olderNames(names: Names, index: string): string[] {
  const all: string[] = []
  for (let of = 1; of <= format; of++) {
    for (let analysis = 1; analysis <= names.analysis; analysis++) {
      all.push(concreteName({ ...names, analysis }, index, of))
    }
  }
  return all.filter((name) => name !== concreteName(names, index))
}

/**
 * All reads and writes use an alias, which is created and deleted with its index. If a write does not require an alias,
 * Elasticsearch creates a lost index again, with a mapping that it guesses.
 */
export function aliasName(names: Names, index: string): string {
  return `${concreteName(names, index)}.alias`
}

/** Matches every index with this prefix, and with longer prefixes that begin with it. */
export function everyIndex(prefix: string): string {
  return `${prefix}-*`
}

/** Characters. Longer values are not indexed. All our values are shorter than a third of this. */
const longestKeyword = 1024

const keyword = { type: 'keyword', ignore_above: longestKeyword } as const
/** Stored and returned, but not searchable. */
const shownOnly = { type: 'object', enabled: false } as const

const settings: estypes.IndicesIndexSettings = {
  number_of_shards: 1,
  auto_expand_replicas: '0-1',
  // the index worker refreshes explicitly
  refresh_interval: -1,
  // an acknowledged write is on the disk
  translog: { durability: 'request' },
  similarity: { tokens: { type: 'BM25', k1, b } },
  analysis: { analyzer: { tokens: { type: 'custom', tokenizer: 'whitespace' } } },
}

const mappings: estypes.MappingTypeMapping = {
  dynamic: 'strict',
  _routing: { required: true },
  // these fields are never read back, and without them a search fetches less (for vector_*, see vectors.ts)
  _source: { excludes: ['tokens', 'vector_*'] },
  properties: {
    workspace: keyword,
    audience: keyword,
    kind: keyword,
    category: keyword,
    significance: keyword,
    surface: keyword,
    entity_types: keyword,
    tags: keyword,
    // instants, in ms
    valid_from: { type: 'long' },
    valid_to: { type: 'long' },
    dated: { type: 'long' },
    tokens: { type: 'text', analyzer: 'tokens', similarity: 'tokens', index_options: 'freqs' },
    length: { type: 'integer', index: false },
    sequence: { type: 'long' },
    samples: keyword,
    shown: shownOnly,
    mark: shownOnly,
  },
}

/** The request that creates an index. */
export function definitionOf(names: Names, index: string): estypes.IndicesCreateRequest {
  return {
    index: concreteName(names, index),
    settings,
    mappings: { ...mappings, _meta: { format, analysis: names.analysis } },
    aliases: { [aliasName(names, index)]: { is_write_index: true } },
  }
}
