/** Stores search documents by version, and keeps exact counts of each scope. */
import type { SearchDocument } from '../../../ports/search.ts'
import { placesText } from '../../../text/places.ts'
import { type Database, statement } from '../base/database.ts'
import { fingerprintOf } from './fingerprint.ts'
import { countOf, encodeAll, frequencySteps, markEvery, rowOf, tokenOfFilter, tokenOfTerm } from './schema.ts'
import { type Scope, type Scopes, scopesOf } from './scopes.ts'
import { removeVector, storeVector } from './vectors.ts'

/** A document as sent to the writer thread: one string is much faster to send than many. */
export interface Packed extends Omit<SearchDocument, 'tokens'> {
  tokens: string
  /** The number of tokens. */
  length: number
}

export function pack(document: SearchDocument): Packed {
  const tokens = document.tombstone ? [] : document.tokens
  return { ...document, tokens: encodeAll(tokens).join(' '), length: tokens.length }
}

interface Prepared {
  document: Packed
  frequencies: ReadonlyMap<string, number>
  /** The result of placesText. */
  terms: string
  entityTypes: string
  tags: string
}

function prepare(document: Packed): Prepared {
  const frequencies = new Map<string, number>()
  const tokens = document.length > 0 ? document.tokens.split(' ') : []
  for (const term of tokens) frequencies.set(term, (frequencies.get(term) ?? 0) + 1)
  const entityTypes = document.tombstone ? '[]' : JSON.stringify(document.entity_types)
  const tags = document.tombstone ? '[]' : JSON.stringify(document.tags)
  return { document, frequencies, terms: placesText(tokens), entityTypes, tags }
}

/** Stores each document unless the same or a newer version is stored. Runs in the caller's transaction. */
export function storePacked(db: Database, index: number, documents: readonly Packed[]): void {
  const batch = documents.map(prepare)
  const scopes = scopesOf(db, index)
  const ids = batch.map(({ document }) => document.id)
  const stored = storedOf(db, index, ids)
  let count = countOf(newestRow(db))
  for (const item of newestOfEach(batch)) {
    const { document } = item
    const before = stored.get(document.id)
    if (before !== undefined && before.version >= document.version) {
      if (document.vector !== undefined && before.version === document.version && before.scope !== null)
        storeVector(db, before.row, before.scope, document.vector)
      continue
    }
    if (document.tombstone) {
      if (before !== undefined) remove(db, scopes, before)
      insertTombstone(db, index, rowOf(++count, 0), document)
      continue
    }
    const scope = scopes.at(document)
    if (before !== undefined && before.scope === scope.number && samePostings(before, item)) {
      // an existing vector stays valid, because the text is the same
      updateEnvelope(db, before.row, document)
      if (document.vector !== undefined) storeVector(db, before.row, scope.number, document.vector)
      continue
    }
    if (before !== undefined) remove(db, scopes, before)
    const row = rowOf(++count, document.length)
    insert(db, index, scope.number, row, item)
    if (document.vector !== undefined) storeVector(db, row, scope.number, document.vector)
    scope.documents++
    scope.length += document.length
    scope.added++
    if (scope.added % markEvery === 0) mark(db, scope, row)
  }
  scopes.save()
}

/** Runs in the caller's transaction. */
export function removeStored(db: Database, index: number, ids: readonly string[], version: number): void {
  const scopes = scopesOf(db, index)
  const before = newestRow(db)
  for (const stored of storedOf(db, index, ids).values()) {
    if (stored.version <= version) remove(db, scopes, stored)
  }
  scopes.save()
  const after = newestRow(db)
  // the next documents get the numbers of the rows that were removed from the end, so no mark may keep such a number
  if (after < before) statement(db, 'DELETE FROM search_marks WHERE row > ?').run(after)
}

interface Stored {
  row: number
  id: string
  version: number
  scope: number | null
  length: number
  terms: string | null
  category: string | null
  significance: string | null
  surface: string | null
  entity_types: string | null
  tags: string | null
}

