/** The search port on SQLite FTS5 (src/ports/search.ts). For the tables see search/schema.ts. */
import { strict as assert } from 'node:assert'
import { inTurns, onePerTurn } from '../../ports/in-turns.ts'
import { inVersion, isOlder, partsOfName, usable } from '../../ports/index-versions.ts'
import { assertBeginning, assertQuery, type SearchDocument, type SearchEngine } from '../../ports/search.ts'
import { faultIn } from '../../ports/unavailable.ts'
import { analysisVersion } from '../../text/version.ts'
import type { Database } from './base/database.ts'
import { extensionFault, vectorExtension } from './base/vector-extension.ts'
import type { Sqlite } from './connection.ts'
import { selectCandidates } from './search/candidates.ts'
import { someFrequencies } from './search/frequencies.ts'
import { countDocuments, numberOfIndex, readWatermark, storedVersions } from './search/indexes.ts'
import { newWalk, readLonger } from './search/longer.ts'
import { selectNearest } from './search/nearest.ts'
import { readSelected } from './search/read-selected.ts'
import { format, oldestFormat } from './search/schema.ts'
import { type Packed, pack } from './search/upsert.ts'
import { unembeddedOf } from './search/vectors.ts'

/** Shares the connection, which stays open after close(). `analysis`: version of the text analysis; only tests set it. */
export function sqliteSearch(sqlite: Sqlite, analysis = analysisVersion): SearchEngine {
  const schemaReady = sqlite.call('openSearchTables')
  // the first caller gets the error; without a handler it would end the process
  schemaReady.catch(() => {})

  const version = `${format}.${analysis}`
  /** The stored name: with a version. */
  const named = (name: string) => {
    const parts = partsOfName(name, version)
    return inVersion(parts.index, parts.version)
  }
  const stored = (index: string) => sqlite.read((db) => storedVersions(db, index))
  const onePiece = onePerTurn()
  const reading = <T>(work: (db: Database) => T) => onePiece(() => sqlite.read(work))

  async function dropVersions(index: string, versions: readonly string[]): Promise<void> {
    for (const one of versions) await sqlite.call('forgetIndex', inVersion(index, one))
    // also deletes what an earlier drop left behind when the process ended
    while (await sqlite.call('deletePiece')) {
      // other writes run between two pieces
    }
  }

  return {
    version,

    async versions(index) {
      await schemaReady
      return usable(stored(index), version, oldestFormat)
    },

    async create(index) {
      assert(/^[a-z0-9-]+$/.test(index))
      await schemaReady
      await sqlite.call('createIndex', named(index))
    },

    async drop(index) {
      await schemaReady
      await dropVersions(
        index,
        stored(index).filter((one) => one === version || isOlder(one, version)),
      )
    },

    async dropOlder(index) {
      await schemaReady
      await dropVersions(
        index,
        stored(index).filter((one) => isOlder(one, version)),
      )
    },

    async upsert(index, documents) {
      await schemaReady
      let storing: Promise<void> = Promise.resolve()
      for await (const piece of piecesOf(documents)) {
        await storing
        // the writer thread works on it while the next piece is prepared
        storing = sqlite.call('storeDocuments', named(index), piece)
        // awaited above; without a handler a failure would end the process before that
        storing.catch(() => {})
      }
      await storing
      return { reduced: [] }
    },

    async remove(index, _workspace, ids, version) {
      assert(ids.length <= 1_000)
      await schemaReady
      await sqlite.call('removeDocuments', named(index), ids, version)
    },

    async refresh(index, workspace, watermark) {
      await schemaReady
      if (watermark !== undefined) await sqlite.call('writeWatermark', named(index), workspace, watermark)
    },

    async advance(index, workspace, watermark) {
      await schemaReady
      return sqlite.call('advanceWatermark', named(index), workspace, watermark)
    },

    async watermark(index, workspace) {
      await schemaReady
      return sqlite.read((db) => readWatermark(db, named(index), workspace))
    },

    async candidates(index, filter, query, limit) {
      assertQuery(query, limit)
      await schemaReady
      const { selected, candidates } = await readSelected(reading, (db) =>
        selectCandidates(db, numberOfIndex(db, named(index)), filter, query, limit),
      )
      return { items: candidates, statistics: selected.statistics }
    },

    async frequencies(index, filter, terms, atMost) {
      assert(terms.length <= 2_000)
      await schemaReady
      const counts: number[] = []
      while (counts.length < terms.length) {
        const rest = terms.slice(counts.length)
        const count = (db: Database) => someFrequencies(db, numberOfIndex(db, named(index)), filter, rest, atMost)
        counts.push(...(await reading(count)))
      }
      return counts
    },

    async longer(index, filter, beginning) {
      assertBeginning(beginning)
      await schemaReady
      const walk = newWalk()
      const read = (db: Database) => readLonger(db, numberOfIndex(db, named(index)), filter, beginning, walk)
      while (!(await reading(read))) {
        // other work runs between two pieces
      }
      return [...walk.found].sort()
    },

    async nearest(index, filter, vector, terms, limit) {
      assert(terms.length <= 64 && limit >= 1 && limit <= 200)
      await schemaReady
      const extend = await vectorExtension()
      const { selected, candidates } = await readSelected(reading, (db) => {
        extend(db)
        return selectNearest(db, numberOfIndex(db, named(index)), filter, vector, terms, limit)
      })
      return candidates.map((candidate, n) => ({ ...candidate, cosine: selected.cosines[n] as number }))
    },

    async unembedded(index, _workspace, space, ids) {
      assert(ids.length <= 500)
      await schemaReady
      return sqlite.read((db) => unembeddedOf(db, numberOfIndex(db, named(index)), space, ids))
    },

    vectorFault: extensionFault,

    async count(index, workspace) {
      await schemaReady
      return sqlite.read((db) => countDocuments(db, numberOfIndex(db, named(index)), workspace))
    },

    async health() {
      try {
        await schemaReady
        sqlite.read((db) => readWatermark(db, '', ''))
        return undefined
      } catch (error) {
        return faultIn('sqlite', error)
      }
    },

    async close() {},
  }
}

/** Limits of one transaction: about 50 ms, during which all other writes wait. */
const pieceTokens = 30_000
const pieceDocuments = 500

/** Preparing a document takes time too: its text is analysed when it is read. */
async function* piecesOf(documents: Iterable<SearchDocument> | AsyncIterable<SearchDocument>): AsyncIterable<Packed[]> {
  let piece: Packed[] = []
  let tokens = 0
  const turn = inTurns()
  for await (const document of documents) {
    await turn()
    piece.push(pack(document))
    tokens += document.tombstone ? 0 : document.tokens.length
    if (tokens < pieceTokens && piece.length < pieceDocuments) continue
    yield piece
    piece = []
    tokens = 0
  }
  if (piece.length > 0) yield piece
}
