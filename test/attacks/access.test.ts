/** Receipts, keys, errors and queries to the store must reveal nothing that a caller may not see. */
import { randomUUID } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MongoBulkWriteError } from 'mongodb'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { load } from '../../config/load.ts'
import { reservedPrefixes, serviceParts, userOfService } from '../../src/access/actor.ts'
import { type Key, keys } from '../../src/access/keys.ts'
import { hashOf, newSecret } from '../../src/access/secret.ts'
import { firstWorkspace, workspaces } from '../../src/access/workspaces.ts'
import { mongoDocuments } from '../../src/adapters/mongodb/documents.ts'
import { openSqlite } from '../../src/adapters/sqlite/connection.ts'
import { sqliteDocuments } from '../../src/adapters/sqlite/documents.ts'
import { systemClock } from '../../src/adapters/system-clock.ts'
import { collections } from '../../src/collections.ts'
import type { ReceiptId, WorkspaceId } from '../../src/ids.ts'
import { serializedError } from '../../src/log/log.ts'
import { problems } from '../../src/problem.ts'
import { type Receipt, receipts } from '../../src/receipt.ts'
import { records } from '../../src/records/record.ts'
import { run } from '../../workers/runner.ts'
import { type Answer, type Serving, send, serve, write } from '../http/serving.ts'
import { temporaryFolder } from '../support/clean-up.ts'
import { newStore, profile } from '../support/profile.ts'
import { noted } from '../support/recorded-queries.ts'

const memories = '/v1/context/memories'
const decisions = '/v1/decisions'
const missing = '00000000-0000-7000-8000-00000000dead'
const wait = { prefer: 'wait=20' }
const isPrivate = { visibility: { scope: 'private' } }
const team = '0190aaaa-0000-7000-8000-000000000001'

const store = noted()
let serving: Serving
/** Ann must notice no write of Bob. */
let ann: string
let bob: string

beforeAll(async () => {
  serving = await serve({ around: store.around })
  ann = await serving.key(['context:read', 'context:write'], { user: 'ann' })
  bob = await serving.key(['context:read', 'context:write'], { user: 'bob', teams: [team] })
  await made(ann, memories, { kind: 'fact', content: 'Ann has written something.', ...isPrivate })
})
afterAll(() => serving.stop())

/** The id of the record that a write made. */
async function made(key: string, path: string, body: object): Promise<string> {
  const { body: receipt } = await write(serving.url, path, { key, body, headers: wait })
  expect(receipt.state, JSON.stringify(receipt)).toBe('applied')
  return receipt.entity.id
}

/** All that a caller receives, without fields that differ in every answer. */
function told({ status, headers, body }: Answer) {
  const { instance: _, ...rest } = typeof body === 'object' ? body : { body }
  const shown = [...headers].filter(([name]) => !['date', 'x-request-id', 'etag'].includes(name))
  return { status, headers: shown, body: rest }
}

/** The same answer for the same work of the store, to the last query and row. */
async function expectAlike(one: () => Promise<Answer>, other: () => Promise<Answer>): Promise<Answer> {
  const answer = await one()
  expect(told(answer)).toEqual(told(await other()))
  const [asked, expected] = [await store.during(one), await store.during(other)]
  expect(asked).toEqual(expected)
  expect(expected.length).toBeGreaterThan(0)
  return answer
}

const newId = () => systemClock.id() as ReceiptId
const get = (path: string, key: string) => () => send(serving.url, 'GET', path, { key })
const post = (path: string, key: string, body: object) => () => write(serving.url, path, { key, body })

