/**
 * The terms of visible documents that begin with some letters. They are read from the vocabulary of the postings, where
 * the terms of each scope stand together in order. So the cost grows neither with the documents nor with the terms of
 * others.
 */
import { performance } from 'node:perf_hooks'
import { longerTerms, type SearchFilter } from '../../../ports/search.ts'
import { type Database, statement } from '../base/database.ts'
import { visibleScopes } from './postings.ts'
import { decode, encode, tokenOfTerm } from './schema.ts'

/** Look-ups in the vocabulary, for all scopes together; each scope may take one more. A look-up takes some 50 µs. */
const lookUps = 400
/** ms. */
const longestPiece = 2

/** How far the terms have been read. */
export interface Walk {
  found: Set<string>
  /** The scope that is read, and where in its vocabulary. */
  scope: number
  from: string | undefined
  /** How many look-ups were made in this scope. */
  made: number
}

export function newWalk(): Walk {
  return { found: new Set(), scope: -1, from: undefined, made: 0 }
}

/** Reads as many terms as take little time. Returns whether it has read all that it should. */
export function readLonger(db: Database, index: number, filter: SearchFilter, beginning: string, walk: Walk): boolean {
  const began = performance.now()
  // a table without rows of its own, for this connection only; the tables of the file need no change
  db.exec(`CREATE VIRTUAL TABLE IF NOT EXISTS temp.search_vocabulary USING fts5vocab(main, search_postings, instance)`)
  const next = statement(db, 'SELECT term FROM temp.search_vocabulary WHERE term >= ? AND term < ? LIMIT 1')
  const scopes = visibleScopes(db, index, filter)
  const share = Math.ceil(lookUps / Math.max(1, scopes.length))
  for (const { number } of scopes) {
    if (number < walk.scope) continue
    if (number > walk.scope) Object.assign(walk, { scope: number, from: undefined, made: 0 })
    const start = tokenOfTerm(number, encode(beginning))
    while (walk.made <= share) {
      if (walk.found.size >= longerTerms) return true
      if (performance.now() - began > longestPiece) return false
      walk.made++
      const [token] = (next.get(walk.from ?? `${start}${first}`, `${start}${last}`) ?? []) as [string?]
      if (token === undefined) break
      const [term, isFrequency] = termOf(token, number)
      if (!isFrequency) walk.found.add(decode(term))
      walk.from = `${tokenOfTerm(number, term)}${isFrequency ? afterFrequencies : first}`
    }
    walk.made = Number.POSITIVE_INFINITY
  }
  return true
}

/** Characters that sort before and after all that a token can go on with, and after its frequencies (`=2`). */
const first = '!'
const last = '\u{10ffff}'
const afterFrequencies = '>'

/** The encoded term of a token, and whether it tells a frequency. */
function termOf(token: string, scope: number): [term: string, isFrequency: boolean] {
  const rest = token.slice(tokenOfTerm(scope, '').length)
  const end = rest.indexOf('=')
  return end < 0 ? [rest, false] : [rest.slice(0, end), true]
}
