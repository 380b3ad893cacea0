/** Makes the indexes of collections where they are missing; any number of processes may do so at a time. */
import type { IndexDescription } from 'mongodb'
import { type Mongo, openPatiently } from './connection.ts'
import { indexName, keyOf, type Shape } from './stored.ts'

export async function declareAll(url: string, database: string | undefined, shapes: readonly Shape[]): Promise<void> {
  const mongo = await openPatiently(url, database)
  try {
    for (const shape of shapes) await declare(mongo, shape)
  } finally {
    await mongo.close()
  }
}

/** The collection itself is made with its first index, or else its first document. */
async function declare(mongo: Mongo, shape: Shape): Promise<void> {
  const { unique, indexes } = shape.collection
  const descriptions = [
    ...unique.map((fields) => descriptionOf(fields, true)),
    // the primary key serves what asks for the id alone
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