describe('batches of others', () => {
  const item = { external_id: 'n-1', title: 'One decision', judgment: 'So be it.', ...isPrivate }
  /** More than a page looks through; the servers of tests take long to store as many. */
  const many = profile === 'embedded' ? 2_100 : 300
  let batch: string

  beforeAll(async () => {
    const sent = { key: bob, body: { decisions: [item] }, headers: { 'idempotency-key': 'bobs-batch' } }
    const { body } = await send(serving.url, 'POST', `${decisions}/batch`, sent)
    batch = body.batch_id
    const { receipt_id } = body.receipts[0].receipt
    expect((await get(`/v1/receipts/${receipt_id}?wait=30`, bob)()).body.state).toBe('applied')
    const one = (await store.documents.get(receipts, receipt_id)) as Receipt
    const others = Array.from({ length: many - 1 }, (_, n) => ({ ...one, id: newId(), idempotency_key: `of-bob-${n}` }))
    await store.documents.insertMany(receipts, others)
  })

  it.each(['', '&limit=1', '&state=applied', '&state=failed', '&operation=decision.import'])(
    'a batch of others shows no cursor and no count, and none of its rows is read (%s)',
    async (filter) => {
      const list = (id: string) => get(`/v1/receipts?batch_id=${id}${filter}`, ann)
      const { body } = await expectAlike(list(batch), list(missing))
      expect(body.items).toEqual([])
      expect(body.next_cursor).toBeUndefined()
      expect(new Set(Object.values(body.counts))).toEqual(new Set([0]))
    },
  )

  it('batches are listed and counted for their owner, page by page', async () => {
    const { body } = await get(`/v1/receipts?batch_id=${batch}&limit=200`, bob)()
    expect(body.items).toHaveLength(200)
    expect(body.next_cursor).toBeTypeOf('string')
    expect(Object.values<number>(body.counts).reduce((sum, one) => sum + one)).toBe(many)
  })

  it('a batch leaves the idempotency keys of others free', async () => {
    const headers = { 'idempotency-key': 'one-for-all' }
    const sent = (key: string, judgment: string) =>
      send(serving.url, 'POST', decisions, { key, body: { ...item, judgment }, headers })
    expect((await sent(bob, 'Bob says so.')).status).toBe(202)
    // a key without a user is an actor of its own too
    const keyless = await serving.key(['context:write'])
    for (const key of [ann, keyless]) expect((await sent(key, `Another says so.`)).status).toBe(202)
    expect((await sent(bob, 'Bob says otherwise.')).status).toBe(409)
  })
})

describe('records and receipts of others', () => {
  let memory: string
  let decision: string
  let receipt: string

  beforeAll(async () => {
    memory = await made(bob, memories, { kind: 'fact', content: 'Bob sings.', ...isPrivate })
    decision = await made(bob, decisions, { title: 'Sing', judgment: 'Sing on Fridays.', ...isPrivate })
    receipt = (await get('/v1/receipts?limit=1', bob)()).body.items[0].receipt_id
  })

  it('reads of records and receipts of others are answered like missing ones', async () => {
    await expectAlike(get(`${memories}/${memory}`, ann), get(`${memories}/${missing}`, ann))
    await expectAlike(get(`${decisions}/${decision}`, ann), get(`${decisions}/${missing}`, ann))
    const { status } = await expectAlike(get(`/v1/receipts/${receipt}`, ann), get(`/v1/receipts/${missing}`, ann))
    expect(status).toBe(404)
  })

  it('a write that names a record of others is answered as if the record were missing', async () => {
    const correct = (id: string) =>
      post(memories, ann, { kind: 'correction', content: 'No.', corrects_memory_id: id, ...isPrivate })
    const supersede = (id: string) =>
      post(decisions, ann, { title: 'No', judgment: 'No.', supersedes: [id], ...isPrivate })
    await expectAlike(correct(memory), correct(missing))
    expect((await expectAlike(supersede(decision), supersede(missing))).status).toBe(404)
  })

  it('an answer to a question of others is refused like one to a missing question', async () => {
    await made(bob, memories, { kind: 'fact', content: 'I think that Bob dances.', ...isPrivate })
    const { body } = await get('/v1/context/brief', bob)()
    const [{ question_id: asked }] = body.open_questions
    const resolve = (question_id: string) => post('/v1/context/resolve', ann, { question_id, resolution: 'confirm' })
    const { status } = await expectAlike(resolve(asked), resolve(`fact:${missing}`))
    expect(status).toBe(404)
  })

  it('admins of another workspace find neither receipts nor keys', async () => {
    const workspace = randomUUID() as WorkspaceId
    const created_at = new Date().toISOString()
    await store.documents.insert(workspaces, { id: workspace, name: 'other', type: 'company', created_at })
    const made = await send(serving.url, 'POST', '/admin/keys', {
      key: serving.adminKey,
      body: { name: 'other', scopes: ['admin'], workspace },
    })
    const admin = made.body.key
    await expectAlike(get(`/v1/receipts/${receipt}`, admin), get(`/v1/receipts/${missing}`, admin))
    const [known] = (await get('/admin/keys', serving.adminKey)()).body.items
    const revoke = (id: string) => () => send(serving.url, 'DELETE', `/admin/keys/${id}`, { key: admin })
    expect((await expectAlike(revoke(known.id), revoke(missing))).status).toBe(404)
  })
})

