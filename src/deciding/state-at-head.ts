/** What decide reads: the records of a workspace at head, with the changes of the entry being built (journal/state.ts). */
import assert from 'node:assert/strict'
import type { Audience, RecordId, RecordKind } from '../ids.ts'
import type { DocumentField, DocumentName, EntryDocuments } from '../records/entry-documents.ts'
import type { Envelope, PrecedentRecord, RecordOf } from '../records/record.ts'

export interface StateAtHead {
  /** The current revision (revisions.ts). */
  record(id: RecordId): Promise<Envelope | undefined>
  /** All revisions, in the order of acceptance. */
  revisions(id: RecordId): Promise<Envelope[]>
  /** The row with text and body. */
  whole(rowId: string): Promise<PrecedentRecord | undefined>
  /** The current revisions of this kind with this external_id in these audiences. */
  withExternalId(kind: RecordKind, audiences: readonly Audience[], externalId: string): Promise<Envelope[]>
  /** Rows with this content hash in exactly this audience. */
  withContent(audience: Audience, contentHash: string): Promise<Envelope[]>
  /** All questions about a record, including answered ones. */
  questionsOn(record: RecordId): Promise<RecordOf<'question'>[]>
  /** The outcomes of a decision that follow it (facets.ts): the newest 50. */
  outcomesOf(decision: Pick<Envelope, 'record_id' | 'audience'>): Promise<RecordOf<'outcome'>[]>
  /** Documents of a further collection, by a field that its projection lists in `lookups`. */
  documents<Name extends DocumentName>(
    name: Name,
    field: DocumentField<Name>,
    value: string,
  ): Promise<EntryDocuments[Name][]>
  /** Reads what is looked up next in a few queries, not one by one. */
  prefetch(lookups: readonly Lookups[]): Promise<void>
}

/** The row of an envelope, with text and body. */
export async function wholeOf(state: StateAtHead, { id }: Pick<Envelope, 'id'>): Promise<PrecedentRecord> {
  const whole = await state.whole(id)
  assert(whole, `row ${id} is missing: rows are never deleted`)
  return whole
}

/** What a batch will look up. It is read in a few queries, not one by one. */
export interface Lookups {
  externalIds?: { kind: RecordKind; audiences: readonly Audience[]; externalId: string }[]
  contents?: { audience: Audience; contentHash: string }[]
  documents?: DocumentLookup[]
}

export type DocumentLookup = {
  [Name in DocumentName]: { name: Name; field: DocumentField<Name>; value: string }
}[DocumentName]
