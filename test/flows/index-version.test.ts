/** A store whose search index was written by another version of the service. */
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { load } from '../../config/load.ts'
import { openSqlite } from '../../src/adapters/sqlite/connection.ts'
import { openDocuments } from '../../src/engines.ts'
import { rebuilds } from '../../src/indexing/rebuilds.ts'
import { applied, call, type ReceiptBody, syncAll } from '../support/http.ts'
import { profile } from '../support/profile.ts'
import { removeData, type Started, spawnService, startService, storeOf } from '../support/service.ts'

/** Enough records that a process can be killed while it rebuilds the index. The MongoDB of the tests is slow with more. */
const count = profile === 'embedded' ? 3_000 : 300
const batch = Math.min(1_000, count)
const patience = { timeout: 90_000, interval: 200 }
let service: Started
/** The ids of all records, as sync shows them before the index becomes outdated. */
let known: string[]

beforeAll(async () => {
  service = await startService()
  const open: string[] = []
  for (let from = 0; from < count; from += batch) {
    const decisions = Array.from({ length: batch }, (_, n) => decision(from + n))
    const headers = { 'idempotency-key': `version-${from}` }
    const { status, body } = await call<{ receipts: { receipt: ReceiptBody }[] }>(
      service,
      'POST',
      '/v1/decisions/batch',
      { decisions },
      headers,
    )
    expect(status).toBe(202)
    open.push(...body.receipts.slice(-1).map(({ receipt }) => receipt.receipt_id))
  }
  for (const receipt of open) {
    const state = async () => (await call<ReceiptBody>(service, 'GET', `/v1/receipts/${receipt}`)).body.state
    await vi.waitFor(async () => expect(await state()).toBe('applied'), patience)
  }
  await findsAll()
  known = await allIds()
  expect(known).toHaveLength(count)
})
afterAll(async () => {
  await service.kill()
  await removeData(service.dataDir)
})

it('the service answers while it rebuilds an index of another version, and loses nothing', async () => {
  await service.stop()
  await outdate(service.dataDir)
  service = await startService({ dataDir: service.dataDir })
  let isRebuilt = false
  const reading = (async () => {
    while (!isRebuilt) {
      expect((await call(service, 'GET', `/v1/decisions/${known[0]}`)).status).toBe(200)
      expect([200, 503]).toContain((await search('zebra 7')).status)
      expect((await call(service, 'GET', '/v1/context/brief?query=zebra')).status).toBe(200)
    }
  })()
  // awaited below
  reading.catch(() => {})
  await applied(service, '/v1/context/memories', 'version-meanwhile', { kind: 'fact', content: 'Okapis are shy.' })
  await findsAll().finally(() => {
    isRebuilt = true
  })
  await reading
  expect(await titlesFor('shy okapis')).toContain('Okapis are shy.')
  const now = await allIds()
  expect(now).toHaveLength(count + 1)
  expect(now).toEqual(expect.arrayContaining(known))
})

it('a rebuild of an outdated index is finished after its process was killed in the middle', async () => {
  const { dataDir } = service
  await service.stop()
  await expect.poll(() => killedInRebuild(dataDir), { timeout: 90_000 }).toBe(true)
  service = await startService({ dataDir })
  await findsAll()
  const open = async () => (await rebuildsOf(service)).filter(({ state }) => state === 'asked' || state === 'filling')
  await expect.poll(open, patience).toEqual([])
  expect(await titlesFor('shy okapis')).toContain('Okapis are shy.')
  expect(await allIds()).toEqual(expect.arrayContaining(known))
})

function decision(number: number) {
  return {
    external_id: `zebra/${number}`,
    title: `Zebra ${number} gets its own stable`,
    judgment: `Build stable number ${number}.`,
    context: 'Zebras quarrel. '.repeat(20),
  }
}

const search = (q: string) =>
  call<{ items: { title: string }[] }>(service, 'POST', '/v1/context/search', { q, limit: 5 })

async function titlesFor(q: string): Promise<string[]> {
  const { status, body } = await search(q)
  return status === 200 ? body.items.map(({ title }) => title) : []
}

/** Waits until search finds records of all ages. */
async function findsAll(): Promise<void> {
  for (let number = 0; number < count; number += Math.floor(count / 20)) {
    const { title } = decision(number)
    await vi.waitFor(async () => expect(await titlesFor(title)).toContain(title), patience)
  }
}

async function allIds(): Promise<string[]> {
  return (await syncAll(service)).map(({ id }) => id)
}

async function rebuildsOf(caller: { url: string; key: string }): Promise<{ state: string }[]> {
  return (await call<{ items: { state: string }[] }>(caller, 'GET', '/admin/reindex')).body.items
}

/** Starts a process on an outdated index and kills it. false: it had not begun to rebuild, or it had finished. */
async function killedInRebuild(dataDir: string): Promise<boolean> {
  await outdate(dataDir)
  const dying = await spawnService({ dataDir })
  const caller = { ...service, url: await dying.ready }
  const begun = async () => expect((await rebuildsOf(caller)).map(({ state }) => state)).toContain('filling')
  await vi.waitFor(begun, { timeout: 5_000, interval: 5 }).catch(() => {})
  await dying.kill()
  return leftRunning(dataDir)
}

/** Whether a killed process has left a running rebuild. Makes it look a minute old, as only then another takes over. */
async function leftRunning(dataDir: string): Promise<boolean> {
  const { documents, close } = await openDocuments(load(await storeOf(dataDir)))
  try {
    const where = { state: 'filling' }
    const running = await documents.find(rebuilds, { where, sort: [['id', 'asc']], limit: 10 })
    const set = { touched_at: '2026-01-01T00:00:00.000Z' }
    for (const { id } of running) expect(await documents.update(rebuilds, id, { set })).toBe(true)
    return running.length > 0
  } finally {
    await close()
  }
}

/** Gives the search index of the store another version, and another form where the engine allows it. */
async function outdate(dataDir: string): Promise<void> {
  if (profile === 'embedded') {
    const sqlite = openSqlite({ path: join(dataDir, 'precedent.sqlite') })
    await sqlite.write((db) =>
      db.exec(`
        UPDATE search_version SET version = '0.1';
        DROP TABLE search_marks;
        CREATE TABLE search_marks (scope INTEGER, another INTEGER);
        CREATE TABLE IF NOT EXISTS search_other (row INTEGER PRIMARY KEY);
      `),
    )
    await sqlite.close()
    return
  }
  const { ELASTICSEARCH_URL: url, PRECEDENT_PREFIX: prefix } = await storeOf(dataDir)
  const ask = async (method: string, path: string, body?: object) => {
    const headers = { 'content-type': 'application/json' }
    const answer = await fetch(`${url}/${path}`, { method, headers, body: body ? JSON.stringify(body) : null })
    expect(answer.status, `${method} ${path}: ${await answer.clone().text()}`).toBe(200)
    return answer.json()
  }
  const indexes = (await ask('GET', `_cat/indices/${prefix}*?format=json&h=index`)) as { index: string }[]
  // a second call finds what the first one has left
  const current = indexes.filter(({ index }) => !index.endsWith('-v0.1'))
  expect(current.length).toBeGreaterThan(0)
  for (const { index } of current) {
    const other = index.replace(/-v[\d.]+$/, '-v0.1')
    await ask('PUT', `${index}/_settings`, { 'index.blocks.write': true })
    await ask('POST', `${index}/_clone/${other}?wait_for_active_shards=1`, {
      settings: { 'index.blocks.write': null },
      aliases: { [`${other}.alias`]: {} },
    })
    await ask('DELETE', index)
  }
}