describe('the receipt of a write that failed', () => {
  const title = 'Bob’s secret garden'

  /** A failed receipt as drain stores it, with the problem of its operation. */
  async function failed(key: string): Promise<string> {
    const { body } = await write(serving.url, memories, {
      key,
      body: { kind: 'fact', content: `${title} ${randomUUID()}`, ...isPrivate },
      headers: wait,
    })
    const error = {
      code: 'would_cycle',
      message: `It would supersede itself, by way of ${title}.`,
      retryable: false,
      details: { head: { type: 'memory', id: body.entity.id } },
    }
    await store.documents.update(receipts, body.receipt_id, { set: { state: 'failed', entity: null, error } })
    return body.receipt_id
  }

  it('a failed receipt shows admins the kind of problem, and its author all of it', async () => {
    const id = await failed(bob)
    const own = (await get(`/v1/receipts/${id}`, bob)()).body.error
    expect(own.message).toContain(title)
    expect(own.details.head.id).toBeTypeOf('string')
    const { error } = (await get(`/v1/receipts/${id}`, serving.adminKey)()).body
    expect(error).toEqual({
      code: 'would_cycle',
      message: problems.would_cycle.title,
      retryable: false,
      receipt_id: id,
    })
  })

  it('a failed receipt shows a key of the same user in fewer teams no more than it shows an admin', async () => {
    const id = await failed(bob)
    const narrower = await serving.key(['context:read'], { user: 'bob' })
    const { error } = (await get(`/v1/receipts/${id}`, narrower)()).body
    expect(JSON.stringify(error)).not.toContain(title)
    expect(error.details).toBeUndefined()
  })
})

describe('the receipt of a write that was applied', () => {
  it('names the record to its author and to admins, and not to a key of the same user in fewer teams', async () => {
    const visibility = { scope: 'team', team_id: team }
    const body = { kind: 'fact', content: 'The team has a boat.', title: 'Boat', visibility }
    const { receipt_id: id, entity } = (await write(serving.url, memories, { key: bob, body, headers: wait })).body
    expect(entity).toMatchObject({ type: 'memory', label: 'Boat' })
    const { label: _, ...unlabelled } = entity
    expect((await get(`/v1/receipts/${id}`, serving.adminKey)()).body.entity).toEqual(unlabelled)
    const narrower = await serving.key(['context:read'], { user: 'bob' })
    const { body: told } = await get(`/v1/receipts/${id}`, narrower)()
    expect(told).toMatchObject({ receipt_id: id, state: 'applied' })
    const { items } = (await get('/v1/receipts', narrower)()).body
    expect(items.find(({ receipt_id }: { receipt_id: string }) => receipt_id === id)).toEqual(told)
    expect(JSON.stringify(told)).not.toContain(entity.id)
    expect(told).not.toHaveProperty('correction')
  })
})

