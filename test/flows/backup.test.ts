import { spawn } from 'node:child_process'
import { statSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { load } from '../../config/load.ts'
import { keys } from '../../src/access/keys.ts'
import { settings } from '../../src/access/settings.ts'
import { workspaces } from '../../src/access/workspaces.ts'
import { openPorts } from '../../src/engines.ts'
import { restoring } from '../../src/journal/maintenance/intact.ts'
import type { Collection, Document } from '../../src/ports/documents.ts'
import { temporaryFolder } from '../support/clean-up.ts'
import { call, type ReceiptBody, syncAll, write } from '../support/http.ts'
import { newStore, profile, type Store } from '../support/profile.ts'
import { repository } from '../support/repository.ts'
import { newDataDir, removeData, type Started, startService } from '../support/service.ts'

const memories = '/v1/context/memories'
const fact = (content: string) => ({ kind: 'fact', content })
const folder = temporaryFolder('precedent-backup-')
const file = join(folder, 'all.jsonl.gz')
const before = 100
let dataDir: string
let service: Started
let store: Store
/** Results of the first test, for the tests after it. */
let acknowledged: string[]
let cursor: string
/** A task, a subtask of it with a comment, and what both were then. */
let tasks: { parent: string; child: string; shown: unknown[] }

beforeAll(async () => {
  dataDir = newDataDir()
  store = await newStore()
  service = await startService({ dataDir, env: store.env })
})
afterAll(async () => {
  await service.stop()
  await removeData(dataDir)
  await store.drop()
})

it('a backup under load writes a file that only its owner can read', async () => {
  acknowledged = await Promise.all(numbers(before).map((number) => remember(service, number)))
  const sync = await call<{ cursor: string }>(service, 'POST', '/v1/context/sync', { limit: 1 })
  cursor = sync.body.cursor
  tasks = await makeTasks(service)
  let writing = true
  const load = (async () => {
    for (let number = before; writing; number++) await remember(service, number)
  })()
  const made = await precedent({ ...store.env, PRECEDENT_DATA_DIR: dataDir }, 'backup', file)
  writing = false
  await load
  expect(made).toMatchObject({ code: 0, body: { file } })
  expect(statSync(file).mode & 0o777).toBe(0o600)
})

it.each(profile === 'embedded' ? [profile] : [profile, 'embedded' as const])(
  'a backup is restored into an empty store of the %s profile: all records are there, once',
  async (on) => {
    const target = newDataDir()
    const fresh = await newStore(on)
    const env = { ...fresh.env, PRECEDENT_DATA_DIR: target }
    let restored: Started | undefined
    try {
      expect(await precedent(env, 'restore', file)).toMatchObject({ code: 0, body: { workspaces: 1 } })
      restored = await started(target, fresh)
      // sync may repeat a change, but a second id would be a duplicate record
      const titles = [...new Map((await syncAll(restored)).map(({ id, title }) => [id, title])).values()]
      expect(new Set(titles).size).toBe(titles.length)
      // writes during the backup may be missing, but earlier acknowledged ones may not
      for (const number of numbers(before)) expect(titles).toContain(`Fact ${number} holds.`)
      for (const id of acknowledged) {
        const receipt = await call<ReceiptBody>(restored, 'GET', `/v1/receipts/${id}?wait=20`)
        expect(receipt.body.state).toBe('applied')
      }
      const found = await call(restored, 'POST', '/v1/context/search', { q: 'fact 7 holds' })
      expect(found.status).toBe(200)
      expect(JSON.stringify(found.body)).toContain('Fact 7 holds.')
      // the same key and input return the existing receipt, and make no second record
      expect(await remember(restored, 0)).toBe(acknowledged[0])
      await expectTasks(restored)
      const old = await call(restored, 'POST', '/v1/context/sync', { cursor })
      expect(old.body).toMatchObject({ reset_required: true })
      const again = await precedent(env, 'restore', file)
      expect([again.code, JSON.stringify(again.body)]).toEqual([
        1,
        expect.stringMatching(/not_empty|Another precedent/),
      ])
    } finally {
      await restored?.stop()
      await removeData(target)
      await fresh.drop()
    }
  },
)

it('a truncated backup is refused, and the store stays empty', async () => {
  const cut = join(folder, 'cut.jsonl.gz')
  await precedent({ ...store.env, PRECEDENT_DATA_DIR: dataDir }, 'backup', cut)
  truncateSync(cut, Math.floor(statSync(cut).size / 2))
  const fresh = await newStore()
  const target = newDataDir()
  // the operator's file is not needed, so its errors must not stop a restore
  const env = { ...fresh.env, PRECEDENT_DATA_DIR: target, PRECEDENT_CONFIG: '/does/not/exist' }
  try {
    expect(await precedent(env, 'restore', cut)).toMatchObject({ code: 1, body: { error: { code: 'damaged_backup' } } })
    expect(await precedent(env, 'restore', join(folder, 'none'))).toMatchObject({ code: 1 })
    expect(await precedent(env, 'restore', file)).toMatchObject({ code: 0 })
  } finally {
    await removeData(target)
    await fresh.drop()
  }
})

it('the service refuses to start on a store whose restore is unfinished, and writes nothing', async () => {
  const fresh = await newStore()
  const target = newDataDir()
  const open = () => openPorts(load({ ...fresh.env, PRECEDENT_DATA_DIR: target }), pino({ level: 'silent' }))
  try {
    const before = await open()
    await before.documents.insert(settings, { id: restoring, version: 1, value: {} })
    await before.close()
    await expect(started(target, fresh)).rejects.toThrow('A restore into this store has not ended')
    const after = await open()
    for (const collection of [keys, workspaces] as unknown as Collection<Document>[]) {
      expect(await after.documents.find(collection, { where: { id: { gt: '' } }, limit: 1 })).toEqual([])
    }
    await after.close()
  } finally {
    await removeData(target)
    await fresh.drop()
  }
})

const numbers = (most: number) => Array.from({ length: most }, (_, number) => number)

async function remember(on: { url: string; key: string }, number: number): Promise<string> {
  const answer = await write(on, memories, `backup-${number}`, fact(`Fact ${number} holds.`))
  expect([200, 202]).toContain(answer.status)
  return answer.body.receipt_id
}

type Service = Pick<Started, 'url' | 'key'>

async function makeTasks(on: Service): Promise<typeof tasks> {
  const write = async (method: string, path: string, body: object) => {
    const { status, body: receipt } = await call<ReceiptBody>(on, method, path, body, { prefer: 'wait=30' })
    expect(status, JSON.stringify(receipt)).toBe(200)
    return receipt.entity?.id as string
  }
  const parent = await write('POST', tasksPath, { name: 'Garden', external_id: 'T-1' })
  const child = await write('POST', tasksPath, { name: 'Paint', parent_id: parent, labels: ['old', 'kept'] })
  await write('PATCH', `${tasksPath}/${child}`, { labels: ['kept'], status: 'done' })
  await write('POST', `${tasksPath}/${child}/comments`, { body: 'Half of it is green.' })
  return { parent, child, shown: await shownTasks(on, parent, child) }
}

const tasksPath = '/api/v2/tasks'

function shownTasks(on: Service, ...ids: string[]): Promise<unknown[]> {
  return Promise.all(
    ids.map(async (id) => {
      const { url: _, ...task } = (
        await call<{ url?: string; subtasks: object }>(on, 'GET', `${tasksPath}/${id}?enrichment=none`)
      ).body
      return { ...task, subtasks: JSON.parse(JSON.stringify(task.subtasks).replaceAll(on.url, '')) }
    }),
  )
}

/** With their comments and changes. The lists and the tree of parents go on from there. */
async function expectTasks(on: Service): Promise<void> {
  const { parent, child, shown } = tasks
  expect(await shownTasks(on, parent, child)).toEqual(shown)
  const listed = async (query: string) =>
    (await call<{ items: { id: string }[] }>(on, 'GET', `${tasksPath}?${query}`)).body.items.map(({ id }) => id)
  expect(await listed('label=kept&status=done')).toEqual([child])
  expect(await listed('label=old')).toEqual([])
  const circle = await call(on, 'PATCH', `${tasksPath}/${parent}`, { parent_id: child }, { prefer: 'wait=30' })
  expect(circle.body).toMatchObject({ error: { code: 'would_cycle' } })
}

/** The store is a test's own, and may be of another profile than the run's. */
function started(target: string, { env }: Store): Promise<Started> {
  const none = { MONGODB_URL: '', REDIS_URL: '', ELASTICSEARCH_URL: '' }
  return startService({ dataDir: target, env: { ...none, ...env } })
}

function precedent(env: Record<string, string>, ...args: string[]) {
  const child = spawn(process.execPath, [join(repository, 'dist/src/cli/precedent.js'), ...args, '--json'], {
    env: { PATH: process.env.PATH ?? '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  child.stdout.on('data', (chunk: Buffer) => (said += chunk))
  child.stderr.on('data', (chunk: Buffer) => (said += chunk))
  return new Promise<{ code: number | null; body: unknown }>((resolve) =>
    child.once('close', (code) => resolve({ code, body: JSON.parse(said.trim().split('\n').at(-1) ?? '') })),
  )
}
