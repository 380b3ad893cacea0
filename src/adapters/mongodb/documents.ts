/**
 * The documents port on MongoDB (src/ports/documents.ts). It relies only on atomic writes of single documents and on
 * unique indexes: it uses no sessions, no transactions and no pipeline updates. This module never repeats a write whose
 * answer was lost. The driver repeats it if the server recognises the second attempt (retryable writes).
 */
import assert from 'node:assert/strict'
import type { AnyBulkWriteOperation } from 'mongodb'
import type { Documents } from '../../ports/documents.ts'
import { oneByOne } from '../../ports/in-order.ts'
import { assertLayout, layout } from '../../ports/layout.ts'
import { assertServed, conditionsOf, indexWithId } from '../../ports/plan.ts'
import { faultIn } from '../../ports/unavailable.ts'
import { indexesWithin, type Mongo, openMongo } from './connection.ts'
import { declareAll } from './declare.ts'
import { duplicatesOf, isDuplicate } from './failure.ts'
import { changeOf, filterOf, filterOfIds, optionsOf } from './filter.ts'
import { documentOf, indexName, keyOf, type Shape, type Stored, shapeOf, storedOf } from './stored.ts'

/** Writes of one command. More would delay other commands and the answer. */
const writesAtOnce = 1000
/** The highest `limit` of find(). */
const mostFound = 10_000
/** ms. */
const probeWithin = 3_000

export interface MongoSettings {
  /** mongodb:// or mongodb+srv://, with user and password if there are any. */
  url: string
  /** Default: the database in the URL, or else `precedent`. */
  database?: string
}

/** Connects. Throws EngineUnavailable if no server answers. */
export async function mongoDocuments({ url, database }: MongoSettings): Promise<Documents> {
  const mongo = await openMongo(url, database)
  const shapes = new Map<string, Shape>()

  function known(collection: { name: string }): Shape {
    const shape = shapes.get(collection.name)
    assert(shape, `${collection.name} is not declared`)
    return shape
  }

  const documents: Documents = {
    async declare(collections) {
      const made = collections.map(shapeOf)
      await keepLayout(mongo)
      await mongo.run(() => declareAll(url, database, made), indexesWithin)
      for (const shape of made) shapes.set(shape.name, shape)
    },

    async insert(collection, document) {
      const stored = storedOf(known(collection), document)
      try {
        await mongo.run(() => mongo.collection(collection.name).insertOne(stored))
        return true
      } catch (error) {
        if (isDuplicate(error)) return false
        throw error
      }
    },

    async insertMany(collection, documents) {
      const shape = known(collection)
      // check all documents before the first write, so that an invalid document writes nothing
      const stored = documents.map((document) => storedOf(shape, document))
      const duplicates: string[] = []
      for (const some of chunksOf(stored, writesAtOnce)) {
        const refused = await bulk(
          mongo,
          shape,
          some.map((document) => ({ insertOne: { document } })),
        )
        duplicates.push(...refused.map(({ index }) => (some[index] as Stored)._id))
      }
      return duplicates
    },

    async get(collection, id, fields, condition) {
      const shape = known(collection)
      const filter = filterOfIds(shape, collection, id, condition)
      const index = indexWithId(collection, conditionsOf(collection, condition))
      const options = { ...projectionOf(fields), ...(index ? { hint: indexName(index, false) } : {}) }
      const stored = await mongo.run(() => mongo.collection(shape.name).findOne(filter, options))
      return stored ? (documentOf(shape, stored, fields ?? shape.fields.keys()) as never) : undefined
    },

    async find(collection, query) {
      const shape = known(collection)
      const { fields, limit } = query
      assert(Number.isInteger(limit) && limit >= 1 && limit <= mostFound, `limit is 1 to ${mostFound}, not ${limit}`)
      const plan = assertServed(collection, query)
      const filter = filterOf(shape, plan.conditions)
      // one batch holds all rows
      const options = { ...optionsOf(plan), ...projectionOf(fields), limit, batchSize: limit }
      const rows = await mongo.run(() => mongo.collection(shape.name).find(filter, options).toArray())
      const names = [...(fields ?? shape.fields.keys())]
      return rows.map((row) => documentOf(shape, row, names)) as never
    },

    async count(collection, { where, upTo }) {
      const shape = known(collection)
      assert(Number.isInteger(upTo) && upTo >= 1, `upTo is at least 1, not ${upTo}`)
      const plan = assertServed(collection, { where })
      const filter = filterOf(shape, plan.conditions)
      const { hint } = optionsOf(plan)
      return mongo.run(() => mongo.collection(shape.name).countDocuments(filter, { limit: upTo, hint }))
    },

    async update(collection, id, change, condition) {
      const shape = known(collection)
      const filter = filterOfIds(shape, collection, id, condition)
      const update = changeOf(shape, change)
      const { matchedCount } = await mongo.run(() => mongo.collection(shape.name).updateOne(filter, update))
      return matchedCount > 0
    },

    async updateMany(collection, ids, change, condition) {
      const shape = known(collection)
      const update = changeOf(shape, change)
      let changed = 0
      for (const some of chunksOf([...new Set(ids)], writesAtOnce)) {
        const filter = filterOfIds(shape, collection, some, condition)
        const { matchedCount } = await mongo.run(() => mongo.collection(shape.name).updateMany(filter, update))
        changed += matchedCount
      }
      return changed
    },

    async updateEach(collection, updates) {
      const shape = known(collection)
      const writes = updates.map(({ id, change, condition }) => ({
        updateOne: { filter: filterOfIds(shape, collection, id, condition), update: changeOf(shape, change) },
      }))
      for (const some of chunksOf(writes, writesAtOnce)) {
        await mongo.run(() => mongo.collection(shape.name).bulkWrite(some, { ordered: false }))
      }
    },

    async upsertIfNewer(collection, documents, version) {
      const shape = known(collection)
      const stored = documents.map((document) => storedOf(shape, document))
      for (const some of chunksOf(stored, writesAtOnce)) await upsertNewer(mongo, shape, some, version)
    },

    async delete(collection, ids, condition) {
      const shape = known(collection)
      let deleted = 0
      for (const some of chunksOf([...new Set(ids)], writesAtOnce)) {
        const filter = filterOfIds(shape, collection, some, condition)
        const { deletedCount } = await mongo.run(() => mongo.collection(shape.name).deleteMany(filter))
        deleted += deletedCount
      }
      return deleted
    },

    inOrder: (ask) => oneByOne(documents, ask),

    async health() {
      try {
        await mongo.run(() => probe(mongo), probeWithin)
        return undefined
      } catch (error) {
        return faultIn('mongodb', error)
      }
    },

    close: () => mongo.close(),
  }
  return documents
}

