/**
 * The search port on Elasticsearch (src/ports/search.ts). For the stored form of documents, see definition.ts and
 * stored.ts.
 */
import { strict as assert } from 'node:assert'
import { inTurns } from '../../ports/in-turns.ts'
import { partsOfName, usable } from '../../ports/index-versions.ts'
import { assertBeginning, assertQuery, type SearchDocument, type SearchEngine } from '../../ports/search.ts'
import { analysisVersion } from '../../text/version.ts'
import { type SearchLog, storeAll } from './bulk.ts'
import { candidatesOf } from './candidates.ts'
import { openElastic } from './connection.ts'
import { aliasName, type Names, oldestFormat, ownVersion } from './definition.ts'
import { faultOf } from './health.ts'
import {
  countDocuments,
  createIndex,
  dropIndex,
  dropOlder,
  mappedFields,
  refreshIndex,
  storedVersions,
} from './indexes.ts'
import { longerOf } from './longer.ts'
import { missedIndexes } from './missed.ts'
import { removeDocuments } from './remove.ts'
import { searchingIn } from './searching.ts'
import { frequenciesOf } from './statistics.ts'
import { mappedForSearchWithin, nearestOf, unembeddedOf, vectorFields } from './vectors.ts'
import { advanceWatermark, readWatermark, writeWatermark } from './watermarks.ts'

export interface ElasticsearchOptions {
  /** http:// or https://, with user and password if there are any. */
  url: string
  /** The encoded API key, as Elasticsearch shows it. Used instead of user and password. */
  apiKey?: string | undefined
  /** Prefix of all index names. Services that share a server need different prefixes. */
  prefix?: string
  /** The version of the text analysis, which only tests set. */
  analysis?: number
}

const defaultPrefix = 'precedent'

/** Connects with the first call. */
export function elasticsearchSearch(options: ElasticsearchOptions, log?: SearchLog): SearchEngine {
  const { prefix = defaultPrefix, analysis = analysisVersion } = options
  const names: Names = { prefix, analysis }
  const elastic = openElastic(options)
  const missed = missedIndexes()
  const fields = vectorFields(elastic)
  const alias = (index: string) => aliasName(names, index)

  const version = ownVersion(names)
  const olderFields = new Map<string, ReadonlySet<string>>()

  /** The fields that an index of an older version can store; undefined: all. */
  async function fieldsOf(index: string): Promise<ReadonlySet<string> | undefined> {
    if (partsOfName(index, version).version === version) return undefined
    const known = olderFields.get(index) ?? (await mappedFields(elastic, alias(index)))
    olderFields.set(index, known)
    return known
  }

  return {
    version,

    versions: async (index) => usable(await storedVersions(elastic, names, index), version, oldestFormat),

    async create(index) {
      assert(/^[a-z0-9-]+$/.test(index))
      await createIndex(elastic, names, index)
      fields.forget(alias(index))
      missed.found(index)
    },

    async drop(index) {
      await dropIndex(elastic, names, index)
      fields.forget(alias(index))
      missed.found(index)
    },

    dropOlder: (index) => dropOlder(elastic, names, index),

    async upsert(index, given) {
      const documents: SearchDocument[] = []
      const turn = inTurns()
      for await (const document of given) {
        // making a document takes time: its text is analysed when it is read
        await turn()
        documents.push(document)
      }
      if (documents.length === 0) return { reduced: [] }
      const vectors = documents.flatMap(({ vector }) => (vector === undefined ? [] : [vector]))
      await missed.watch(index, fields.ensure(alias(index), vectors))
      const known = await missed.watch(index, fieldsOf(index))
      return { reduced: await missed.watch(index, storeAll(elastic, { name: alias(index), known }, documents, log)) }
    },

    async remove(index, workspace, ids, version) {
      assert(ids.length <= 1_000)
      if (ids.length > 0) await missed.watch(index, removeDocuments(elastic, alias(index), workspace, ids, version))
    },

    async refresh(index, workspace, watermark) {
      await missed.watch(index, refreshIndex(elastic, alias(index)))
      // after it: a watermark says what searches show
      if (watermark !== undefined)
        await missed.watch(index, writeWatermark(elastic, alias(index), workspace, watermark))
    },

    async advance(index, workspace, watermark) {
      await missed.watch(index, refreshIndex(elastic, alias(index)))
      return missed.watch(index, advanceWatermark(elastic, alias(index), workspace, watermark))
    },

    watermark: (index, workspace) => readWatermark(elastic, alias(index), workspace),

    candidates(index, filter, query, limit) {
      assertQuery(query, limit)
      return missed.watch(index, candidatesOf(elastic, alias(index), filter, query, limit))
    },

    frequencies(index, filter, terms, atMost) {
      assert(terms.length <= 2_000)
      return missed.watch(
        index,
        frequenciesOf(searchingIn(elastic, alias(index), filter.workspace), filter, terms, atMost),
      )
    },

    async longer(index, filter, beginning) {
      assertBeginning(beginning)
      return missed.watch(index, longerOf(searchingIn(elastic, alias(index), filter.workspace), filter, beginning))
    },

    async nearest(index, filter, vector, terms, limit) {
      assert(terms.length <= 64 && limit >= 1 && limit <= 200)
      await missed.watch(index, fields.ensure(alias(index), [vector], mappedForSearchWithin))
      return missed.watch(index, nearestOf(elastic, alias(index), filter, vector, terms, limit))
    },

    async unembedded(index, workspace, space, ids) {
      assert(ids.length <= 500)
      return missed.watch(index, unembeddedOf(elastic, alias(index), workspace, space, ids))
    },

    vectorFault: async () => undefined,

    count: (index, workspace) => missed.watch(index, countDocuments(elastic, alias(index), workspace)),

    health: () => faultOf(elastic, names, missed.take()),

    close: () => elastic.close(),
  }
}
