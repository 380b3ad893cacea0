/** Several processes of each kind that start at once on an empty store. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeTenants } from '../../bench/tenants.ts'
import { type Caller, call, type ReceiptBody, syncAll, write } from '../../support/http.ts'
import { adminKey, newDataDir, removeData, type Started, startService, storeOf } from '../../support/service.ts'

type Kind = 'web' | 'apply' | 'index' | 'maintain'
const begun: readonly Kind[] = ['web', 'web', 'apply', 'apply', 'apply', 'apply', 'index', 'index', 'maintain']
const writers = 16
/** ms. Acknowledged writes are applied within this time, even on a busy machine. */
const promised = 90_000

describe('two webs, four apply, two index and one maintain on one store', () => {
  const dataDir = newDataDir()
  const processes: Started[] = []
  let webs: [Started, Started]
  const web = (number: number): Started => webs[number % 2] as Started

  beforeAll(async () => {
    const env = { PRECEDENT_PROFILE: 'scaled', PRECEDENT_HEALTH_PORT: '0' }
    processes.push(...(await Promise.all(begun.map((kind) => startService({ kind, dataDir, env })))))
    webs = [processes[0] as Started, processes[1] as Started]
  }, 240_000)

  afterAll(async () => {
    await Promise.all(processes.map((one) => one.kill()))
    await removeData(dataDir)
  })

  it('processes that start at once on an empty store create one store, and both webs know its first key', async () => {
    for (const { url } of webs) {
      const { status, body } = await call<{ items: { name: string }[] }>(callerAt(url), 'GET', '/admin/keys')
      expect(status).toBe(200)
      expect(body.items.map(({ name }) => name)).toEqual(['first start'])
      expect((await call(callerAt(url), 'GET', '/readyz')).status).toBe(200)
    }
  })

  it('every process answers /readyz, and only webs serve callers', async () => {
    for (const [at, { url }] of processes.entries()) {
      expect((await call(callerAt(url), 'GET', '/livez')).status).toBe(200)
      expect(await call(callerAt(url), 'GET', '/readyz')).toMatchObject({ status: 200, body: { problems: [] } })
      expect((await call(callerAt(url), 'GET', '/v1/receipts')).status).toBe(begun[at] === 'web' ? 200 : 404)
    }
  })

  it('each write to one workspace is applied once, and a sync reader misses none', async () => {
    const following = follow(callerAt(web(0).url))
    const titles = await writeAll(160, (number) => callerAt(web(number).url), 'one')
    for (const { url } of webs) {
      expect((await syncAll(callerAt(url))).map(({ title }) => title).sort()).toEqual(titles)
    }
    expect([...(await following.end())].sort()).toEqual(titles)
  }, 240_000)

  it('each write to a hundred workspaces is applied once, and each workspace sees only its own', async () => {
    const keys = await makeTenants(await storeOf(dataDir), 100)
    const titles = await writeAll(200, (number) => callerAt(web(number).url, keys[number % 100]), 'many')
    const seen = await Promise.all(keys.map((key, at) => syncAll(callerAt(web(at).url, key))))
    expect(seen.map((changes) => changes.length)).toEqual(keys.map(() => 2))
    expect(seen.flatMap((changes) => changes.map(({ title }) => title)).sort()).toEqual(titles)
    // processes of a kind share the work
    for (const [kind, did] of [
      ['apply', 'entry appended'],
      ['index', 'receipts applied'],
    ] as const) {
      const shares = processes.filter((_, at) => begun[at] === kind).map((one) => one.log().split(did).length - 1)
      console.log(`${kind}: ${shares.join(', ')} times “${did}”`)
      expect(shares.filter((share) => share > 0).length).toBeGreaterThan(1)
    }
  }, 240_000)

  it('an idempotency key that is sent a hundred times at once through both webs gets one receipt', async () => {
    const body = { kind: 'fact', content: 'The harbour closes at ten.', title: 'a hundred times' }
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, at) =>
        write(callerAt(web(at).url), '/v1/context/memories', 'one-key-a-hundred-times', body),
      ),
    )
    expect(new Set(answers.map(({ status }) => status).filter((status) => status !== 200 && status !== 202))).toEqual(
      new Set(),
    )
    expect(new Set(answers.map(({ body }) => body.receipt_id)).size).toBe(1)
    const id = answers[0]?.body.receipt_id as string
    const ended = await endOf(callerAt(web(1).url), id)
    expect(ended.state).toBe('applied')
    const shown = (await syncAll(callerAt(web(0).url))).filter(({ title }) => title === 'a hundred times')
    expect(shown.map((change) => change.id)).toEqual([ended.entity?.id])
  })

  it('a caller that waits at one web sees a write of the other web applied, and search there finds it', async () => {
    const body = { kind: 'fact', content: 'Lanterns are lit by the zanzibar committee.' }
    const accepted = await write(callerAt(web(0).url), '/v1/context/memories', 'wait-elsewhere', body)
    const ended = await endOf(callerAt(web(1).url), accepted.body.receipt_id)
    expect(ended.state).toBe('applied')
    for (const { url } of webs) {
      const found = await call<{ items: { source: { id: string } }[] }>(callerAt(url), 'POST', '/v1/context/search', {
        q: 'zanzibar committee',
      })
      expect(found.body.items[0]?.source.id).toBe(ended.entity?.id)
    }
  })

  it('each process ends with exit code 0 on SIGTERM', async () => {
    expect(await Promise.all(processes.map((one) => one.stop()))).toEqual(begun.map(() => 0))
    for (const one of processes) expect(one.log()).toContain('"ended":true')
  })
})

