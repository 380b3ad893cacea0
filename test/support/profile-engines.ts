/** Empty documents and search engines of the run's profile, for tests without a service. */
import assert from 'node:assert/strict'
import { pino } from 'pino'
import { load } from '../../config/load.ts'
import { openSqlite } from '../../src/adapters/sqlite/connection.ts'
import { sqliteDocuments } from '../../src/adapters/sqlite/documents.ts'
import { sqliteSearch } from '../../src/adapters/sqlite/search.ts'
import { collections } from '../../src/collections.ts'
import { openPorts, type Ports } from '../../src/engines.ts'
import type { SearchEngine } from '../../src/ports/search.ts'
import { temporaryFolder } from './clean-up.ts'
import { newStore, profile } from './profile.ts'

export interface TestEngines extends Pick<Ports, 'documents' | 'search' | 'close'> {
  /** The same engine, as a service whose text analysis has this version opens it. Only on the embedded profile. */
  searchOf(analysis: number): SearchEngine
}

export function openEngines(): Promise<TestEngines> {
  return profile === 'embedded' ? inMemory() : onServers()
}

async function inMemory(): Promise<TestEngines> {
  const sqlite = openSqlite({ path: ':memory:' })
  const documents = sqliteDocuments(sqlite)
  const search = sqliteSearch(sqlite)
  await documents.declare(collections)
  return {
    documents,
    search,
    searchOf: (analysis) => sqliteSearch(sqlite, analysis),
    async close() {
      await search.close()
      await documents.close()
      await sqlite.close()
    },
  }
}

async function onServers(): Promise<TestEngines> {
  const store = await newStore()
  const folder = temporaryFolder('precedent-engines-')
  const ports = await openPorts(load({ ...store.env, PRECEDENT_DATA_DIR: folder }), pino({ level: 'silent' }))
  return {
    documents: ports.documents,
    search: ports.search,
    searchOf: () => assert.fail('only on the embedded profile'),
    async close() {
      await ports.queue.close(0)
      await ports.close()
      await store.drop()
    },
  }
}
