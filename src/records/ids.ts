/** Branded ids: a receipt's id is never taken for a record's. And the ids of rows. */
declare const brand: unique symbol
type Branded<Name extends string> = string & { readonly [brand]: Name }

export type WorkspaceId = Branded<'WorkspaceId'>
export type ReceiptId = Branded<'ReceiptId'>
/** uuid v7 of a record; all revisions of a decision share it. */
export type RecordId = Branded<'RecordId'>
/** `workspace`, `user:<id>` or `team:<uuid>`: who may see a record. */
export type Audience = 'workspace' | `user:${string}` | `team:${string}`

/** The row of a record; of a later revision of a decision a row of its own. */
export function rowIdOf(record: RecordId, revision: number): string {
  return revision === 1 ? record : `${record}~${revision}`
}

/** The record that a row is of. */
export function recordOfRow(rowId: string): RecordId {
  return rowId.split('~', 1)[0] as RecordId
}

/** Both cases are spelled out: the documents show the pattern without flags. */
export const uuidPattern =
  /^(?:[\da-fA-F]{8}-[\da-fA-F]{4}-[1-8][\da-fA-F]{3}-[\da-fA-F]{4}-[\da-fA-F]{12}|0{8}-(?:0{4}-){3}0{12}|[fF]{8}-(?:[fF]{4}-){3}[fF]{12})$/
