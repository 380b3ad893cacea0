/** Creates the missing indexes of collections. Several processes may do this at the same time. */
import type { IndexDescription } from 'mongodb'
import { type Mongo, openForIndexes } from './connection.ts'
import { indexName, keyOf, type Shape } from './stored.ts'

export async function declareAll(url: string, database: string | undefined, shapes: readonly Shape[]): Promise<void> {
  const mongo = await openForIndexes(url, database)
  try {
    for (const shape of shapes) await declare(mongo, shape)
  } finally {
    await mongo.close()
  }
}

/** MongoDB creates the collection with its first index, or else with its first document. */
async function declare(mongo: Mongo, shape: Shape): Promise<void> {
  const { unique, indexes } = shape.collection
  const descriptions = [
    ...unique.map((fields) => descriptionOf(fields, true)),
    // queries by id use the primary key
    ...indexes.filter((fields) => fields.join() !== 'id').map((fields) => descriptionOf(fields, false)),
  ]
  if (descriptions.length > 0) await mongo.run(() => mongo.collection(shape.name).createIndexes(descriptions))
}

function descriptionOf(fields: readonly string[], unique: boolean): IndexDescription {
  return {
    name: indexName(fields, unique),
    key: Object.fromEntries(fields.map((field) => [keyOf(field), 1])),
    ...(unique ? { unique } : {}),
  }
}
