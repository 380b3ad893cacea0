/**
 * The profile of this run. The same tests run on each profile (vitest.config.ts), and each service has its own store.
 */
import { randomUUID } from 'node:crypto'
import type { EngineName } from './start-engine.ts'

export type Profile = 'embedded' | 'scaled'
export const profile: Profile = process.env.PRECEDENT_TEST_PROFILE === 'scaled' ? 'scaled' : 'embedded'

export const scaledEngines: readonly EngineName[] = ['mongodb', 'redis', 'elasticsearch']

export interface Store {
  /**
   * The settings of the store, for a service. Empty on the embedded profile, because the data directory is the store.
   */
  env: Record<string, string>
  /** Deletes the store. */
  drop(): Promise<void>
}

/** An empty store. On shared engines it has its own database, prefix and indexes. */
export async function newStore(on: Profile = profile): Promise<Store> {
  if (on === 'embedded') return { env: {}, drop: async () => {} }
  const { sharedEngine } = await import('./engines.ts')
  const urls: Partial<Record<EngineName, string>> = {}
  for (const name of scaledEngines) {
    const engine = await sharedEngine(name)
    // missing engines are known before the run, so one that does not start is a failure
    if (engine.reason !== undefined) throw new Error(`${name}: ${engine.reason}`)
    urls[name] = engine.url
  }
  const name = `test-${randomUUID().slice(0, 8)}`
  const env = {
    MONGODB_URL: `${urls.mongodb}/${name}`,
    REDIS_URL: urls.redis as string,
    ELASTICSEARCH_URL: urls.elasticsearch as string,
    PRECEDENT_PREFIX: name,
  }
  return { env, drop: () => drop(env, name) }
}

async function drop(env: Record<string, string>, name: string): Promise<void> {
  const { MongoClient } = await import('mongodb')
  const { Redis } = await import('ioredis')
  const mongodb = new MongoClient(env.MONGODB_URL as string)
  await mongodb.db(name).dropDatabase()
  await mongodb.close()
  const redis = new Redis(env.REDIS_URL as string)
  const keys = await redis.keys(`${name}:*`)
  if (keys.length > 0) await redis.del(keys)
  await redis.quit()
  await dropIndexes(env.ELASTICSEARCH_URL as string, name)
}

/** By name, because servers refuse to delete by a pattern. */
async function dropIndexes(url: string, name: string): Promise<void> {
  const answer = await fetch(`${url}/_cat/indices/${name}*?format=json&h=index&expand_wildcards=all`)
  const found = (await answer.json()) as { index: string }[]
  for (const { index } of found) await fetch(`${url}/${index}`, { method: 'DELETE' })
}