describe('without Redis', () => {
  const dataDir = newDataDir()
  const processes: Started[] = []
  afterAll(async () => {
    await Promise.all(processes.map((one) => one.kill()))
    await removeData(dataDir)
  })

  it('apply and index find their work by polling if there is no Redis', async () => {
    const env = { REDIS_URL: '' }
    const kinds: Kind[] = ['web', 'apply', 'index']
    processes.push(...(await Promise.all(kinds.map((kind) => startService({ kind, dataDir, env })))))
    const caller = callerAt((processes[0] as Started).url)
    for (const number of [1, 2]) {
      const body = { kind: 'fact', content: `Found without a wake-up, ${number}.` }
      const accepted = await write(caller, '/v1/context/memories', `unwoken-${number}`, body)
      expect((await endOf(caller, accepted.body.receipt_id)).state).toBe('applied')
    }
  })
})

function callerAt(url: string, key: string | undefined = adminKey): Caller {
  return { url, key }
}

/** Writes facts and decisions in turn, and waits until each is applied. Returns the sorted titles. */
async function writeAll(count: number, callerOf: (number: number) => Caller, name: string): Promise<string[]> {
  const titles: string[] = []
  let next = 0
  const receipts: { caller: Caller; id: string }[] = []
  const one = async () => {
    while (next < count) {
      const number = next++
      const title = `${name} ${number}`
      const text = `What ${title} says about quay ${number % 7}.`
      const [path, body] =
        number % 3 === 0
          ? ['/v1/decisions', { title, judgment: text, external_id: title }]
          : ['/v1/context/memories', { kind: 'fact', title, content: text }]
      const caller = callerOf(number)
      const { status, body: receipt } = await write(caller, path as string, `key-of-${name}-${number}`, body)
      expect(status, JSON.stringify(receipt)).toBe(202)
      titles.push(title)
      receipts.push({ caller, id: receipt.receipt_id })
    }
  }
  await Promise.all(Array.from({ length: writers }, one))
  const ended = await Promise.all(receipts.map(({ caller, id }) => endOf(caller, id)))
  expect(new Set(ended.map(({ state }) => state))).toEqual(new Set(['applied']))
  return titles.sort()
}

/** The receipt after it has ended, or its state after the promised time. */
async function endOf(caller: Caller, id: string): Promise<ReceiptBody> {
  for (const until = Date.now() + promised; ; ) {
    const { body } = await call<ReceiptBody>(caller, 'GET', `/v1/receipts/${id}?wait=30`)
    if (!['accepted', 'processing'].includes(body.state) || Date.now() > until) return body
  }
}

/** Follows the feed and keeps the titles. */
function follow(caller: Caller) {
  const seen = new Set<string>()
  let going = true
  const reading = (async () => {
    let cursor: string | undefined
    for (let more = true; going || more; ) {
      const { body } = await call<{
        cursor: string
        has_more: boolean
        changes: Record<'knowledge' | 'decisions', { title: string }[]>
      }>(caller, 'POST', '/v1/context/sync', { limit: 20, ...(cursor === undefined ? {} : { cursor }) })
      for (const { title } of [...body.changes.knowledge, ...body.changes.decisions]) seen.add(title)
      cursor = body.cursor
      more = body.has_more
      if (!more) await new Promise((resolve) => setTimeout(resolve, 150))
    }
  })()
  return {
    async end() {
      going = false
      await reading
      return seen
    },
  }
}
