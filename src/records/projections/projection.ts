/** The shape of a projection: what entries become in the store. src/projections.ts lists all of them in their order. */
import type { WorkspaceId } from '../../ids.ts'
import type { AnyCollection, Collection, Documents, OrderedWrites } from '../../ports/documents.ts'
import type { Decided } from '../../receipt.ts'
import type { DocumentName, DocumentsByName, EntryCollection, EntryDocument } from '../entry-documents.ts'
import type { RowChange } from '../record.ts'

/** What projections read of an entry. */
export interface ProjectedEntry {
  workspace: WorkspaceId
  number: number
  /** The outcomes of receipts. */
  receipts: readonly Decided[]
  records: readonly RowChange[]
  documents: DocumentsByName
}

/**
 * A projection may run twice, concurrently or late. So it only inserts, or changes what an older entry wrote. All reads
 * of an entry come before its first write.
 */
export interface Projection<Read = unknown> {
  /** The collections that it writes. */
  writes: readonly AnyCollection[]
  read?(documents: Pick<Documents, 'find' | 'get'>, entry: ProjectedEntry): Promise<Read>
  /** Requests its writes. They start once the writes of earlier projections are durable. */
  write(writes: OrderedWrites, entry: ProjectedEntry, given: Given<Read>): void
  /** Set if it writes documents that outcomes carry. */
  carries?: EntryCollection
}

export interface Given<Read> {
  /** What `read` has found. */
  read: Read
  /** The instant of the projection, ISO 8601. */
  now: string
}

/** Only for the type of `read`. */
export function defineProjection<Read = undefined>(projection: Projection<Read>): Projection<Read> {
  return projection
}

/** The projection of documents that outcomes carry. */
export function projectionOf<Name extends DocumentName>(carries: EntryCollection<Name>): Projection<undefined> {
  const collection = carries.collection as AnyCollection as Collection<EntryDocument>
  return {
    writes: [collection],
    carries: carries as unknown as EntryCollection,
    write(writes, { documents }) {
      const own: readonly EntryDocument[] = documents[carries.name] ?? []
      if (own.length === 0) return
      if (carries.keeps === 'once') writes.insertMany(collection, own)
      else writes.upsertIfNewer(collection, own, 'entry')
    },
  }
}
