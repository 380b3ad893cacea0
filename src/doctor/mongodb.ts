/** Checks MongoDB: it answers, writes are durable, and its clock agrees. */
import type { MongoClient } from 'mongodb'
import { clientOf, nameIn } from '../adapters/mongodb/connection.ts'
import { clockFinding, type Finding, note, ok, unavailableFinding, wrong } from './finding.ts'

const what = 'MONGODB_URL'
/** ms. */
const answersWithin = 5_000

export async function* examineMongodb({ url }: { url: string }): AsyncGenerator<Finding> {
  let client: MongoClient
  try {
    client = clientOf(url, {
      appName: 'precedent doctor',
      serverSelectionTimeoutMS: answersWithin,
      connectTimeoutMS: answersWithin,
      socketTimeoutMS: 2 * answersWithin,
    })
  } catch (error) {
    return yield wrong(what, (error as Error).message, 'Correct the URL.')
  }
  try {
    await client.connect()
    const admin = client.db().admin()
    const before = Date.now()
    // servers before 5.0, and compatible ones, only know the older name of the command
    const hello = await admin.command({ hello: 1 }).catch(() => admin.command({ isMaster: 1 }))
    const after = Date.now()
    const { version } = (await admin.command({ buildInfo: 1 })) as unknown as { version: string }
    yield ok(what, `MongoDB ${version} answers`)
    yield setOf(hello.setName as string | undefined)
    yield clockFinding(what, Number(hello.localTime), before, after)
    yield await durable(client, nameIn(url) ?? 'precedent')
  } catch (error) {
    yield unavailableFinding(what, error, 'Start it, or correct the URL. Check the user, the password and the network.')
  } finally {
    await client.close()
  }
}

function setOf(name: string | undefined): Finding {
  if (name !== undefined) return ok(what, `its replica set is ${name}`)
  return note(
    what,
    'it is a single server, so the store is lost if its disk is lost',
    'Run a replica set of three servers.',
  )
}

/** Uses the same write concern as the service. */
async function durable(client: MongoClient, database: string): Promise<Finding> {
  const probe = client.db(database).collection<{ _id: string; at: string }>('documents_probe')
  const writeConcern = { w: 'majority', journal: true, wtimeoutMS: answersWithin } as const
  try {
    const began = performance.now()
    await probe.updateOne({ _id: 'probe' }, { $set: { at: new Date().toISOString() } }, { upsert: true, writeConcern })
    const ms = Math.round(performance.now() - began)
    return ok(what, `a majority journaled a write within ${ms} ms`)
  } catch (error) {
    const remedy =
      'The service needs the write concern majority with journaling. Check the members of the replica set and their disks.'
    return wrong(what, `a durable write failed: ${(error as Error).message}`, remedy)
  }
}
