/** The names, settings and mapping of an index. */
import type { estypes } from '@elastic/elasticsearch'
import { b, k1 } from '../../text/scorer.ts'

/**
 * Version of the mapping. Raise it when you change the mapping: the name of an index contains it, so indexes with the old
 * mapping are no longer found and are rebuilt as if they were lost.
 */
export const format = 1

/** All names that the index may have, one for each format. Used to drop it. */
export function concreteNames(prefix: string, index: string): string[] {
  return Array.from({ length: format }, (_, n) => concreteName(prefix, index, n + 1))
}

export function concreteName(prefix: string, index: string, of = format): string {
  return `${prefix}-${index}-v${of}`
}

/**
 * All reads and writes use an alias, which is created and deleted with its index. If a write does not require an alias,
 * Elasticsearch creates a lost index again, with a mapping that it guesses.
 */
export function aliasName(prefix: string, index: string): string {
  return `${concreteName(prefix, index)}.alias`
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
  _meta: { format },
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
    // instants, in ms
    valid_from: { type: 'long' },
    valid_to: { type: 'long' },
    tokens: { type: 'text', analyzer: 'tokens', similarity: 'tokens', index_options: 'freqs' },
    length: { type: 'integer', index: false },
    sequence: { type: 'long' },
    samples: keyword,
    shown: shownOnly,
    mark: shownOnly,
  },
}

/** The request that creates an index. */
export function definitionOf(prefix: string, index: string): estypes.IndicesCreateRequest {
  return {
    index: concreteName(prefix, index),
    settings,
    mappings,
    aliases: { [aliasName(prefix, index)]: { is_write_index: true } },
  }
}
