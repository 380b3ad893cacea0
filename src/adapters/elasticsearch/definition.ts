/** How an index lies in Elasticsearch: its names, settings and mapping. */
import type { estypes } from '@elastic/elasticsearch'
import { b, k1 } from '../../text/scorer.ts'

/**
 * Version of the mapping. Whoever changes the mapping raises it: then no index of the old one is found by its name, and
 * each is rebuilt as if it were lost.
 */
export const format = 1

/** What an index is called that is dropped: whatever format made it. */
export function concreteNames(prefix: string, index: string): string[] {
  return Array.from({ length: format }, (_, n) => concreteName(prefix, index, n + 1))
}

export function concreteName(prefix: string, index: string, of = format): string {
  return `${prefix}-${index}-v${of}`
}

/**
 * All reads and writes go by an alias, which is made and deleted with its index: Elasticsearch would make an index that
 * is lost anew at the next write, with a mapping of its own invention, unless the write requires an alias.
 */
export function aliasName(prefix: string, index: string): string {
  return `${concreteName(prefix, index)}.alias`
}

/** Every index of this prefix, and of those that begin with it. */
export function everyIndex(prefix: string): string {
  return `${prefix}-*`
}

/** Longer values are not found by, nor is a document with such an audience: none of ours is as long as a third of it. */
const longestKeyword = 1024

const keyword = { type: 'keyword', ignore_above: longestKeyword } as const
/** Kept and handed out, never looked into. */
const shownOnly = { type: 'object', enabled: false } as const

const settings: estypes.IndicesIndexSettings = {
  number_of_shards: 1,
  auto_expand_replicas: '0-1',
  // the index worker says when
  refresh_interval: -1,
  // what was answered is on the disk
  translog: { durability: 'request' },
  similarity: { tokens: { type: 'BM25', k1, b } },
  analysis: { analyzer: { tokens: { type: 'custom', tokenizer: 'whitespace' } } },
}

const mappings: estypes.MappingTypeMapping = {
  dynamic: 'strict',
  _meta: { format },
  _routing: { required: true },
  // nothing reads them back, and what a search fetches is smaller without them; fields of vectors: vectors.ts
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

/** Of an index that is to be made. */
export function definitionOf(prefix: string, index: string): estypes.IndicesCreateRequest {
  return {
    index: concreteName(prefix, index),
    settings,
    mappings,
    aliases: { [aliasName(prefix, index)]: { is_write_index: true } },
  }
}
