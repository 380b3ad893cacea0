/**
 * The stored form of documents in MongoDB: `id` is `_id`, JSON is text, and every other value is a BSON value. JSON is
 * text so that every key, depth and number is read back unchanged. Absent values are null.
 */
import assert from 'node:assert/strict'
import { BSON, Long } from 'mongodb'
import { type AnyCollection, type Document, type FieldType, isJson } from '../../ports/documents.ts'

/** The stored form of one document. */
export interface Stored {
  _id: string
  [field: string]: unknown
}

export interface Shape {
  name: string
  fields: ReadonlyMap<string, FieldType>
  collection: AnyCollection
}

/** Bytes. The size limit of MongoDB for a document, minus its overhead in a command. */
const mostBytes = 16 * 1024 * 1024 - 16 * 1024
/** Bytes of one UTF-16 unit in UTF-8. */
const mostOfCharacter = 3
const int32 = 2 ** 31

export function shapeOf(collection: AnyCollection): Shape {
  const fields = new Map(Object.entries<FieldType>(collection.fields))
  for (const name of [collection.name, ...fields.keys()]) {
    assert(/^[a-z][a-z0-9_]*$/.test(name), `${name} is no name of a collection or field`)
  }
  assert(fields.get('id') === 'string', `${collection.name}: id is a string`)
  return { name: collection.name, fields, collection }
}

/** The name of a field in MongoDB. */
export function keyOf(field: string): string {
  return field === 'id' ? '_id' : field
}

export function indexName(fields: readonly string[], unique: boolean): string {
  return `${unique ? 'unique' : 'by'}_${fields.join('_')}`
}

/** Asserts that the document has exactly the fields of its collection, with the right types, and is not too large. */
export function storedOf(shape: Shape, document: Document): Stored {
  const given = document as unknown as Record<string, unknown>
  const stored: Record<string, unknown> = {}
  for (const field of shape.fields.keys()) stored[keyOf(field)] = encode(shape, field, given[field])
  const unknown = Object.keys(document).find((field) => !shape.fields.has(field))
  assert(unknown === undefined, `${shape.name} has no field ${unknown}: it would be lost`)
  for (const field of shape.collection.unique.flat()) assertOfKey(shape, field, given[field])
  assertFits(shape, stored)
  return stored as Stored
}

/** A field of a unique key is never null: for MongoDB two nulls are duplicates, for SQLite they are not. */
export function assertOfKey(shape: Shape, field: string, value: unknown): void {
  assert(value !== null, `${shape.name}.${field} is part of a unique key: never null`)
}

/** Throws an AssertionError and not EngineUnavailable, because a retry cannot help. */
export function assertFits(shape: Shape, stored: Readonly<Record<string, unknown>>): void {
  let characters = 0
  for (const value of Object.values(stored)) if (typeof value === 'string') characters += value.length
  if (characters * mostOfCharacter < mostBytes / 2) return
  const bytes = BSON.calculateObjectSize(stored)
  assert(bytes <= mostBytes, `${shape.name}: a document of ${bytes} bytes; at most ${mostBytes} can be stored`)
}

/** The stored form of a value, also for filters. Asserts that the value has the type of the field. */
export function encode(shape: Shape, field: string, value: unknown): unknown {
  const type = shape.fields.get(field)
  assert(type !== undefined, `${shape.name} has no field ${field}`)
  if (value === null) {
    assert(field !== 'id', `${shape.name}.id is null`)
    return null
  }
  switch (type) {
    case 'string':
    case 'symbol':
      if (typeof value === 'string') return value
      break
    case 'instant':
      if (typeof value === 'string' && isInstant(value)) return value
      break
    case 'integer':
      if (Number.isSafeInteger(value)) return integer(value as number)
      break
    case 'number':
      if (Number.isFinite(value)) return value
      break
    case 'boolean':
      if (typeof value === 'boolean') return value
      break
    case 'json':
    case 'json_symbol':
    case 'json_apart':
      if (value !== undefined) return JSON.stringify(value)
  }
  return assert.fail(`${shape.name}.${field} is a ${type}, not ${typeof value} (absent is null)`)
}

/** Reads these fields of a stored document. A field that is newer than the document is null. */
export function documentOf(shape: Shape, stored: Stored, fields: Iterable<string>): Record<string, unknown> {
  const document: Record<string, unknown> = {}
  for (const field of fields) {
    const value = stored[keyOf(field)] ?? null
    document[field] = value !== null && isJson(shape.fields.get(field)) ? JSON.parse(value as string) : value
  }
  return document
}

/** Only the format of Date.toISOString, so that the order of the strings is the order of time. */
function isInstant(text: string): boolean {
  const ms = Date.parse(text)
  return !Number.isNaN(ms) && new Date(ms).toISOString() === text
}

/** The driver stores integers beyond 32 bits as doubles, whose additions are not exact. So they are stored as Long. */
function integer(value: number): number | Long {
  return value >= -int32 && value < int32 ? value + 0 : Long.fromNumber(value)
}
