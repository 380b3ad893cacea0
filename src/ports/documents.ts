/**
 * The documents port: collections of flat documents with declared unique keys and indexes.
 * Asks of an engine only what SQLite and MongoDB do alike: atomic single documents and unique keys. No transactions.
 * A promise of a write resolves only when the write is durable. Every method throws EngineUnavailable when the engine
 * is away, full or read-only; after that throw the write may or may not have happened.
 */
import type { EngineUnavailable } from './unavailable.ts'

/**
 * What a field holds. Absent is null, never undefined.
 * symbol: a string of which there are few different ones (a workspace, a state); found by equality and lists, and in an
 * order of the engine's own, in which '' comes first.
 * instant: a string as Date.toISOString writes it.
 * json: any JSON value, never filtered or sorted by; internedJson: one of which there are few different ones; sideTable:
 * a large one that few read, in a document that changes often. It is given with the document, and later at most dropped
 * (set to null); a collection with such a field is no target of upsertIfNewer.
 */
export type FieldType =
  | 'string'
  | 'interned'
  | 'instant'
  | 'integer'
  | 'number'
  | 'boolean'
  | 'json'
  | 'internedJson'
  | 'sideTable'

/** Whether a field holds JSON: it is never filtered or sorted by. */
export function isJson(type: FieldType | undefined): boolean {
  return type === 'json' || type === 'internedJson' || type === 'sideTable'
}

export interface Document {
  /** Primary key, unique in its collection. */
  id: string
}

/** A collection of whatever documents. */
export interface AnyCollection {
  readonly name: string
  readonly fields: Readonly<Record<string, FieldType>>
  readonly unique: readonly (readonly string[])[]
  readonly indexes: readonly (readonly string[])[]
}

export interface Collection<T extends Document> extends AnyCollection {
  readonly fields: { readonly [F in keyof T]-?: FieldType }
  /** Unique keys beside `id`; none of their fields may be null. */
  readonly unique: readonly (readonly (keyof T & string)[])[]
  readonly indexes: readonly (readonly (keyof T & string)[])[]
}

export type Scalar = string | number | boolean | null

export interface Range {
  gt?: Scalar
  gte?: Scalar
  lt?: Scalar
  lte?: Scalar
}

/** Per field: a value (equality; null equals null), a list (any of), or a range (nulls are in no range). */
export type Where<T> = { readonly [F in keyof T]?: Scalar | { readonly in: readonly Scalar[] } | Range }

export interface Find<T, F extends keyof T & string = keyof T & string> {
  where: Where<T>
  /** Strings compare by code unit of UTF-8 (binary). */
  sort?: readonly (readonly [keyof T & string, 'asc' | 'desc'])[]
  /** 1 to 10,000. */
  limit: number
  /** Which fields are read; the others are not loaded. All when left out. */
  fields?: readonly F[]
}

/** These fields of a document; of one of several types, of each type by itself: one field may say what another holds. */
export type Picked<T, F extends keyof T> = T extends unknown ? Pick<T, F & keyof T> : never

/** Which type a document has is not looked at: what is set must fit it. */
export interface Change<T> {
  set?: { readonly [F in keyof T & string]?: T[F] }
  /** Adds to an integer field. */
  inc?: { readonly [F in keyof T]?: number }
}

export interface Documents {
  /** Makes the collections, their unique keys and indexes where they are missing. Called once, at start. */
  declare(collections: readonly AnyCollection[]): Promise<void>

  /** false: a document with this id or one of its unique keys is there already; nothing was written. */
  insert<T extends Document>(collection: Collection<T>, document: T): Promise<boolean>

  /** Unordered: every document that can be inserted is. Returns the ids of those that were duplicates. */
  insertMany<T extends Document>(collection: Collection<T>, documents: readonly T[]): Promise<string[]>

  /** The document with this id, if it is there and meets the condition: one that does not is never loaded. */
  get<T extends Document, F extends keyof T & string = keyof T & string>(
    collection: Collection<T>,
    id: string,
    fields?: readonly F[],
    condition?: Where<T>,
  ): Promise<Picked<T, F> | undefined>

  /** Throws UndeclaredQuery when no declared index serves it (see plan.ts). */
  find<T extends Document, F extends keyof T & string = keyof T & string>(
    collection: Collection<T>,
    query: Find<T, F>,
  ): Promise<Picked<T, F>[]>

  /** How many match, counted up to `upTo`. Same rule as find. */
  count<T extends Document>(collection: Collection<T>, query: { where: Where<T>; upTo: number }): Promise<number>

  /** One document, if it is there and meets the condition, in one atomic step. true: changed. */
  update<T extends Document>(
    collection: Collection<T>,
    id: string,
    change: Change<T>,
    condition?: Where<T>,
  ): Promise<boolean>

  /** Each of these that meets the condition; every document by itself atomic. Returns how many changed. */
  updateMany<T extends Document>(
    collection: Collection<T>,
    ids: readonly string[],
    change: Change<T>,
    condition?: Where<T>,
  ): Promise<number>

  /** Many conditional updates of one document each, unordered; what `update` means for each. */
  updateEach<T extends Document>(
    collection: Collection<T>,
    updates: readonly { id: string; change: Change<T>; condition?: Where<T> }[],
  ): Promise<void>

  /** Whole documents, each written only where none with its id is there or the stored `version` field is smaller. */
  upsertIfNewer<T extends Document>(
    collection: Collection<T>,
    documents: readonly T[],
    version: keyof T & string,
  ): Promise<void>

  /** Returns how many were there and meet the condition. */
  delete<T extends Document>(collection: Collection<T>, ids: readonly string[], condition?: Where<T>): Promise<number>

  /**
   * The writes that `ask` asks of what is handed to it: each begins when the one before is durable, or all are one
   * atomic step. Their single answers never come; this one comes when all are durable.
   */
  inOrder(ask: (writes: Writes) => void): Promise<void>

  /** undefined: well. Else what is wrong, for /readyz (its kind) and the log (its message). Tries a write as well as a read. */
  health(): Promise<EngineUnavailable | undefined>

  close(): Promise<void>
}

/** The writes that may stand in a row. */
export type Writes = Pick<Documents, 'insertMany' | 'update' | 'updateEach' | 'upsertIfNewer'>
