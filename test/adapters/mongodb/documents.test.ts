import { randomUUID } from 'node:crypto'
import { type Document as Bson, MongoClient } from 'mongodb'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { mongoDocuments } from '../../../src/adapters/mongodb/documents.ts'
import type { Collection, Documents } from '../../../src/ports/documents.ts'
import { EngineUnavailable } from '../../../src/ports/unavailable.ts'
import { documentsContract } from '../../contracts/documents.contract.ts'
import { sharedEngine } from '../../support/engines.ts'
import { skipIf } from '../../support/skip.ts'

const { url = '', reason } = await sharedEngine('mongodb')
const databases: string[] = []

function newDatabase(): string {
  const database = `test_${randomUUID().slice(0, 8)}`
  databases.push(database)
  return database
}

async function raw<T>(work: (client: MongoClient) => Promise<T>): Promise<T> {
  const client = new MongoClient(url)
  try {
    return await work(client)
  } finally {
    await client.close()
  }
}

/** mongo-java-server compares strings by UTF-16, as Java does. mongod, which has the command hello, compares bytes. */
const ordersOtherwise = reason
  ? undefined
  : await raw((client) => client.db().admin().command({ hello: 1 })).then(
      () => undefined,
      () => 'this server compares strings by UTF-16',
    )

describe('documents on MongoDB', skipIf(reason), () => {
  const opened: Documents[] = []

  async function open(): Promise<{ documents: Documents; read(): Promise<Bson[]> }> {
    const database = newDatabase()
    const documents = await mongoDocuments({ url, database })
    opened.push(documents)
    await documents.declare([notes])
    const read = () =>
      raw((client) => client.db(database).collection('notes').find({}, { promoteValues: false }).toArray())
    return { documents, read }
  }

  afterEach(async () => {
    await Promise.all(opened.splice(0).map((documents) => documents.close()))
  })
  afterAll(() =>
    raw(async (client) => {
      for (const database of databases) await client.db(database).dropDatabase()
    }),
  )

  documentsContract('MongoDB', async () => {
    const database = newDatabase()
    let documents = await mongoDocuments({ url, database })
    return {
      documents,
      ...(ordersOtherwise === undefined ? {} : { ordersOtherwise }),
      async reopen() {
        await documents.close()
        documents = await mongoDocuments({ url, database })
        return documents
      },
      close: () => documents.close(),
    }
  })

  it('integers are stored as Int32 or Long, never as doubles', async () => {
    const { documents, read } = await open()
    await documents.insertMany(notes, [note('small', 7), note('large', 2 ** 40), note('sum', 2 ** 31 - 1)])
    await documents.update(notes, 'large', { inc: { rank: 1 } })
    await documents.update(notes, 'sum', { inc: { rank: 2 ** 32 } })
    const kept = new Map((await read()).map((one) => [String(one._id), one.rank._bsontype]))
    expect(Object.fromEntries(kept)).toEqual({ small: 'Int32', large: 'Long', sum: 'Long' })
    expect(await documents.get(notes, 'large')).toEqual(note('large', 2 ** 40 + 1))
    expect(await documents.get(notes, 'sum', ['rank'])).toEqual({ rank: 2 ** 31 - 1 + 2 ** 32 })
  })

  it('JSON with any key and any depth is read back unchanged', async () => {
    const { documents } = await open()
    let deep: unknown = 'ground'
    for (let level = 0; level < 300; level++) deep = [deep]
    const detail = { $set: { 'a.b': 1, '': 2, '\0': 3 }, __proto__: null, deep }
    await documents.insert(notes, { ...note('odd', 1), detail })
    expect(await documents.get(notes, 'odd', ['detail'])).toEqual({ detail: JSON.parse(JSON.stringify(detail)) })
    expect(await documents.update(notes, 'odd', { set: { detail: { $inc: 1 } } })).toBe(true)
    expect(await documents.get(notes, 'odd', ['detail'])).toEqual({ detail: { $inc: 1 } })
  })

  it('a document over the size limit is refused as a mistake, not as an outage', async () => {
    const { documents } = await open()
    await documents.insert(notes, note('there', 1))
    const detail = 'x'.repeat(17 * 1024 * 1024)
    const asked = [
      documents.insert(notes, { ...note('big', 1), detail }),
      documents.insertMany(notes, [note('beside', 1), { ...note('big', 1), detail }]),
      documents.upsertIfNewer(notes, [{ ...note('there', 2), detail }], 'rank'),
      documents.update(notes, 'there', { set: { detail } }),
    ]
    for (const answer of await Promise.allSettled(asked)) {
      expect(answer).toMatchObject({ status: 'rejected', reason: { message: expect.stringMatching(/notes.*bytes/) } })
      expect((answer as PromiseRejectedResult).reason).not.toBeInstanceOf(EngineUnavailable)
    }
    const large = { ...note('large', 1), detail: 'é'.repeat(7 * 1024 * 1024) }
    expect(await documents.insert(notes, large)).toBe(true)
    expect(await documents.get(notes, 'large')).toEqual(large)
    expect(await documents.count(notes, { where: { id: { in: ['beside', 'big'] } }, upTo: 2 })).toBe(0)
  })

  it('a field of a unique key cannot be set to null, and an upsert cannot take the key of another document', async () => {
    const { documents } = await open()
    await documents.insertMany(notes, [note('a', 1), note('b', 1)])
    await expect(documents.update(notes, 'a', { set: { key: null as never } })).rejects.toThrow(/never null/)
    await expect(documents.upsertIfNewer(notes, [{ ...note('new', 2), key: 'b' }], 'rank')).rejects.toThrow(/E11000/)
    await expect(documents.upsertIfNewer(notes, [{ ...note('a', 2), key: 'b' }], 'rank')).rejects.toThrow(/E11000/)
    expect(await documents.get(notes, 'a')).toEqual(note('a', 1))
  })

  it('concurrent upserts of a new document end with the newest version', async () => {
    const { documents } = await open()
    for (let round = 0; round < 15; round++) {
      const id = `round-${round}`
      await Promise.all(
        Array.from({ length: 16 }, (_, rank) => documents.upsertIfNewer(notes, [note(id, rank + 1)], 'rank')),
      )
      expect(await documents.get(notes, id, ['rank'])).toEqual({ rank: 16 })
    }
  })

  it('documents are stored in the database of the URL', async () => {
    const database = newDatabase()
    const documents = await mongoDocuments({ url: `${url}/${database}` })
    opened.push(documents)
    await documents.declare([notes])
    await documents.insert(notes, note('here', 1))
    expect(await raw((client) => client.db(database).collection('notes').countDocuments())).toBe(1)
  })
})

interface Note {
  id: string
  key: string
  rank: number
  detail: unknown
}

const notes: Collection<Note> = {
  name: 'notes',
  fields: { id: 'string', key: 'string', rank: 'integer', detail: 'json' },
  unique: [['key']],
  indexes: [],
}

function note(id: string, rank: number): Note {
  return { id, key: id, rank, detail: null }
}