describe('keys', () => {
  it.each([
    ...serviceParts.map(userOfService),
    'precedent:anything',
    'Precedent:Compare',
    'ｐｒｅｃｅｄｅｎｔ:compare',
    'prece\u115fdent:compare',
    'key:someone',
    'KEY:someone',
  ])('are not made for the user %s', async (user) => {
    const { status, body } = await send(serving.url, 'POST', '/admin/keys', {
      key: serving.adminKey,
      body: { name: 'in disguise', scopes: ['context:read'], user },
    })
    expect(status).toBe(400)
    const [issue] = body.details.issues
    expect(issue.path).toBe('user')
    expect(issue.message).toContain('choose another name')
  })

  it('keys that act as the service are refused, even if the store contains one', async () => {
    for (const prefix of reservedPrefixes) {
      const secret = await stored({ user: `${prefix}compare` })
      expect((await get('/v1/receipts', secret)()).status).toBe(401)
    }
    expect((await get('/v1/receipts', await stored({ user: 'precedents' }))()).status).toBe(200)
  })

  /** Stores a key whose secret the test knows. */
  async function stored(more: Partial<Key>): Promise<string> {
    const secret = newSecret()
    const now = new Date().toISOString()
    const key = { id: randomUUID(), workspace: firstWorkspace, name: 'x', hash: hashOf(secret), teams: [], user: null }
    const times = { created_at: now, expires_at: null, last_used_at: null, revoked_at: null }
    await store.documents.insert(keys, { ...key, ...times, scopes: ['context:read'], ...more })
    return secret
  }

  it('revoked, expired and unknown keys are refused with the same queries, the first time and later', async () => {
    const long_ago = '2001-01-01T00:00:00.000Z'
    const unknown = newSecret()
    const invalid = [await stored({ revoked_at: long_ago }), await stored({ expires_at: long_ago })]
    for (const secret of invalid) {
      const { status, headers } = await expectAlike(get('/v1/receipts', secret), get('/v1/receipts', unknown))
      expect(status).toBe(401)
      expect(headers.get('www-authenticate')).toContain('Bearer')
    }
  })

  it('keys that expire in the cache are looked up like unknown ones', async () => {
    const expires = Date.now() + 1_500
    const secret = await stored({ expires_at: new Date(expires).toISOString() })
    expect((await get('/v1/receipts', secret)()).status).toBe(200)
    await new Promise((resolve) => setTimeout(resolve, expires - Date.now() + 20))
    await expectAlike(get('/v1/receipts', secret), get('/v1/receipts', newSecret()))
  })

  it('the use of a refused key is not recorded', async () => {
    const secret = await stored({ revoked_at: '2001-01-01T00:00:00.000Z' })
    await get('/v1/receipts', secret)()
    const [key] = await store.documents.find(keys, { where: { hash: hashOf(secret) }, limit: 1 })
    expect(key?.last_used_at).toBeNull()
    const valid = await stored({})
    await get('/v1/receipts', valid)()
    const used = async () => (await store.documents.find(keys, { where: { hash: hashOf(valid) }, limit: 1 }))[0]
    await expect.poll(async () => (await used())?.last_used_at).not.toBeNull()
  })

  it('keys without the scope admin get 403, whether the key that they name exists or not', async () => {
    const { body } = await get('/admin/keys', serving.adminKey)()
    const revoke = (id: string) => () => send(serving.url, 'DELETE', `/admin/keys/${id}`, { key: ann })
    const { status } = told(await revoke(body.items[0].id)())
    expect(status).toBe(403)
    expect(told(await revoke(body.items[0].id)())).toEqual(told(await revoke(missing)()))
  })
})

describe('engines in trouble', () => {
  const [user, password] = ['service-account', 'hunter2-hunter2']
  const at = (scheme: string) => `${scheme}://${user}:${password}@127.0.0.1:1`
  /** Addresses, credentials and driver messages of engines. */
  const inside = [user, password, '127.0.0.1', 'localhost', 'ECONNREFUSED', 'connect ', tmpdir()]
  let broken: Serving

  beforeAll(async () => {
    broken = await serve({ env: { REDIS_URL: at('redis'), ELASTICSEARCH_URL: at('http') } })
  })
  afterAll(() => broken.stop())

  it('readyz names the engine and the kind of its trouble, and the log has the reason', async () => {
    const ready = await send(broken.url, 'GET', '/readyz')
    expect(ready.body.engines).toEqual({
      documents: null,
      queue: 'redis: unreachable',
      search: 'elasticsearch: unreachable',
    })
    expect(ready.body.problems).toEqual(['queue: redis: unreachable', 'search: elasticsearch: unreachable'])
    const metrics = await send(broken.url, 'GET', '/metrics', { key: broken.adminKey })
    expect(metrics.body).toContain('precedent_engine_well{port="queue"} 0')
    for (const told of [JSON.stringify(ready.body), metrics.body]) {
      for (const one of inside) expect(told).not.toContain(one)
    }
    const lines = broken.logged.filter((line) => line.includes('engine unavailable'))
    expect(lines.map((line) => JSON.parse(line).port).sort()).toEqual(['queue', 'search'])
    expect(lines.join()).toContain('ECONNREFUSED')
  })

  it('no error response names an engine', async () => {
    const key = broken.adminKey
    await write(broken.url, memories, { key, body: { kind: 'fact', content: 'Tides come twice.' } })
    const ask = () => send(broken.url, 'POST', '/v1/context/search', { key, body: { q: 'tides' } })
    await expect.poll(async () => (await ask()).status, { timeout: 30_000 }).toBe(503)
    const search = await ask()
    const shown = JSON.stringify([...search.headers, search.body])
    for (const one of inside) expect(shown).not.toContain(one)
  })

  it('readyz names the kind of trouble while the service waits for an engine', async () => {
    const folder = temporaryFolder('precedent-waits-')
    const env = { PRECEDENT_DATA_DIR: folder, MONGODB_URL: at('mongodb'), PORT: '24431', PRECEDENT_LOG_LEVEL: 'silent' }
    const running = run('web', load(env))
    try {
      const ready = () => send('http://127.0.0.1:24431', 'GET', '/readyz').catch(() => undefined)
      await expect.poll(async () => (await ready())?.status, { timeout: 60_000 }).toBe(503)
      const shown = async () => JSON.stringify((await ready())?.body)
      // until the first attempt has failed, it says only that the service is starting
      await expect.poll(shown, { timeout: 60_000 }).toContain('documents: mongodb: unreachable')
      const body = await shown()
      for (const one of inside) expect(body).not.toContain(one)
    } finally {
      await running.stop()
    }
  })
})