function storedOf(db: Database, index: number, ids: readonly string[]): Map<string, Stored> {
  const rows = statement(
    db,
    `SELECT row, id, version, scope, length, terms, category, significance, surface, entity_types, tags FROM search_documents
     WHERE search_index = ? AND id IN (SELECT value FROM json_each(?))`,
  ).all(index, JSON.stringify(ids)) as [number, string, number, number | null, number, ...(string | null)[]][]
  return new Map(
    rows.map(([row, id, version, scope, length, terms, category, significance, surface, entity_types, tags]) => [
      id,
      { row, id, version, scope, length, terms, category, significance, surface, entity_types, tags } as Stored,
    ]),
  )
}

/** 0: there is none. */
function newestRow(db: Database): number {
  const [newest] = statement(db, 'SELECT max(row) FROM search_documents').get() as [number | null]
  return newest ?? 0
}

function newestOfEach(batch: readonly Prepared[]): Iterable<Prepared> {
  const newest = new Map<string, Prepared>()
  for (const item of batch) {
    const other = newest.get(item.document.id)
    if (other === undefined || other.document.version < item.document.version) newest.set(item.document.id, item)
  }
  return newest.values()
}

/** Whether the postings stay the same. Then updating the row is enough, which makes a supersession cheap. */
function samePostings(before: Stored, { document, terms, entityTypes, tags }: Prepared): boolean {
  return (
    before.terms === terms &&
    before.category === document.category &&
    before.significance === document.significance &&
    before.surface === document.surface &&
    before.entity_types === entityTypes &&
    before.tags === tags
  )
}

function updateEnvelope(db: Database, row: number, document: Packed): void {
  statement(
    db,
    `UPDATE search_documents SET version = ?, record_id = ?, valid_from = ?, valid_to = ?, dated = ? WHERE row = ?`,
  ).run(
    document.version,
    document.record_id,
    document.valid_from,
    document.valid_to,
    document.dated ?? document.valid_from,
    row,
  )
}

function remove(db: Database, scopes: Scopes, before: Stored): void {
  statement(db, 'DELETE FROM search_documents WHERE row = ?').run(before.row)
  if (before.scope === null) return
  statement(db, 'DELETE FROM search_postings WHERE rowid = ?').run(before.row)
  removeVector(db, before.row)
  const scope = scopes.numbered(before.scope)
  scope.documents--
  scope.length -= before.length
}

function insertTombstone(db: Database, index: number, row: number, document: Packed): void {
  statement(db, 'INSERT INTO search_documents (row, search_index, id, version) VALUES (?, ?, ?, ?)').run(
    row,
    index,
    document.id,
    document.version,
  )
}

function insert(db: Database, index: number, scope: number, row: number, item: Prepared): void {
  const { document, frequencies, terms, entityTypes, tags } = item
  statement(
    db,
    `INSERT INTO search_documents (row, search_index, id, version, scope, record_id, kind, valid_from, valid_to,
       dated, category, significance, surface, entity_types, tags, length, fingerprint, terms)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  ).run(
    row,
    index,
    document.id,
    document.version,
    scope,
    document.record_id,
    document.kind,
    document.valid_from,
    document.valid_to,
    document.dated ?? document.valid_from,
    document.category,
    document.significance,
    document.surface,
    entityTypes,
    tags,
    document.length,
    fingerprintOf(frequencies),
    terms,
  )
  statement(db, 'INSERT INTO search_postings (rowid, tokens) VALUES (?, ?)').run(row, postingsText(scope, item))
}

function postingsText(scope: number, { document, frequencies }: Prepared): string {
  const tokens = ['']
  for (const [term, n] of frequencies) {
    tokens.push(term)
    if (n >= frequencySteps[0]) for (const step of frequencySteps) if (n >= step) tokens.push(`${term}=${step}`)
  }
  let text = tokens.join(` ${tokenOfTerm(scope, '')}`)
  if (document.category !== null) text += ` ${tokenOfFilter(scope, 'category', document.category)}`
  if (document.significance !== null) text += ` ${tokenOfFilter(scope, 'significance', document.significance)}`
  if (document.surface !== null) text += ` ${tokenOfFilter(scope, 'surface', document.surface)}`
  for (const type of new Set(document.entity_types)) text += ` ${tokenOfFilter(scope, 'entity_type', type)}`
  for (const tag of new Set(document.tags)) text += ` ${tokenOfFilter(scope, 'tag', tag)}`
  return text
}

function mark(db: Database, scope: Scope, row: number): void {
  statement(db, 'INSERT INTO search_marks (scope, row, added) VALUES (?, ?, ?)').run(scope.number, row, scope.added)
}
