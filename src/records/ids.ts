/** Branded ids: a receipt's id is never taken for a record's. */
declare const brand: unique symbol
type Branded<Name extends string> = string & { readonly [brand]: Name }

export type WorkspaceId = Branded<'WorkspaceId'>
export type ReceiptId = Branded<'ReceiptId'>
/** uuid v7 of a record; all revisions of a decision share it. */
export type RecordId = Branded<'RecordId'>
/** `workspace`, `user:<id>` or `team:<uuid>`: who may see a record. */
export type Audience = 'workspace' | `user:${string}` | `team:${string}`

export const uuidPattern =
  /^(?:[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}|0{8}-(?:0{4}-){3}0{12}|f{8}-(?:f{4}-){3}f{12})$/i
