/**
 * Scopes of search documents. Counts are kept for each scope, because scores may depend only on what the caller can
 * see.
 */
import type { SearchDocument } from '../../../ports/search.ts'
import { type Database, statement } from '../base/database.ts'

type Scoped = Pick<SearchDocument, 'workspace' | 'audience' | 'kind'>

/** The documents of one kind for one audience, with their counts. */
export interface Scope {
  number: number
  documents: number
  length: number
  added: number
}

export interface Scopes {
  /** The scope of a document. Created if missing. */
  at(document: Scoped): Scope
  numbered(number: number): Scope
  /** Writes the counts of all scopes. */
  save(): void
}

/** The scopes used in a transaction. Each is read once and written once. */
export function scopesOf(db: Database, index: number): Scopes {
  const byName = new Map<string, Scope>()
  const byNumber = new Map<number, Scope>()
  const keep = (scope: Scope): Scope => {
    const known = byNumber.get(scope.number)
    if (known !== undefined) return known
    byNumber.set(scope.number, scope)
    return scope
  }
  return {
    at({ workspace, audience, kind }) {
      const name = JSON.stringify([workspace, audience, kind])
      let scope = byName.get(name)
      if (scope === undefined) {
        scope = keep(findOrMake(db, index, workspace, audience, kind))
        byName.set(name, scope)
      }
      return scope
    },
    numbered(number) {
      return (
        byNumber.get(number) ??
        keep(
          scopeOf(
            statement(db, 'SELECT number, documents, length, added FROM search_scopes WHERE number = ?').get(number),
          ),
        )
      )
    },
    save() {
      const update = statement(db, 'UPDATE search_scopes SET documents = ?, length = ?, added = ? WHERE number = ?')
      for (const { number, documents, length, added } of byNumber.values()) {
        update.run(documents, length, added, number)
      }
    },
  }
}

function findOrMake(db: Database, index: number, workspace: string, audience: string, kind: string): Scope {
  const find = statement(
    db,
    `SELECT number, documents, length, added FROM search_scopes
     WHERE search_index = ? AND workspace = ? AND audience = ? AND kind = ?`,
  )
  const found = find.get(index, workspace, audience, kind)
  if (found !== undefined) return scopeOf(found)
  statement(db, 'INSERT INTO search_scopes (search_index, workspace, audience, kind) VALUES (?, ?, ?, ?)').run(
    index,
    workspace,
    audience,
    kind,
  )
  return scopeOf(find.get(index, workspace, audience, kind))
}

function scopeOf(row: unknown[] | undefined): Scope {
  const [number, documents, length, added] = row as [number, number, number, number]
  return { number, documents, length, added }
}
