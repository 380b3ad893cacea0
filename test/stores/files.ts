/**
 * A store as files that git keeps: of the embedded profile the SQLite file, of the scaled one a line for each document
 * of MongoDB and Elasticsearch.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { DatabaseSync } from '@photostructure/sqlite'
import { BSON, type Document, MongoClient } from 'mongodb'
import type { Profile } from '../support/profile.ts'
import { repository } from '../support/repository.ts'
import type { Content, Read } from './content.ts'

export const fixtures = join(repository, 'test/fixtures/stores')

/** What the version that wrote the store answered. */
export interface Recorded {
  /** When the answers were given. The store was written a moment before. */
  now: number
  content: Content
  answers: (Read & { status: number; answer: unknown })[]
}

export function recordedFile(version: string, profile: Profile): string {
  return join(fixtures, version, `${profile}.answers.json.gz`)
}

export function readRecorded(version: string, profile: Profile): Recorded {
  return JSON.parse(gunzipSync(readFileSync(recordedFile(version, profile))).toString()) as Recorded
}

export function writeRecorded(version: string, profile: Profile, recorded: Recorded): void {
  writeFileSync(recordedFile(version, profile), gzipSync(JSON.stringify(recorded), { level: 9 }))
}

export interface Place {
  /** The settings of the store, with PRECEDENT_DATA_DIR. */
  env: Record<string, string>
}

/** The store must not be open. */
export async function saveStore(version: string, profile: Profile, { env }: Place): Promise<void> {
  mkdirSync(join(fixtures, version), { recursive: true })
  const content = profile === 'embedded' ? sqliteContent(sqliteFile(env)) : Buffer.from(await linesOf(env))
  writeFileSync(fileOf(version, profile), gzipSync(content, { level: 9 }))
}

/** Writes the store of the fixture into an empty place. */
export async function loadStore(version: string, profile: Profile, { env }: Place): Promise<void> {
  const content = gunzipSync(readFileSync(fileOf(version, profile)))
  if (profile === 'embedded') writeFileSync(sqliteFile(env), content)
  else await storeLines(env, content.toString().split('\n').filter(Boolean))
}

function fileOf(version: string, profile: Profile): string {
  return join(fixtures, version, profile === 'embedded' ? 'embedded.sqlite.gz' : 'scaled.jsonl.gz')
}

function sqliteFile(env: Record<string, string>): string {
  return join(env.PRECEDENT_DATA_DIR as string, 'precedent.sqlite')
}

/** Makes the store look like one of a version with another layout. */
export async function setLayout(env: Record<string, string>, layout: number): Promise<void> {
  if (env.MONGODB_URL === undefined)
    return inSqlite(env, (database) => database.exec(`PRAGMA user_version = ${layout}`))
  await inMongo(env, async (db) => {
    await db
      .collection<{ _id: string }>('documents_layout')
      .updateOne({ _id: 'layout' }, { $set: { layout } }, { upsert: true })
  })
}

/** The names of the tables, or collections, of the store. */
export async function tablesOf(env: Record<string, string>): Promise<string[]> {
  let names: string[] = []
  if (env.MONGODB_URL === undefined) {
    inSqlite(env, (database) => {
      names = database
        .prepare('SELECT name FROM sqlite_schema ORDER BY name')
        .all()
        .map((row) => String(row.name))
    })
  } else {
    await inMongo(env, async (db) => {
      names = (await db.listCollections().toArray()).map(({ name }) => name).sort()
    })
  }
  return names
}

function inSqlite(env: Record<string, string>, work: (database: InstanceType<typeof DatabaseSync>) => void): void {
  const database = new DatabaseSync(sqliteFile(env))
  try {
    work(database)
  } finally {
    database.close()
  }
}

/** Without the free pages, and with what only the write-ahead log holds. */
function sqliteContent(path: string): Buffer {
  const database = new DatabaseSync(path)
  database.exec('VACUUM; PRAGMA wal_checkpoint(TRUNCATE)')
  database.close()
  return readFileSync(path)
}