describe('log lines', () => {
  it('log lines contain no document that a driver attaches to its error', () => {
    const lines: string[] = []
    const log = pino({ serializers: { err: serializedError } }, { write: (line: string) => void lines.push(line) })
    const refused = new MongoBulkWriteError(
      { message: 'E11000 duplicate key', code: 11_000, writeErrors: [] },
      {} as never,
    )
    Object.assign(refused, { writeErrors: [{ err: { op: { text: 'Bob sings at night.' } } }] })
    log.error({ err: refused }, 'request failed')
    expect(lines.join()).toContain('E11000')
    expect(lines.join()).not.toContain('Bob sings')
  })

  it('log lines of requests contain no text of a caller, whether the request is refused or not', async () => {
    const text = `said by ${randomUUID()}`
    await post(memories, ann, { kind: 'fact', content: text })()
    await post(memories, ann, { kind: 'rumour', content: text, [text]: 1 })()
    await get(`/v1/context/brief?query=${encodeURIComponent(text)}`, ann)()
    expect(serving.logged.join()).not.toContain(text)
    expect(serving.logged.join()).not.toContain(encodeURIComponent(text))
  })
})

describe('a store of the previous version', () => {
  it('missing database indexes are created when a store of the previous version is opened', async () => {
    const before = [
      { ...receipts, indexes: [['workspace', 'batch_id', 'id']] },
      { ...records, indexes: [['workspace', 'record_id', 'accepted']] },
      { ...keys, indexes: [['workspace', 'id']] },
    ] as const
    const place = await newStore()
    const folder = temporaryFolder('precedent-old-')
    try {
      const made = await openStore(place.env, folder)
      await made.documents.declare(before)
      await made.close()
      const { documents, close } = await openStore(place.env, folder)
      await documents.declare(collections)
      const none = { limit: 1 } as const
      expect(await documents.find(receipts, { where: { workspace: 'w', owner: 'o', batch_id: 'b' }, ...none })).toEqual(
        [],
      )
      expect(await documents.get(receipts, missing, ['id'], { workspace: 'w', owner: 'o' })).toBeUndefined()
      const where = { workspace: 'w', record_id: missing, audience: { in: ['workspace'] } }
      expect(await documents.find(records, { where, ...none })).toEqual([])
      expect(await documents.find(keys, { where: { hash: 'h', revoked_at: null, expires_at: null }, ...none })).toEqual(
        [],
      )
      await close()
    } finally {
      await place.drop()
    }
  })

  async function openStore(env: Record<string, string>, folder: string) {
    if (profile === 'scaled') {
      const documents = await mongoDocuments({ url: env.MONGODB_URL as string })
      return { documents, close: () => documents.close() }
    }
    const sqlite = openSqlite({ path: join(folder, 'precedent.sqlite') })
    return { documents: sqliteDocuments(sqlite), close: () => sqlite.close() }
  }
})
