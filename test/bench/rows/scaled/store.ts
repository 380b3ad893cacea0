/** Measures accepting by one web process. The baseline is a plain durable insert of the same input into MongoDB. */
import { MongoClient } from 'mongodb'
import type { Started } from '../../../support/service.ts'
import { memoryRequests } from '../../calls.ts'
import { sendAll } from '../../client.ts'
import { alternately, type Row, row } from '../../row.ts'
import { memoryText } from '../../texts.ts'

/** Few, because the stand-in for MongoDB gets slower with the size of a collection. */
const writes = 600
const rounds = 3
const callers = 50

export async function* storeRows(web: Started, mongodb: string): AsyncIterable<Row> {
  const client = new MongoClient(mongodb, { writeConcern: { w: 'majority', journal: true } })
  const plain = client.db('plain').collection<{ _id: string; workspace: string; key: string; input: object }>('plain')
  await plain.createIndex({ workspace: 1, key: 1 }, { unique: true })
  const insert = async (first: number) => {
    let next = 0
    const one = async () => {
      while (next < writes) {
        const n = first + next++
        const input = { kind: 'fact', content: memoryText(n) }
        await plain.insertOne({ _id: `id-${n}`, workspace: 'workspace', key: `memory-${n}`, input })
      }
    }
    const began = performance.now()
    await Promise.all(Array.from({ length: callers }, one))
    return (writes / (performance.now() - began)) * 1000
  }
  const accept = async (first: number) => {
    const requests = memoryRequests(web, first, writes)
    const began = performance.now()
    await sendAll(web, requests, callers)
    return (writes / (performance.now() - began)) * 1000
  }
  try {
    await accept(0)
    await insert(0)
    const [ours, theirs] = await alternately(
      rounds,
      (round) => accept((round + 1) * writes),
      (round) => insert((round + 1) * writes),
    )
    yield row('scaled_accept', ours, 'writes/s', null, theirs)
  } finally {
    await client.close()
  }
}
