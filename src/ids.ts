/** Branded ids, so that a receipt's id does not compile as a record's id, and the ids of rows. */
declare const brand: unique symbol
type Branded<Name extends string> = string & { readonly [brand]: Name }

export type WorkspaceId = Branded<'WorkspaceId'>
export type ReceiptId = Branded<'ReceiptId'>
/** uuid v7 of a record; all revisions of a decision share it. */
export type RecordId = Branded<'RecordId'>
/** `workspace`, `user:<id>` or `team:<uuid>`: who may see a record. */
export type Audience = 'workspace' | `user:${string}` | `team:${string}`

/** The kinds of records. */
export type RecordKind = 'memory' | 'decision' | 'question' | 'task' | 'outcome' | 'run'

/** The row id of a revision. Each later revision of a decision has a separate row. */
export function rowIdOf(record: RecordId, revision: number): string {
  return revision === 1 ? record : `${record}~${revision}`
}

/** The id of the record that a row belongs to. */
export function recordOfRow(rowId: string): RecordId {
  return rowId.split('~', 1)[0] as RecordId
}

/** Spells out both cases instead of using the i flag: JSON Schema shows a pattern without its flags. */
export const uuidPattern =
  /^(?:[\da-fA-F]{8}-[\da-fA-F]{4}-[1-8][\da-fA-F]{3}-[\da-fA-F]{4}-[\da-fA-F]{12}|0{8}-(?:0{4}-){3}0{12}|[fF]{8}-(?:[fF]{4}-){3}[fF]{12})$/

/** The form of a question_id (SEMANTICS 6). */
export const questionIdPattern = /^(?:fact|judgment|clarification):/
