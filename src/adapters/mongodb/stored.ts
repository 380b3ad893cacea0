/**
 * A collection as MongoDB keeps it: `id` is `_id`, JSON is text (so that every key, depth and number comes back as it
 * was), all else is a BSON value of its own; absent is null.
 */
import assert from 'node:assert/strict'
import { BSON, Long } from 'mongodb'
import { type AnyCollection, type Document, type FieldType, isJson } from '../../ports/documents.ts'

/** One document as it is stored. */
export interface Stored {
  _id: string
  [field: string]: unknown
}

export interface Shape {
  name: string
  fields: ReadonlyMap<string, FieldType>
  collection: AnyCollection
}

/** Bytes: the most that MongoDB takes in one document, less its own share of a command. */
const mostBytes = 16 * 1024 * 1024 - 16 * 1024
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

/** Asserts that it has the fields of its collection and no others, each of its type, and that it is not too large. */
export function storedOf(shape: Shape, document: Document): Stored {
  const given = document as unknown as Record<string, unknown>
  const stored: Record<string, unknown> = {}
  for (const field of shape.fields.keys()) stored[keyOf(field)] = encode(shape, field, given[field])
  const stranger = Object.keys(document).find((field) => !shape.fields.has(field))
  assert(stranger === undefined, `${shape.name} has no field ${stranger}: it would be lost`)
  for (const field of shape.collection.unique.flat()) assertOfKey(shape, field, given[field])
  assertFits(shape, stored)
  return stored as Stored
}

/** A field of a unique key is never null: MongoDB would take a null for a value like others, SQLite would not. */
export function assertOfKey(shape: Shape, field: string, value: unknown): void {
  assert(value !== null, `${shape.name}.${field} is part of a unique key: never null`)
}

/** Throws a plain error: what is too large today is too large for ever. */
export function assertFits(shape: Shape, stored: Readonly<Record<string, unknown>>): void {
  let characters = 0
  for (const value of Object.values(stored)) if (typeof value === 'string') characters += value.length
  if (characters * mostOfCharacter < mostBytes / 2) return
  const bytes = BSON.calculateObjectSize(stored)
  assert(bytes <= mostBytes, `${shape.name}: a document of ${bytes} bytes; at most ${mostBytes} can be stored`)
}

/** A value as MongoDB keeps it and is asked for it. Asserts that it is of the field's type. */
export function encode(shape: Shape, field: string, value: unknown): unknown {
  const type = shape.fields.get(field)
  assert(type !== undefined, `${shape.name} has no field ${field}`)
  if (value === null) {
    assert(field !== 'id', `${shape.name}.id is null`)
    return null
  }
  switch (type) {
    case 'string':
    case 'interned':
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
    case 'internedJson':
    case 'sideTable':
      if (value !== undefined) return JSON.stringify(value)
  }
  return assert.fail(`${shape.name}.${field} is a ${type}, not ${typeof value} (absent is null)`)
}

/** A document with these fields of it. What the stored one lacks, for it is older than the field, is null. */
export function documentOf(shape: Shape, stored: Stored, fields: Iterable<string>): Record<string, unknown> {
  const document: Record<string, unknown> = {}
  for (const field of fields) {
    const value = stored[keyOf(field)] ?? null
    document[field] = value !== null && isJson(shape.fields.get(field)) ? JSON.parse(value as string) : value
  }
  return document
}

/** As Date.toISOString writes it: so that their order as strings is that of time. */
function isInstant(text: string): boolean {
  const ms = Date.parse(text)
  return !Number.isNaN(ms) && new Date(ms).toISOString() === text
}

/** The driver makes a double of what is beyond 32 bits; adding to it is then no addition of integers. */
function integer(value: number): number | Long {
  return value >= -int32 && value < int32 ? value + 0 : Long.fromNumber(value)
}
