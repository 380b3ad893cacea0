/** Translates conditions, sorts and changes into filters, options and updates of MongoDB. */
import assert from 'node:assert/strict'
import type { Filter, Sort, UpdateFilter } from 'mongodb'
import type { Change, Collection, Document, Scalar, Where } from '../../ports/documents.ts'
import { type Condition, conditionsOf, type Plan } from '../../ports/plan.ts'
import { assertFits, assertOfKey, encode, indexName, keyOf, type Shape, type Stored } from './stored.ts'

export function filterOf(shape: Shape, conditions: readonly Condition[]): Filter<Stored> {
  return Object.fromEntries(conditions.map((one) => [keyOf(one.field), predicate(shape, one)])) as Filter<Stored>
}

/** Matches documents with these ids that meet the condition. */
export function filterOfIds<T extends Document>(
  shape: Shape,
  collection: Collection<T>,
  ids: string | readonly string[],
  condition: Where<T> | undefined,
): Filter<Stored> {
  const id = typeof ids === 'string' ? encode(shape, 'id', ids) : { $in: ids.map((one) => encode(shape, 'id', one)) }
  const further = filterOf(shape, conditionsOf(collection, condition))
  return ('_id' in further ? { $and: [{ _id: id }, further] } : { _id: id, ...further }) as Filter<Stored>
}

/** The hint makes MongoDB use the index of the plan, so the index that was checked is the one that is used. */
export function optionsOf(plan: Plan): { hint: string; sort?: Sort } {
  const hint = plan.kind === 'id' ? '_id_' : indexName(plan.index, plan.kind === 'unique')
  if (plan.sort.length === 0) return { hint }
  return { hint, sort: plan.sort.map(([field, direction]) => [keyOf(field), direction] as const) }
}

/** Asserts that the change is not empty and does not change the id. */
export function changeOf<T>(shape: Shape, { set = {}, inc = {} }: Change<T>): UpdateFilter<Stored> {
  const update: { $set?: Record<string, unknown>; $inc?: Record<string, unknown> } = {}
  for (const [field, value] of Object.entries(set)) {
    assert(field !== 'id', `${shape.name}: an id never changes`)
    update.$set ??= {}
    update.$set[field] = encode(shape, field, value)
    if (shape.collection.unique.some((key) => (key as readonly string[]).includes(field))) {
      assertOfKey(shape, field, value)
    }
  }
  for (const [field, by] of Object.entries(inc)) {
    const adds = shape.fields.get(field) === 'integer' && !(field in set)
    assert(adds, `${shape.name}.${field} cannot be added to`)
    update.$inc ??= {}
    update.$inc[field] = encode(shape, field, by)
  }
  assert(update.$set ?? update.$inc, `${shape.name}: a change that changes nothing`)
  assertFits(shape, update.$set ?? {})
  return update as UpdateFilter<Stored>
}

const matchesNothing = { $in: [] }

function predicate(shape: Shape, condition: Condition): unknown {
  const { field } = condition
  if (condition.type === 'equal') return encode(shape, field, condition.value)
  if (condition.type === 'in') return { $in: condition.values.map((value) => encode(shape, field, value)) }
  const bounds = Object.entries(condition.range) as [string, Scalar][]
  // null is in no range, but for MongoDB null ≤ null is true
  if (bounds.some(([, value]) => value === null)) return matchesNothing
  return Object.fromEntries(bounds.map(([bound, value]) => [`$${bound}`, encode(shape, field, value)]))
}
