/** MongoDB: that it answers, takes writes that last, and tells the same time. */
import { MongoClient } from 'mongodb'
import { nameIn } from '../adapters/mongodb/connection.ts'
import { awayFinding, clockFinding, type Finding, note, ok, wrong } from './finding.ts'

const what = 'MONGODB_URL'
const answersWithin = 5_000

export async function* examineMongodb({ url }: { url: string }): AsyncGenerator<Finding> {
  const client = new MongoClient(url, {
    appName: 'precedent doctor',
    serverSelectionTimeoutMS: answersWithin,
    connectTimeoutMS: answersWithin,
    socketTimeoutMS: 2 * answersWithin,
  })
  try {
    await client.connect()
    const admin = client.db().admin()
    const before = Date.now()
    // servers before 5.0, and those that speak its protocol, know the older name alone
    const hello = await admin.command({ hello: 1 }).catch(() => admin.command({ isMaster: 1 }))
    const after = Date.now()
    const { version } = (await admin.command({ buildInfo: 1 })) as unknown as { version: string }
    yield ok(what, `MongoDB ${version} answers`)
    yield setOf(hello.setName as string | undefined)
    yield clockFinding(what, Number(hello.localTime), before, after)
    yield await durable(client, nameIn(url) ?? 'precedent')
  } catch (error) {
    yield awayFinding(what, error, 'Start it, or correct the URL; look at its user, password and network.')
  } finally {
    await client.close()
  }
}

function setOf(name: string | undefined): Finding {
  if (name !== undefined) return ok(what, `it is the replica set ${name}`)
  return note(what, 'it is a single server: where its disk is lost, so is the store', 'Run a replica set of three.')
}

/** The very write concern of the service. */
async function durable(client: MongoClient, database: string): Promise<Finding> {
  const probe = client.db(database).collection<{ _id: string; at: string }>('documents_probe')
  const writeConcern = { w: 'majority', journal: true, wtimeoutMS: answersWithin } as const
  try {
    const began = performance.now()
    await probe.updateOne({ _id: 'probe' }, { $set: { at: new Date().toISOString() } }, { upsert: true, writeConcern })
    const ms = Math.round(performance.now() - began)
    return ok(what, `a majority has journaled a write within ${ms} ms`)
  } catch (error) {
    const remedy =
      'The service needs write concern majority with journaling: look at the members of the set and their disks.'
    return wrong(what, `a durable write failed: ${(error as Error).message}`, remedy)
  }
}
