/** Opens documents and search, on the SQLite file or on servers. */
import { join } from 'node:path'
import type { Logger } from 'pino'
import { areShared, type Engines } from '../../config/engines.ts'
import type { Sqlite } from '../adapters/sqlite/connection.ts'
import { sqliteDocuments } from '../adapters/sqlite/documents.ts'
import { type DirectoryUse, lockDirectoryFor } from '../adapters/sqlite/lock.ts'
import { sqliteSearch } from '../adapters/sqlite/search.ts'
import { openServedSqlite } from '../adapters/sqlite/threaded.ts'
import type { Documents } from '../ports/documents.ts'
import type { SearchEngine } from '../ports/search.ts'
import { EngineUnavailable } from '../ports/unavailable.ts'
import type { Close, Opened } from './opening.ts'

/** The SQLite file. It contains everything that no other engine stores. */
export function fileIn(dataDir: string): string {
  return join(dataDir, 'precedent.sqlite')
}

export async function openFile(
  { engines, dataDir }: Opened,
  use: DirectoryUse,
  closing: Close[],
): Promise<Sqlite | undefined> {
  if (areShared(engines)) return undefined
  try {
    const lock = await lockDirectoryFor(use, dataDir)
    closing.push(() => lock.release())
    const file = await openServedSqlite({ path: fileIn(dataDir) })
    closing.push(() => file.close())
    return file
  } catch (error) {
    // a server may come back by itself, a directory does not: do not retry
    throw error instanceof EngineUnavailable ? new Error(error.message, { cause: error }) : error
  }
}

export async function openDocumentsOn(
  { mongodb }: Engines,
  file: Sqlite | undefined,
  stored: Parameters<Documents['declare']>[0],
  closing: Close[],
): Promise<Documents> {
  const documents = mongodb ? await openMongo(mongodb) : sqliteDocuments(file as Sqlite)
  closing.push(() => documents.close())
  await documents.declare(stored)
  return documents
}

export async function openSearch(
  { elasticsearch }: Engines,
  file: Sqlite | undefined,
  closing: Close[],
  log: Logger,
): Promise<SearchEngine> {
  const search = elasticsearch ? await openElasticsearch(elasticsearch, log) : sqliteSearch(file as Sqlite)
  closing.push(() => search.close())
  return search
}

// load the clients of servers only if they are used: each costs memory and time at the start

async function openMongo(server: NonNullable<Engines['mongodb']>): Promise<Documents> {
  const { mongoDocuments } = await import('../adapters/mongodb/documents.ts')
  return mongoDocuments(server)
}

async function openElasticsearch(
  { url, prefix, apiKey }: NonNullable<Engines['elasticsearch']>,
  log: Logger,
): Promise<SearchEngine> {
  const { elasticsearchSearch } = await import('../adapters/elasticsearch/search.ts')
  return elasticsearchSearch({ url, prefix, ...(apiKey === undefined ? {} : { apiKey }) }, log)
}
