/**
 * The documents port: collections of flat documents with declared unique keys and indexes.
 * It needs only what SQLite and MongoDB have in common: atomic writes of one document, and unique keys. No
 * transactions.
 * The promise of a write resolves once the write is durable. Every method throws EngineUnavailable if the engine is
 * unreachable, full or read-only. After that error the write may or may not have happened.
 */
import type { EngineUnavailable } from './unavailable.ts'

/**
 * The type of a field. An absent value is null, never undefined.
 * interned: a string with few distinct values, such as a workspace or a state. Queries can filter by equality and
 * lists. The engine chooses the sort order, but '' sorts first.
 * instant: a string in the format of Date.toISOString.
 * json: any JSON value. Queries can't filter or sort by it.
 * internedJson: a JSON value with few distinct values.
 * sideTable: a large JSON value that is seldom read, in a document that changes often. It is set at insert; the only
 * later change is to null. upsertIfNewer does not support collections with such a field.
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

/** Whether a field holds JSON. Queries can't filter or sort by these fields. */
export function isJson(type: FieldType | undefined): boolean {
  return type === 'json' || type === 'internedJson' || type === 'sideTable'
}

export interface Document {
  /** Primary key, unique in its collection. */
  id: string
}

/** A collection of documents of any type. */
export interface AnyCollection {
  readonly name: string
  readonly fields: Readonly<Record<string, FieldType>>
  readonly unique: readonly (readonly string[])[]
  readonly indexes: readonly (readonly string[])[]
}

export interface Collection<T extends Document> extends AnyCollection {
  readonly fields: { readonly [F in keyof T]-?: FieldType }
  /** Unique keys in addition to `id`. Their fields must not be null. */
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

/** One condition per field: a value (equality; null equals null), a list (any of), or a range (null is in no range). */
export type Where<T> = { readonly [F in keyof T]?: Scalar | { readonly in: readonly Scalar[] } | Range }

export interface Find<T, F extends keyof T & string = keyof T & string> {
  where: Where<T>
  /** Strings compare by their UTF-8 bytes. */
  sort?: readonly (readonly [keyof T & string, 'asc' | 'desc'])[]
  /** From 1 to 10,000. */
  limit: number
  /** The fields to load. If left out, all fields are loaded. */
  fields?: readonly F[]
}

/**
 * The given fields of a document. For a union, of each member by itself: the value of one field may tell the type of
 * another.
 */
export type Picked<T, F extends keyof T> = T extends unknown ? Pick<T, F & keyof T> : never

/** The type of the document is not checked: the caller makes sure that the new values fit it. */
export interface Change<T> {
  set?: { readonly [F in keyof T & string]?: T[F] }
  /** Adds to an integer field. */
  inc?: { readonly [F in keyof T]?: number }
}

export interface Documents {
  /** Creates missing collections, unique keys and indexes. Called once, at start. */
  declare(collections: readonly AnyCollection[]): Promise<void>

  /** false: a document with the same id or unique key exists, and nothing was written. */
  insert<T extends Document>(collection: Collection<T>, document: T): Promise<boolean>

  /** Inserts every document that is no duplicate, in any order. Returns the ids of the duplicates. */
  insertMany<T extends Document>(collection: Collection<T>, documents: readonly T[]): Promise<string[]>

  /** The document with this id, if it meets the condition. A document that does not meet it is never loaded. */
  get<T extends Document, F extends keyof T & string = keyof T & string>(
    collection: Collection<T>,
    id: string,
    fields?: readonly F[],
    condition?: Where<T>,
  ): Promise<Picked<T, F> | undefined>

  /** Throws UndeclaredQuery if no declared index serves the query (see plan.ts). */
  find<T extends Document, F extends keyof T & string = keyof T & string>(
    collection: Collection<T>,
    query: Find<T, F>,
  ): Promise<Picked<T, F>[]>

  /** Counts the matches, up to `upTo`. Needs a declared index, like find. */
  count<T extends Document>(collection: Collection<T>, query: { where: Where<T>; upTo: number }): Promise<number>

  /** Changes one document in one atomic step, if it exists and meets the condition. true: it was changed. */
  update<T extends Document>(
    collection: Collection<T>,
    id: string,
    change: Change<T>,
    condition?: Where<T>,
  ): Promise<boolean>

  /**
   * Changes the documents with these ids that meet the condition. Each change is atomic. Returns how many changed.
   */
  updateMany<T extends Document>(
    collection: Collection<T>,
    ids: readonly string[],
    change: Change<T>,
    condition?: Where<T>,
  ): Promise<number>

  /** Many updates of one document each, in any order. Each works like `update`. */
  updateEach<T extends Document>(
    collection: Collection<T>,
    updates: readonly { id: string; change: Change<T>; condition?: Where<T> }[],
  ): Promise<void>

  /** Writes whole documents. An existing document is replaced only if its `version` field is smaller. */
  upsertIfNewer<T extends Document>(
    collection: Collection<T>,
    documents: readonly T[],
    version: keyof T & string,
  ): Promise<void>

  /** Deletes the documents with these ids that meet the condition. Returns how many were deleted. */
  delete<T extends Document>(collection: Collection<T>, ids: readonly string[], condition?: Where<T>): Promise<number>

  /**
   * Runs the writes that `ask` requests, in this order: each starts when the one before is durable, or all are one
   * atomic step. A write that fails stops the rest. Resolves when all are durable. `ask` must request all writes before
   * it returns: the type refuses a function that returns a promise. Rejects and writes nothing if `ask` throws, or
   * returns a promise nevertheless.
   */
  inOrder(ask: (writes: OrderedWrites) => undefined): Promise<void>

  /**
   * Tries a read and a write. undefined: the engine is healthy. Otherwise the fault: its kind is for /readyz, its
   * message for the log.
   */
  health(): Promise<EngineUnavailable | undefined>

  close(): Promise<void>
}

/**
 * Requests writes inside inOrder(). A method only adds its write to the list, so it has no result to wait for. It throws
 * if the callback of inOrder() has returned.
 */
export interface OrderedWrites {
  insertMany<T extends Document>(collection: Collection<T>, documents: readonly T[]): void
  update<T extends Document>(collection: Collection<T>, id: string, change: Change<T>, condition?: Where<T>): void
  updateEach<T extends Document>(
    collection: Collection<T>,
    updates: readonly { id: string; change: Change<T>; condition?: Where<T> }[],
  ): void
  upsertIfNewer<T extends Document>(collection: Collection<T>, documents: readonly T[], version: keyof T & string): void
}
