/**
 * Decides which declared index serves a query. Every adapter asks here, so a query that needs a full scan fails in any
 * test.
 */
import assert from 'node:assert/strict'
import {
  type AnyCollection,
  type Collection,
  type Document,
  type FieldType,
  isJson,
  type Range,
  type Scalar,
  type Where,
} from './documents.ts'

/** No declared index serves the query. This is a bug in the calling code, and its first test finds it. */
export class UndeclaredQuery extends Error {
  constructor(collection: string, query: string, why: string) {
    super(`no index of ${collection} serves ${query}: ${why}`)
    this.name = 'UndeclaredQuery'
  }
}

export type Condition =
  | { type: 'equal'; field: string; value: Scalar }
  | { type: 'in'; field: string; values: readonly Scalar[] }
  | { type: 'range'; field: string; range: Range }

export type Direction = 'asc' | 'desc'

export interface Plan {
  /** The fields of the index. */
  index: readonly string[]
  /** `unique` and `index`: the first match in the order of declaration. `id`: every collection has this key. */
  kind: 'id' | 'unique' | 'index'
  conditions: Condition[]
  /** The sort without constant fields. Empty if at most one row is found. All in one direction, unless kind is `id`. */
  sort: readonly (readonly [string, Direction])[]
}

interface Query<T> {
  where: Where<T>
  sort?: readonly (readonly [keyof T & string, Direction])[] | undefined
}

/**
 * Returns the index that serves the query, or throws UndeclaredQuery. The first fields of the index must be those
 * compared by equality or `in`, in any order. Then come the field of the range, if there is one, and the fields of the
 * sort, all in one direction. A query by `id` (equality or `in`) needs nothing else: the ids bound the number of rows.
 */
export function assertServed<T extends Document>(collection: Collection<T>, query: Query<T>): Plan {
  const conditions = conditionsOf(collection, query.where)
  const sort = sortOf(conditions, query.sort ?? [])
  for (const [field] of sort) assertField(collection, field)

  if (conditions.some((one) => one.field === 'id' && one.type !== 'range')) {
    return { index: ['id'], kind: 'id', conditions, sort }
  }
  const pinned = conditions.filter((one) => one.type !== 'range').map((one) => one.field)
  const single = collection.unique.find((key) => isSet(key, pinned) && conditions.every((one) => one.type === 'equal'))
  if (single) return { index: single, kind: 'unique', conditions, sort: [] }

  const ranges = conditions.filter((one) => one.type === 'range').map((one) => one.field)
  const refuse = (why: string) => new UndeclaredQuery(collection.name, shown(conditions, sort), why)
  if (ranges.length > 1) throw refuse('one range at most')
  if (new Set(sort.map(([, direction]) => direction)).size > 1) throw refuse('sort is in one direction')
  const [ranged] = ranges
  if (ranged !== undefined && sort[0] !== undefined && sort[0][0] !== ranged) {
    throw refuse('a sort begins with the field of the range')
  }
  const following = sort.length > 0 ? sort.map(([field]) => field) : ranges
  const serves = (index: readonly string[]) =>
    isSet(index.slice(0, pinned.length), pinned) && following.every((field, at) => index[pinned.length + at] === field)

  if (serves(['id'])) return { index: ['id'], kind: 'id', conditions, sort }
  const index = collection.indexes.find(serves)
  if (index) return { index, kind: 'index', conditions, sort }
  const unique = collection.unique.find(serves)
  if (unique) return { index: unique, kind: 'unique', conditions, sort }
  throw refuse('declare an index on these fields, in this order')
}

/**
 * An index with the id and all fields of these equality conditions. With it, a document that fails the conditions takes
 * no longer to look up than a missing one. undefined: no index has all of them.
 */
export function indexWithId(
  collection: AnyCollection,
  conditions: readonly Condition[],
): readonly string[] | undefined {
  if (conditions.length === 0 || conditions.some((one) => one.type !== 'equal')) return undefined
  const fields = [...conditions.map(({ field }) => field), 'id']
  return collection.indexes.find((index) => isSet(index.slice(0, fields.length), fields))
}

/** The conditions of `where`, one per field. Asserts that each field is declared and can be filtered by. */
export function conditionsOf<T extends Document>(collection: Collection<T>, where: Where<T> | undefined): Condition[] {
  return Object.entries(where ?? {}).map(([field, wanted]) => {
    assertField(collection, field)
    // an absent condition would match everything, which is never intended
    assert(wanted !== undefined, `${collection.name}.${field}: undefined in where`)
    if (wanted === null || typeof wanted !== 'object') return { type: 'equal', field, value: wanted as Scalar }
    if ('in' in wanted) return { type: 'in', field, values: [...new Set((wanted as { in: Scalar[] }).in)] }
    const bounds = Object.entries(wanted)
    const known = bounds.every(([bound, value]) => ['gt', 'gte', 'lt', 'lte'].includes(bound) && value !== undefined)
    assert(bounds.length > 0 && known, `${collection.name}.${field}: a range has gt, gte, lt or lte`)
    return { type: 'range', field, range: wanted as Range }
  })
}

function assertField<T extends Document>(collection: Collection<T>, field: string): void {
  const type = (collection.fields as Record<string, FieldType>)[field]
  assert(type !== undefined, `${collection.name} has no field ${field}`)
  assert(!isJson(type), `${collection.name}.${field} is json: never filtered or sorted by`)
}

/** The sort without the fields that are equal in all rows found. */
function sortOf(
  conditions: readonly Condition[],
  sort: readonly (readonly [string, Direction])[],
): readonly (readonly [string, Direction])[] {
  const constant = new Set(conditions.filter((one) => one.type === 'equal').map((one) => one.field))
  return sort.filter(([field]) => !constant.has(field))
}

function isSet(fields: readonly string[], wanted: readonly string[]): boolean {
  return fields.length === wanted.length && fields.every((field) => wanted.includes(field))
}

function shown(conditions: readonly Condition[], sort: readonly (readonly [string, Direction])[]): string {
  const asked = conditions.map((one) => `${one.field} ${one.type}`)
  return [asked.join(', ') || 'everything', ...sort.map((one) => `sort ${one.join(' ')}`)].join(', ')
}
