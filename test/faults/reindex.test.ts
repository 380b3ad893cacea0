/** Rebuilding an index under load while its maintain process stops or freezes. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ElasticProxy, proxyBefore } from '../adapters/elasticsearch/proxy.ts'
import { applied, type Caller, call, syncAll } from '../support/http.ts'
import type { Started } from '../support/service.ts'
import { full } from '../support/size.ts'
import { skipIf } from '../support/skip.ts'
import { type Cluster, missingFor, startCluster } from './cluster.ts'
import { allAppliedOnce, sleep, toldOf, underLoad } from './load.ts'

/** Records written before the rebuild. Every search must find each of them. */
const known = 40
/** ms between two writes of a writer */
const pause = 800
/** Records written under load to search for afterwards. */
const sampled = 30
/** ms. A rebuild without a heartbeat for a minute is abandoned; maintain checks every 5 s. */
const rebuiltWithin = 180_000

describe('reindex', skipIf(missingFor([])), () => {
  let cluster: Cluster
  let proxy: ElasticProxy
  let web: Started
  beforeAll(async () => {
    cluster = await startCluster([], ['web', 'web', 'apply', 'apply', 'index', 'index'])
    web = cluster.webs[0] as Started
    proxy = await proxyBefore(cluster.env.ELASTICSEARCH_URL as string)
    const numbers = Array.from({ length: known }, (_, number) => number)
    await Promise.all(
      numbers.map((number) =>
        applied(web, '/v1/context/memories', `known-dyke-${number}`, {
          kind: 'fact',
          content: `Dyke ${number} is old.`,
        }),
      ),
    )
  }, 240_000)
  afterAll(async () => {
    await cluster?.close()
    await proxy?.close()
  })

  it('another maintain continues a rebuild if the first stops while copying, and search always finds every old record', async () => {
    const first = await cluster.start('maintain', { ELASTICSEARCH_URL: proxy.url })
    await underLoadWhile('ended', async () => {
      const held = hold(proxy, '/_bulk')
      await ask(web)
      await held.reached
      const ended = first.stop()
      held.release()
      expect(await ended).toBe(0)
      await cluster.start('maintain')
    })
  }, 300_000)

  it('another maintain restarts a rebuild whose maintain is frozen, and nothing breaks when the first one wakes up', {
    ...skipIf(full ? undefined : 'only npm run faults runs it'),
    timeout: 600_000,
  }, async () => {
    for (const one of cluster.of('maintain')) await one.kill()
    const first = await cluster.start('maintain', { ELASTICSEARCH_URL: proxy.url })
    await underLoadWhile('frozen', async () => {
      // the first refresh comes before the index is filled
      const held = hold(proxy, '/_refresh', 2)
      await ask(web)
      await held.reached
      first.child.kill('SIGSTOP')
      held.release()
      await cluster.start('maintain')
      await rebuilt(web)
      first.child.kill('SIGCONT')
      await expect.poll(() => first.log(), { timeout: 60_000 }).toContain('rebuilding indexes failed')
    })
  })

  /** The number of records in an index, from Elasticsearch. */
  async function documentsIn(index: string): Promise<number> {
    const { ELASTICSEARCH_URL: url, PRECEDENT_PREFIX: prefix } = cluster.env
    const answer = await fetch(`${url}/${prefix}-${index}-*/_count?q=_exists_:audience`)
    return ((await answer.json()) as { count: number }).count
  }

  /** Writes and searches during `work`. Afterwards the live index is a new one and contains every record. */
  async function underLoadWhile(name: string, happens: () => Promise<void>): Promise<void> {
    const before = (await rebuildsOf(web)).map(({ index }) => index)
    const load = underLoad(cluster.webs, `reindex-${name}`, { every: pause })
    const searching = searchAllTheTime(cluster.webs[1] as Started)
    const began = Date.now()
    try {
      await happens()
      await rebuilt(web)
    } finally {
      proxy.rules = {}
      await searching.end()
      await load.stop()
    }
    const took = Date.now() - began
    await allAppliedOnce(web, [load])
    const [live] = (await rebuildsOf(web)).filter(({ state }) => state === 'live')
    expect(before).not.toContain(live?.index)
    // every record exactly once
    expect(await documentsIn(live?.index as string)).toBe((await syncAll(web)).length)
    const titles = [...load.acknowledged.values()].map(({ title }) => title)
    for (let at = 0; at < titles.length; at += Math.ceil(titles.length / sampled)) {
      expect(await titlesFor(web, titles[at] as string)).toContain(titles[at])
    }
    console.log(
      `reindex, ${name}: ${load.acknowledged.size} writes, told ${toldOf([load])}, ${searching.count()} searches, rebuilt after ${took} ms`,
    )
    expect([...load.told.keys()].filter((status) => status !== 200 && status !== 202)).toEqual([])
  }
})

/** Delays requests whose path contains this until they are released, from the n-th on. */
function hold(proxy: ElasticProxy, path: string, nth = 1) {
  let asked = 0
  let release: () => void = () => {}
  let reach: () => void = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  const reached = new Promise<void>((resolve) => {
    reach = resolve
  })
  proxy.rules.request = async (requested) => {
    if (!requested.includes(path) || ++asked < nth) return undefined
    reach()
    await released
    return undefined
  }
  return { reached, release }
}

async function ask(caller: Caller): Promise<void> {
  expect(await call(caller, 'POST', '/admin/reindex', {})).toMatchObject({
    status: 202,
    body: { items: [{ state: 'asked' }] },
  })
}

/** Waits until no rebuild is requested or running. */
async function rebuilt(caller: Caller): Promise<void> {
  const open = async () => (await rebuildsOf(caller)).filter(({ state }) => state === 'asked' || state === 'filling')
  await expect.poll(open, { timeout: rebuiltWithin, interval: 200 }).toEqual([])
}

async function rebuildsOf(caller: Caller): Promise<{ index: string; state: string }[]> {
  const { status, body } = await call<{ items: { index: string; state: string }[] }>(caller, 'GET', '/admin/reindex')
  expect(status).toBe(200)
  return body.items
}

/** Searches for the old records in turn. Each must be found. */
function searchAllTheTime(caller: Caller) {
  let going = true
  let count = 0
  const searching = (async () => {
    for (; going; count++) {
      const claim = `Dyke ${count % known} is old.`
      expect(await titlesFor(caller, claim)).toContain(claim)
      await sleep(20)
    }
  })()
  // end() reports it
  searching.catch(() => {})
  return {
    count: () => count,
    async end() {
      going = false
      await searching
    },
  }
}

async function titlesFor(caller: Caller, q: string): Promise<string[]> {
  const { status, body } = await call<{ items: { title: string }[] }>(caller, 'POST', '/v1/context/search', {
    q,
    limit: 50,
  })
  expect(status, JSON.stringify(body)).toBe(200)
  return body.items.map(({ title }) => title)
}
