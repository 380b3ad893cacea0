/** Search on SQLite FTS5 (src/ports/search.ts); how its documents lie: search-schema.ts. */
import { strict as assert } from 'node:assert'
import { inTurns } from '../../ports/in-turns.ts'
import type { SearchDocument, SearchEngine } from '../../ports/search.ts'
import { faultIn } from '../../ports/unavailable.ts'
import type { Sqlite } from './connection.ts'
import { candidatesOf } from './search-candidates.ts'
import { countDocuments, numberOfIndex, readWatermark } from './search-indexes.ts'
import { nearestOf } from './search-nearest.ts'
import { type Packed, pack } from './search-upsert.ts'
import { unembeddedOf } from './search-vectors.ts'
import { extensionFault, vectorExtension } from './vector-extension.ts'

/** Shares the connection, and leaves it open on close. Makes its tables where they are missing. */
export function sqliteSearch(sqlite: Sqlite): SearchEngine {
  const made = sqlite.call('defineSearch')
  // whoever comes first sees the failure; without a handler it would end the process
  made.catch(() => {})

  return {
    async create(index) {
      assert(/^[a-z0-9-]+$/.test(index))
      await made
      await sqlite.call('createIndex', index)
    },

    async drop(index) {
      await made
      await sqlite.call('forgetIndex', index)
      // also what an earlier drop left when the process ended in it
      while (await sqlite.call('deletePiece')) {
        // a turn for others between two pieces
      }
    },

    async upsert(index, documents) {
      await made
      let storing: Promise<void> = Promise.resolve()
      for await (const piece of piecesOf(documents)) {
        await storing
        // the thread of the writer is busy with it while the next is made
        storing = sqlite.call('storeDocuments', index, piece)
        // heard of by awaiting it; until then it counts as handled
        storing.catch(() => {})
      }
      await storing
      return { reduced: [] }
    },

    async refresh(index, workspace, watermark) {
      await made
      if (watermark !== undefined) await sqlite.call('writeWatermark', index, workspace, watermark)
    },

    async advance(index, workspace, watermark) {
      await made
      return sqlite.call('advanceWatermark', index, workspace, watermark)
    },

    async watermark(index, workspace) {
      await made
      return sqlite.read((db) => readWatermark(db, index, workspace))
    },

    async candidates(index, filter, terms, limit) {
      assert(terms.length >= 1 && terms.length <= 64 && limit >= 1 && limit <= 200)
      await made
      return sqlite.read((db) => candidatesOf(db, numberOfIndex(db, index), filter, terms, limit))
    },

    async nearest(index, filter, vector, terms, limit) {
      assert(terms.length <= 64 && limit >= 1 && limit <= 200)
      await made
      const extend = await vectorExtension()
      return sqlite.read((db) => {
        extend(db)
        return nearestOf(db, numberOfIndex(db, index), filter, vector, terms, limit)
      })
    },

    async unembedded(index, _workspace, space, ids) {
      assert(ids.length <= 500)
      await made
      return sqlite.read((db) => unembeddedOf(db, numberOfIndex(db, index), space, ids))
    },

    vectorFault: extensionFault,

    async count(index, workspace) {
      await made
      return sqlite.read((db) => countDocuments(db, numberOfIndex(db, index), workspace))
    },

    async health() {
      try {
        await made
        sqlite.read((db) => readWatermark(db, '', ''))
        return undefined
      } catch (error) {
        return faultIn('sqlite', error)
      }
    },

    async close() {},
  }
}

/** Tokens and documents of one transaction: some 50 ms, for which everything else in the process waits. */
const pieceTokens = 30_000
const pieceDocuments = 500

/** Making a document takes time as well: its text is analysed when it is asked for. */
async function* piecesOf(documents: Iterable<SearchDocument>): AsyncIterable<Packed[]> {
  let piece: Packed[] = []
  let tokens = 0
  const turn = inTurns()
  for (const document of documents) {
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