type Line =
  | { collection: string; document: Document }
  /** The name without the prefix of the store. */
  | { index: string; definition: object }
  | { index: string; id: string; routing: string; version: number; source: object }

async function linesOf(env: Record<string, string>): Promise<string> {
  const lines: Line[] = []
  await inMongo(env, async (db) => {
    for (const { name } of await db.listCollections().toArray()) {
      for (const document of await db.collection(name).find().sort({ _id: 1 }).toArray()) {
        lines.push({ collection: name, document: BSON.EJSON.serialize(document, { relaxed: false }) })
      }
    }
  })
  const prefix = `${env.PRECEDENT_PREFIX}-`
  const indexes: Record<string, { settings: { index: Record<string, unknown> }; mappings: object; aliases: object }> =
    await elastic(env, 'GET', `${prefix}*`)
  for (const [name, { settings, mappings, aliases }] of Object.entries(indexes)) {
    const { uuid: _, creation_date: __, provided_name: ___, version: ____, routing: _____, ...kept } = settings.index
    const renamed = Object.fromEntries(Object.entries(aliases).map(([alias, how]) => [cut(alias, prefix), how]))
    lines.push({ index: cut(name, prefix), definition: { settings: { index: kept }, mappings, aliases: renamed } })
    // marks are written after the last refresh of the service
    await elastic(env, 'POST', `${name}/_refresh`)
    const { hits } = await elastic(env, 'POST', `${name}/_search`, { size: 10_000, version: true })
    for (const { _id: id, _routing: routing, _version: version, _source: source } of hits.hits) {
      lines.push({ index: cut(name, prefix), id, routing, version, source })
    }
  }
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('')
}

async function storeLines(env: Record<string, string>, lines: readonly string[]): Promise<void> {
  const prefix = `${env.PRECEDENT_PREFIX}-`
  const names = new Set<string>()
  await inMongo(env, async (db) => {
    for (const text of lines) {
      const line = JSON.parse(text) as Line
      if ('collection' in line) {
        await db.collection(line.collection).insertOne(BSON.EJSON.deserialize(line.document))
      } else if ('definition' in line) {
        const { aliases, ...definition } = line.definition as { aliases: object }
        const renamed = Object.fromEntries(Object.entries(aliases).map(([alias, how]) => [prefix + alias, how]))
        names.add(prefix + line.index)
        await elastic(env, 'PUT', prefix + line.index, { ...definition, aliases: renamed })
      } else {
        const at = `${prefix}${line.index}/_doc/${encodeURIComponent(line.id)}?routing=${line.routing}`
        await elastic(env, 'PUT', `${at}&version=${line.version}&version_type=external`, withTokens(line.source))
      }
    }
  })
  for (const name of names) await elastic(env, 'POST', `${name}/_refresh`)
}

/** The tokens are not in the source. Their order does not matter, and their frequencies are in the source. */
function withTokens(source: { shown?: { terms: string } }): object {
  if (source.shown === undefined) return source
  const tokens: string[] = []
  for (const part of source.shown.terms.split(' ').filter(Boolean)) {
    const more = part.startsWith('=') ? Number(part.slice(1)) - 1 : 0
    if (more === 0) tokens.push(part)
    else for (let n = 0; n < more; n++) tokens.push(tokens.at(-1) as string)
  }
  return { ...source, tokens: tokens.join(' ') }
}

function cut(name: string, prefix: string): string {
  return name.slice(prefix.length)
}

async function inMongo(env: Record<string, string>, work: (db: ReturnType<MongoClient['db']>) => Promise<void>) {
  const client = new MongoClient(env.MONGODB_URL as string)
  try {
    await work(client.db())
  } finally {
    await client.close()
  }
}

// biome-ignore lint/suspicious/noExplicitAny: answers of Elasticsearch have many shapes
async function elastic(env: Record<string, string>, method: string, path: string, body?: object): Promise<any> {
  const answer = await fetch(`${env.ELASTICSEARCH_URL}/${path}`, {
    method,
    headers: { 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  if (!answer.ok) throw new Error(`${method} ${path}: ${await answer.text()}`)
  return answer.json()
}
