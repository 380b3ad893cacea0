/** Keeps what was counted for an FTS5 expression. For each database apart. */
import { LRUCache } from 'lru-cache'
import type { Database } from '../base/database.ts'

/** Expressions of very many scopes are rare, and would fill the memory. */
const longestKept = 500

export interface Kept<Counted> {
  get(db: Database, expression: string): Counted | undefined
  keep(db: Database, expression: string, counted: Counted): void
}

/** `most`: expressions kept of a database, those used last. */
export function keptByExpression<Counted extends object>(most: number): Kept<Counted> {
  const all = new WeakMap<Database, LRUCache<string, Counted>>()
  return {
    get: (db, expression) => all.get(db)?.get(expression),
    keep(db, expression, counted) {
      if (expression.length > longestKept) return
      const kept = all.get(db) ?? new LRUCache<string, Counted>({ max: most })
      kept.set(expression, counted)
      all.set(db, kept)
    },
  }
}
