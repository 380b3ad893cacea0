/** The names, settings and mapping of an index. */
import type { estypes } from '@elastic/elasticsearch'
import { partsOfName } from '../../ports/index-versions.ts'
import { k1 } from '../../text/matching.ts'

/**
 * Version of the settings, the mapping and the stored form of documents (stored.ts, text/places.ts). Raise it by one
 * with each change of them. While an index of the new format is filled, the older one serves: searches run on it, and
 * documents are stored in it without the fields that its mapping lacks. If a change does not allow that, raise
 * `oldestFormat` too.
 */
export const format = 4

export interface Names {
  /** The beginning of all names of this service. */
  prefix: string
  /** The version of the text analysis (text/version.ts). */
  analysis: number
}

/** The oldest format whose indexes this code can still search and write. Older ones are only dropped. */
export const oldestFormat = 2

export function ownVersion({ analysis }: Names): string {
  return `${format}.${analysis}`
}

/** The name in Elasticsearch. `name` may name a version; by default it is the own one. */
export function concreteName(names: Names, name: string): string {
  const { index, version } = partsOfName(name, ownVersion(names))
  return `${names.prefix}-${index}-v${version}`
}

/** Matches the aliases of the index in all versions. */
export function everyVersion(names: Names, index: string): string {
  return `${names.prefix}-${index}-v*.alias`
}

/** The version in the name of an alias that everyVersion() matches. */
export function versionIn(alias: string): string | undefined {
  return /-v(\d+\.\d+)\.alias$/.exec(alias)?.[1]
}

/**
 * All reads and writes use an alias, which is created and deleted with its index. If a write does not require an alias,
 * Elasticsearch creates a lost index again, with a mapping that it guesses.
 */
export function aliasName(names: Names, name: string): string {
  return `${concreteName(names, name)}.alias`
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
  // without lengths: the average length would be that of all workspaces in the index
  similarity: { tokens: { type: 'BM25', k1, b: 0 } },
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
