/**
 * Which documents hold a frequent term: one bit for each document, kept in memory. By these bits a search orders the
 * documents that it found, for terms whose postings would take too long to read each time.
 */
import { LRUCache } from 'lru-cache'
import type { Database } from '../base/database.ts'
import { postingsOf, type Term } from './postings.ts'
import { countOf } from './schema.ts'

/** Bytes kept for each database. A term takes some 15 KB among 100,000 documents. */
const mostBytes = 16 * 2 ** 20

/**
 * Bits may be out of date: those of deleted documents stay, and a document that got the row of a deleted one may lack
 * its own. So they may only order documents that were found by postings.
 */
export interface Holders {
  /** By the counts of rows (schema.ts). */
  bits: Uint32Array
  newest: number
  oldest: number
  /** There are no rows older than the oldest. */
  complete: boolean
  /** Documents ever added to the scopes when the newest row was read. */
  added: number
}

export function holds({ bits }: Holders, row: number): boolean {
  const count = countOf(row)
  return ((bits[count >>> 5] ?? 0) & (1 << (count & 31))) !== 0
}

/**
 * The documents that hold the term; undefined: they were not all read yet. Reads at most so many postings that were not
 * read before, and returns how many it read. `added`: documents ever added to the scopes of the term.
 */
export function readHolders(
  db: Database,
  { expression }: Term,
  added: number,
  atMost: number,
): { holders: Holders | undefined; read: number } {
  const kept = keptOf(db)
  const known = kept.get(expression) ?? {
    bits: new Uint32Array(0),
    newest: -1,
    oldest: newestPossible,
    complete: false,
    added,
  }
  if (isCurrent(known, added)) return { holders: known, read: 0 }
  if (atMost === 0) return { holders: undefined, read: 0 }
  const { rows, cut } = known.complete
    ? postingsOf(db, expression, atMost, known.newest + 1)
    : postingsOf(db, expression, atMost, 0, known.oldest)
  if (known.complete && cut) {
    // so much is new that it is read from the beginning
    kept.delete(expression)
    return { holders: undefined, read: rows.length }
  }
  add(known, rows)
  if (known.complete) known.added = added
  known.complete ||= !cut
  // also tells the cache the new size
  kept.set(expression, known)
  return { holders: isCurrent(known, added) ? known : undefined, read: rows.length }
}

function isCurrent(holders: Holders, added: number): boolean {
  return holders.complete && holders.added === added
}

const newestPossible = Number.MAX_SAFE_INTEGER

/** `rows`: newest first, all newer or all older than those that it has. */
function add(holders: Holders, rows: readonly number[]): void {
  const [newest, oldest] = [rows[0], rows.at(-1)]
  if (newest === undefined || oldest === undefined) return
  holders.newest = Math.max(holders.newest, newest)
  holders.oldest = Math.min(holders.oldest, oldest)
  const words = (countOf(holders.newest) >>> 5) + 1
  if (words > holders.bits.length) {
    const larger = new Uint32Array(Math.ceil(words * 1.25))
    larger.set(holders.bits)
    holders.bits = larger
  }
  const { bits } = holders
  for (const row of rows) {
    const count = countOf(row)
    bits[count >>> 5] = (bits[count >>> 5] as number) | (1 << (count & 31))
  }
}

const all = new WeakMap<Database, LRUCache<string, Holders>>()

function keptOf(db: Database): LRUCache<string, Holders> {
  const known = all.get(db)
  if (known !== undefined) return known
  const kept = new LRUCache<string, Holders>({
    maxSize: mostBytes,
    sizeCalculation: ({ bits }, expression) => bits.byteLength + 2 * expression.length + 100,
  })
  all.set(db, kept)
  return kept
}
