import { afterAll, beforeAll, expect, it } from 'vitest'
import { folderOfTest, runJson } from '../cli/run.ts'
import { applied, call, write } from '../support/http.ts'
import { profile } from '../support/profile.ts'
import { removeData, type Started, startService, storeOf } from '../support/service.ts'
import { skipIf } from '../support/skip.ts'

const memories = '/v1/context/memories'
const fact = (number: number) => ({ kind: 'fact', content: `Fact number ${number} of the herd.` })
let service: Started
beforeAll(async () => {
  service = await startService()
})
afterAll(async () => {
  await service.stop()
  await removeData(service.dataDir)
})

const search = (q: string) => call(service, 'POST', '/v1/context/search', { q, limit: 50 })

it('every search succeeds and finds every applied record while the index is rebuilt under load', async () => {
  const first = Array.from({ length: 20 }, (_, number) => number)
  await Promise.all(first.map((number) => applied(service, memories, `reindex-${number}`, fact(number))))
  let working = true
  let written = 20
  const writing = (async () => {
    for (; working; written++) await write(service, memories, `reindex-${written}`, fact(written))
  })()
  const searching = (async () => {
    while (working) {
      const found = await search('fact number 7 of the herd')
      expect(found.status).toBe(200)
      expect(JSON.stringify(found.body)).toContain('Fact number 7 of')
    }
  })()
  const caller = { url: service.url, key: service.key, state: folderOfTest() }
  const { code, body } = await runJson(caller, 'reindex')
  working = false
  await Promise.all([writing, searching])
  expect(code).toBe(0)
  expect(body).toMatchObject({ waited: true, workspaces: [expect.any(String)] })
  const { body: listed } = await call<{ items: { state: string }[] }>(service, 'GET', '/admin/reindex')
  expect(listed.items.map(({ state }) => state)).toEqual(['live'])
  const last = fact(written)
  await applied(service, memories, 'reindex-last', last)
  for (const number of [3, Math.floor(written / 2), written - 1, written]) {
    expect(JSON.stringify((await search(`fact number ${number}`)).body)).toContain(`Fact number ${number} of`)
  }
})

it('a rebuild is refused for an unknown workspace, and for callers without the scope', async () => {
  const nobody = '00000000-0000-7000-8000-00000000dead'
  expect((await call(service, 'POST', '/admin/reindex', { workspace: nobody })).status).toBe(404)
  expect((await call(service, 'POST', '/admin/reindex', { index: 'x' })).status).toBe(400)
  const { body } = await call<{ key: string }>(service, 'POST', '/admin/keys', { name: 'r', scopes: ['context:read'] })
  expect((await call({ ...service, key: body.key }, 'POST', '/admin/reindex', {})).status).toBe(403)
})

const embedded = profile === 'embedded' ? 'the index of SQLite cannot be lost alone' : undefined
it('an index that Elasticsearch has lost is rebuilt, even if nothing new is written', skipIf(embedded), async () => {
  await applied(service, memories, 'reindex-kept', fact(4711))
  await service.stop()
  const { ELASTICSEARCH_URL: url, PRECEDENT_PREFIX: prefix } = await storeOf(service.dataDir)
  const listed = await fetch(`${url}/_cat/indices/${prefix}*?format=json&h=index&expand_wildcards=all`)
  const indexes = ((await listed.json()) as { index: string }[]).map(({ index }) => index)
  expect(indexes.length).toBeGreaterThan(0)
  for (const index of indexes) await fetch(`${url}/${index}`, { method: 'DELETE' })
  service = await startService({ dataDir: service.dataDir })
  await expect
    .poll(async () => JSON.stringify((await search('fact number 4711 of the herd')).body), { timeout: 30_000 })
    .toContain('Fact number 4711 of')
})