/**
 * Writes each document with an upsert that replaces an older version or inserts. If a newer version exists, the insert
 * fails because the id exists. It also fails if another process inserts an older version at the same time. So the failed
 * ones are tried once more, without an insert, because a document now exists.
 */
async function upsertNewer(mongo: Mongo, shape: Shape, stored: readonly Stored[], version: string): Promise<void> {
  assert(shape.fields.has(version), `${shape.name} has no field ${version}`)
  const writesOf = (some: readonly Stored[], upsert: boolean): AnyBulkWriteOperation<Stored>[] =>
    some.map((one) => {
      const { _id, ...replacement } = one
      const filter = { _id, [version]: { $lt: one[version] } }
      return { replaceOne: { filter, replacement, upsert } } as AnyBulkWriteOperation<Stored>
    })
  const refused = await bulk(mongo, shape, writesOf(stored, true), 'only of ids')
  if (refused.length === 0) return
  const there = refused.map(({ index }) => stored[index] as Stored)
  await mongo.run(() => mongo.collection(shape.name).bulkWrite(writesOf(there, false), { ordered: false }))
}

/**
 * An unordered bulk write. Resolves with the duplicates. With 'only of ids', throws if a key other than the id is a
 * duplicate.
 */
async function bulk(
  mongo: Mongo,
  shape: Shape,
  writes: readonly AnyBulkWriteOperation<Stored>[],
  accepts: 'any duplicate' | 'only of ids' = 'any duplicate',
): Promise<{ index: number }[]> {
  try {
    await mongo.run(() => mongo.collection(shape.name).bulkWrite(writes, { ordered: false }))
    return []
  } catch (error) {
    const duplicates = duplicatesOf(error)
    if (!duplicates || (accepts === 'only of ids' && duplicates.some((one) => !one.ofId))) throw error
    return duplicates
  }
}

/** Throws, before anything else is written, if another version of Precedent wrote the database with another layout. */
async function keepLayout(mongo: Mongo): Promise<void> {
  const collection = mongo.collection('documents_layout')
  const stored = await mongo.run(() => collection.findOne({ _id: 'layout' }))
  if (stored) return assertLayout(stored.layout as number)
  try {
    // version 0.1.0 stored none
    await mongo.run(() => collection.insertOne({ _id: 'layout', layout }))
  } catch (error) {
    if (!isDuplicate(error)) throw error
    // another process has stored its layout at the same time
    await keepLayout(mongo)
  }
}

async function probe(mongo: Mongo): Promise<void> {
  const collection = mongo.collection('documents_probe')
  try {
    await collection.updateOne({ _id: 'probe' }, { $set: { at: new Date().toISOString() } }, { upsert: true })
  } catch (error) {
    // another process inserted the probe at the same time
    if (!isDuplicate(error)) throw error
  }
  await collection.findOne({ _id: 'probe' })
}

function projectionOf(fields: readonly string[] | undefined): { projection?: Record<string, 0 | 1> } {
  if (!fields) return {}
  const chosen = Object.fromEntries(fields.map((field) => [keyOf(field), 1 as const]))
  // an empty projection would return every field
  if (fields.length === 0) return { projection: { _id: 1 } }
  return { projection: fields.includes('id') ? chosen : { _id: 0, ...chosen } }
}

function* chunksOf<T>(all: readonly T[], size: number): Generator<T[]> {
  for (let at = 0; at < all.length; at += size) yield all.slice(at, at + size)
}
