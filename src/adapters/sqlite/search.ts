/** Search on SQLite FTS5 (src/ports/search.ts); how its documents lie: search-schema.ts. */
import { strict as assert } from 'node:assert'
import type { SearchDocument, SearchEngine } from '../../ports/search.ts'
import type { Sqlite } from './connection.ts'
import { candidatesOf } from './search-candidates.ts'
import {
  countDocuments,
  createIndex,
  deletePiece,
  forgetName,
  numberOfIndex,
  readMark,
  writeMark,
} from './search-indexes.ts'
import { searchSchema } from './search-schema.ts'
import { type Prepared, prepare, storeDocuments } from './search-upsert.ts'

/** Shares the connection, and leaves it open on close. Makes its tables where they are missing. */
export function sqliteSearch(sqlite: Sqlite): SearchEngine {
  const made = sqlite.write((db) => db.exec(searchSchema))
  // whoever comes first sees the failure; without a handler it would end the process
  made.catch(() => {})

  return {
    async create(index) {
      assert(/^[a-z0-9-]+$/.test(index))
      await made
      await sqlite.write((db) => createIndex(db, index))
    },

    async drop(index) {
      await made
      await sqlite.write((db) => forgetName(db, index))
      // also what an earlier drop left when the process ended in it
      while (await sqlite.write(deletePiece)) {
        // a turn for others between two pieces
      }
    },

    async upsert(index, documents) {
      await made
      for (const piece of piecesOf(documents)) {
        await sqlite.write((db) => storeDocuments(db, numberOfIndex(db, index), piece))
      }
      return { reduced: [] }
    },

    async refresh(index, workspace, mark) {
      await made
      await sqlite.write((db) => writeMark(db, numberOfIndex(db, index), workspace, mark))
    },

    async mark(index, workspace) {
      await made
      return sqlite.read((db) => readMark(db, index, workspace))
    },

    async candidates(index, filter, terms, limit) {
      assert(terms.length >= 1 && terms.length <= 64 && limit >= 1 && limit <= 200)
      await made
      return sqlite.read((db) => candidatesOf(db, numberOfIndex(db, index), filter, terms, limit))
    },

    async count(index, workspace) {
      await made
      return sqlite.read((db) => countDocuments(db, numberOfIndex(db, index), workspace))
    },

    async health() {
      try {
        await made
        sqlite.read((db) => readMark(db, '', ''))
        return undefined
      } catch (error) {
        return error instanceof Error ? error.message : String(error)
      }
    },

    async close() {},
  }
}

/** Tokens and documents of one transaction: some 50 ms, for which everything else in the process waits. */
const pieceTokens = 30_000
const pieceDocuments = 500

function* piecesOf(documents: readonly SearchDocument[]): Iterable<Prepared[]> {
  let piece: Prepared[] = []
  let tokens = 0
  for (const document of documents) {
    piece.push(prepare(document))
    tokens += document.tombstone ? 0 : document.tokens.length
    if (tokens < pieceTokens && piece.length < pieceDocuments) continue
    yield piece
    piece = []
    tokens = 0
  }
  if (piece.length > 0) yield piece
}
