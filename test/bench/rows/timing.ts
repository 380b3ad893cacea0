/**
 * Tests whether response times reveal hidden records. Compares requests that name a hidden record with the same
 * requests that name a missing one, in random order on one connection. On SQLite, and on servers if possible.
 */
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { call } from '../../support/http.ts'
import { type Client, get, openClient, post, successful, type Target } from '../client.ts'
import { inFolder, withService } from '../processes.ts'
import { rankSumZ } from '../rank-sum.ts'
import { median, type Row, row } from '../row.ts'
import { whyNone, withServers } from '../servers.ts'

const samples = 1_500
/** Requests of each kind before the measurement, so that V8 has compiled the hot code. */
const warmUp = 300
/** Hidden records of the other user; the requests name them in turn. */
const hidden = 50
/** Standard deviations. One case in 370 exceeds it by chance. */
const goal = { at_most: 3 }
/** ms until the keys expire. Longer than it takes to make all of them. */
const keysLast = 5_000
const servers = ['mongodb', 'redis', 'elasticsearch'] as const

export async function* timing(): AsyncIterable<Row> {
  yield* await withService((service) => rowsOn('embedded', service))
  const reason = whyNone(servers)
  if (reason !== undefined) {
    process.stderr.write(`  scaled was skipped: ${reason}\n`)
    return
  }
  yield* await withServers(servers, (urls) =>
    inFolder(async () => {
      const env = {
        PRECEDENT_PROFILE: 'scaled',
        MONGODB_URL: `${urls.mongodb}/timing`,
        REDIS_URL: urls.redis,
        ELASTICSEARCH_URL: urls.elasticsearch,
      }
      return withService((service) => rowsOn('scaled', service), { env })
    }),
  )
}

/** A request that names a hidden record, and one that names a missing record. */
type Case = (n: number) => [hidden: string, missing: string]

async function rowsOn(profile: string, service: Target): Promise<Row[]> {
  const client = await openClient(service)
  const cases = await casesOn(client, service)
  const rows: Row[] = []
  for (const [name, requests] of Object.entries(cases)) {
    const [a, b] = await timesOf(client, requests)
    const z = Math.abs(rankSumZ(a, b))
    const [ours, none] = [a, b].map((times) => median(times) * 1000) as [number, number]
    rows.push(row(`timing_${profile}_${name}`, z, '|z|', goal))
    rows.push(row(`timing_${profile}_${name}_median`, ours, 'µs', null, none))
  }
  client.close()
  return rows
}

/** Milliseconds of each kind. The order of each pair is random, so that other load on the machine affects both. */
async function timesOf(client: Client, requests: Case): Promise<[number[], number[]]> {
  const times: [number[], number[]] = [[], []]
  for (let n = 0; n < warmUp + samples; n++) {
    const pair = requests(n)
    const first = Math.random() < 0.5 ? 0 : 1
    for (const kind of [first, 1 - first] as (0 | 1)[]) {
      const began = performance.now()
      await client.send(pair[kind])
      const took = performance.now() - began
      if (n >= warmUp) times[kind].push(took)
    }
  }
  return times
}

