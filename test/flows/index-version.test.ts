/** A store whose search index was written by another version of the service. */
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { load } from '../../config/load.ts'
import { firstWorkspace } from '../../src/access/workspaces.ts'
import { openSqlite } from '../../src/adapters/sqlite/connection.ts'
import { openPorts } from '../../src/engines.ts'
import { checkpointOf, checkpoints } from '../../src/journal/checkpoint.ts'
import { openStore } from '../stores/service.ts'
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

it('answers all searches while it fills an index of its version beside an older one, and loses nothing', async () => {
  await service.stop()
  await outdate(service.dataDir)
  await tellsOperators(service.dataDir)
  service = await startService({ dataDir: service.dataDir })
  let isFilled = false
  const reading = (async () => {
    while (!isFilled) {
      expect((await call(service, 'GET', `/v1/decisions/${known[0]}`)).status).toBe(200)
      expect((await titlesFor('zebra 7 stable')).length).toBe(5)
      expect((await call(service, 'GET', '/v1/context/brief?query=zebra')).status).toBe(200)
    }
  })()
  // awaited below
  reading.catch(() => {})
  await applied(service, '/v1/context/memories', 'version-meanwhile', { kind: 'fact', content: 'Okapis are shy.' })
  expect(await titlesFor('shy okapis')).toContain('Okapis are shy.')
  await vi
    .waitFor(() => expect(service.log()).toContain(filled), patience)
    .finally(() => {
      isFilled = true
    })
  await reading
  await findsAll()
  expect(await titlesFor('shy okapis')).toContain('Okapis are shy.')
  const now = await allIds()
  expect(now).toHaveLength(count + 1)
  expect(now).toEqual(expect.arrayContaining(known))
  expect(service.log()).not.toContain('rebuilding it')
  expect(await rebuildsOf(service)).toEqual([])
})

it('goes on with a fill after its process was killed in the middle', async () => {
  const { dataDir } = service
  await service.stop()
  await expect.poll(() => killedInFill(dataDir), { timeout: 90_000 }).toBe(true)
  service = await startService({ dataDir })
  await findsAll()
  await vi.waitFor(() => expect(service.log()).toContain(filled), patience)
  await findsAll()
  expect(await titlesFor('shy okapis')).toContain('Okapis are shy.')
  expect(await allIds()).toEqual(expect.arrayContaining(known))
})

/** Checks what /readyz and /metrics tell operators while no maintain worker is running. */
async function tellsOperators(dataDir: string): Promise<void> {
  const idle = await openStore(await storeOf(dataDir), Date.now(), false)
  const caller = { url: idle.url, key: service.key }
  const { status, body } = await call<{ problems: string[] }>(caller, 'GET', '/readyz')
  const message = 'search: the index of a workspace is of an older version, which serves until maintain has filled'
  expect([status, body.problems]).toEqual([200, [expect.stringContaining(message)]])
  const metrics = await fetch(`${idle.url}/metrics`, { headers: { authorization: `Bearer ${service.key}` } })
  expect(await metrics.text()).toContain('precedent_outdated_indexes{trouble="older"} 1\n')
  await idle.stop()
}

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

const filling = 'filling a search index of this version'
const filled = 'search index of this version is complete'

/** Starts a process on an outdated index and kills it. false: it had not begun to fill a new one, or had finished. */
async function killedInFill(dataDir: string): Promise<boolean> {
  await outdate(dataDir)
  const dying = await spawnService({ dataDir })
  const begun = () => expect(dying.log()).toContain(filling)
  await vi.waitFor(begun, { timeout: 20_000, interval: 5 }).catch(() => {})
  await dying.kill()
  return dying.log().includes(filling) && !dying.log().includes(filled)
}

/** Gives the live index an older version of the text analysis, as a service before an upgrade would leave it. */
async function outdate(dataDir: string): Promise<void> {
  const { documents, search, close } = await openPorts(load(await storeOf(dataDir)), pino({ level: 'silent' }))
  const { live } = await checkpointOf(documents, firstWorkspace)
  await search.dropOlder(live)
  // version 0.1.0 does not know this field
  await documents.update(checkpoints, firstWorkspace, { set: { shown_in: null } })
  const { version } = search
  await close()
  const older = version.replace(/\d+$/, '0')
  if (profile === 'embedded') {
    const sqlite = openSqlite({ path: join(dataDir, 'precedent.sqlite') })
    await sqlite.write((db) =>
      db.exec(`UPDATE search_indexes SET name = '${live}@${older}' WHERE name = '${live}@${version}'`),
    )
    await sqlite.close()
    return
  }
  const { ELASTICSEARCH_URL: url, PRECEDENT_PREFIX: prefix } = await storeOf(dataDir)
  const ask = async (method: string, path: string, body?: object) => {
    const headers = { 'content-type': 'application/json' }
    const answer = await fetch(`${url}/${path}`, { method, headers, body: body ? JSON.stringify(body) : null })
    expect(answer.status, `${method} ${path}: ${await answer.clone().text()}`).toBe(200)
  }
  const [index, other] = [version, older].map((one) => `${prefix}-${live}-v${one}`)
  await ask('PUT', `${index}/_settings`, { 'index.blocks.write': true })
  await ask('POST', `${index}/_clone/${other}?wait_for_active_shards=1`, {
    settings: { 'index.blocks.write': null },
    aliases: { [`${other}.alias`]: { is_write_index: true } },
  })
  await ask('DELETE', index as string)
}