async function casesOn(client: Client, service: Target): Promise<Record<string, Case>> {
  const scopes = ['context:read', 'context:write']
  const [ann, bob] = [
    await keyOf(client, service, { scopes, user: 'ann' }),
    await keyOf(client, service, { scopes, user: 'bob' }),
  ]
  const asAnn = { ...service, key: ann.key }
  const asBob = { ...service, key: bob.key }
  await writeAll(client, asAnn, '/v1/context/memories', (n) => ({ kind: 'fact', content: `Ann has note ${n}.` }), 1)
  const memories = await writeAll(client, asBob, '/v1/context/memories', (n) => ({
    kind: 'fact',
    content: `I think note ${n} is his.`,
  }))
  const decisions = await writeAll(client, asBob, '/v1/decisions', (n) => ({
    title: `Note ${n}`,
    judgment: `Bob keeps ${n}.`,
  }))
  const batch = await batchOf(client, asBob)
  const revoked = await revokedKeys(client, service)
  const expired = await expiredKeys(client, service)
  let writes = 0
  const key = () => ({ 'Idempotency-Key': `timing-${writes++}` })
  const both =
    (ids: readonly string[], request: (id: string) => string): Case =>
    (n) => {
      const id = ids[n % ids.length] as string
      return [request(id), request(missingLike(id))]
    }
  const correct = (id: string) =>
    post(
      asAnn,
      '/v1/context/memories',
      JSON.stringify({ kind: 'correction', content: 'No.', corrects_memory_id: id }),
      key(),
    )
  const supersede = (id: string) =>
    post(asAnn, '/v1/decisions', JSON.stringify({ title: 'No', judgment: 'No.', supersedes: [id] }), key())
  const list =
    (keys: readonly string[]): Case =>
    (n) => {
      const secret = keys[n % keys.length] as string
      return [
        get({ ...service, key: secret }, '/v1/receipts'),
        get({ ...service, key: missingLike(secret) }, '/v1/receipts'),
      ]
    }
  return {
    memory: both(memories.records, (id) => get(asAnn, `/v1/context/memories/${id}`)),
    decision: both(decisions.records, (id) => get(asAnn, `/v1/decisions/${id}`)),
    correction: both(memories.records, correct),
    supersession: both(decisions.records, supersede),
    receipt: both(memories.receipts, (id) => get(asAnn, `/v1/receipts/${id}`)),
    batch: both([batch], (id) => get(asAnn, `/v1/receipts?batch_id=${id}`)),
    revoked_key: list(revoked),
    expired_key: list(expired),
  }
}

/** An id of the same form, next to `id` in every index. */
function missingLike(id: string): string {
  const last = id.at(-1) as string
  return id.slice(0, -1) + (last === '1' ? '2' : '1')
}

async function keyOf(client: Client, service: Target, wanted: object): Promise<{ id: string; key: string }> {
  const { body } = successful(
    await client.send(post(service, '/admin/keys', JSON.stringify({ name: 'timing', ...wanted }))),
  )
  return JSON.parse(body) as { id: string; key: string }
}

async function revokedKeys(client: Client, service: Target): Promise<string[]> {
  const made: string[] = []
  for (let n = 0; n < hidden; n++) {
    const { id, key } = await keyOf(client, service, { scopes: ['context:read'] })
    const { status } = await call(service, 'DELETE', `/admin/keys/${id}`)
    assert.equal(status, 204)
    made.push(key)
  }
  return made
}

/** Uses the keys before they expire, so that the service may have cached them. */
async function expiredKeys(client: Client, service: Target): Promise<string[]> {
  const expires = Date.now() + keysLast
  const made: string[] = []
  for (let n = 0; n < hidden; n++) {
    const wanted = { scopes: ['context:read'], expires_at: new Date(expires).toISOString() }
    const { key } = await keyOf(client, service, wanted)
    successful(await client.send(get({ ...service, key }, '/v1/receipts')))
    made.push(key)
  }
  await sleep(expires - Date.now())
  return made
}

async function batchOf(client: Client, service: Target): Promise<string> {
  const decisions = Array.from({ length: hidden }, (_, n) => ({
    external_id: `note-${n}`,
    title: `Imported ${n}`,
    judgment: 'Keep it.',
    visibility: { scope: 'private' },
  }))
  const sent = post(service, '/v1/decisions/batch', JSON.stringify({ decisions }), {
    'Idempotency-Key': 'timing-batch',
  })
  const { body } = successful(await client.send(sent))
  return (JSON.parse(body) as { batch_id: string }).batch_id
}

/** Writes private records, and waits until they are applied. */
async function writeAll(
  client: Client,
  service: Target,
  path: string,
  of: (n: number) => object,
  count = hidden,
): Promise<{ records: string[]; receipts: string[] }> {
  const made = { records: [] as string[], receipts: [] as string[] }
  for (let n = 0; n < count; n++) {
    const body = JSON.stringify({ ...of(n), visibility: { scope: 'private' } })
    const headers = { 'Idempotency-Key': `timing-${path}-${n}`, Prefer: 'wait=30' }
    const receipt = JSON.parse(successful(await client.send(post(service, path, body, headers))).body)
    assert.equal(receipt.state, 'applied')
    made.records.push(receipt.entity.id)
    made.receipts.push(receipt.receipt_id)
  }
  return made
}
