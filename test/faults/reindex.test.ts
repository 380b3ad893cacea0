/** An index built anew under load, whose maintain process ends or freezes in the midst of it. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ElasticProxy, proxyBefore } from '../adapters/elasticsearch/proxy.ts'
import { applied, type Caller, call, syncAll } from '../support/http.ts'
import type { Started } from '../support/service.ts'
import { type Cluster, missing, startCluster } from './cluster.ts'
import { allAppliedOnce, full, sleep, toldOf, underLoad } from './load.ts'

/** Records that are there before, each of which every search finds. */
const known = 40
/** ms between two writes of a writer */
const pause = 800
/** Written under load, of which a search is asked for afterwards. */
const sampled = 30
/** ms. One that is silent for a minute is given up, which is looked for every 5 s. */
const rebuiltWithin = 180_000

describe.skipIf(missing !== undefined)(`reindex ${missing ?? ''}`, () => {
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
  }, 60_000)

  it('goes on in another maintain where the first is ended while it copies; search never lacks what was there', async () => {
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

  it.runIf(full)(
    'is begun anew where its maintain froze; which does no harm when it goes on',
    async () => {
      for (const one of cluster.of('maintain')) await one.kill()
      const first = await cluster.start('maintain', { ELASTICSEARCH_URL: proxy.url })
      await underLoadWhile('frozen', async () => {
        // the first one is before it is filled
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
    },
    600_000,
  )

  /** How many records an index holds, as Elasticsearch itself tells. */
  async function documentsIn(index: string): Promise<number> {
    const { ELASTICSEARCH_URL: url, PRECEDENT_PREFIX: prefix } = cluster.env
    const answer = await fetch(`${url}/${prefix}-${index}-*/_count?q=_exists_:audience`)
    return ((await answer.json()) as { count: number }).count
  }

  /** Writes and searches all the time; afterwards an index serves that was built meanwhile, and holds everything. */
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
    // all of it, and nothing twice
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

/** Requests whose path holds this wait until they are released, from the n-th on. */
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

/** None is asked for or under way any more. */
async function rebuilt(caller: Caller): Promise<void> {
  const open = async () => (await rebuildsOf(caller)).filter(({ state }) => state === 'asked' || state === 'filling')
  await expect.poll(open, { timeout: rebuiltWithin, interval: 200 }).toEqual([])
}

async function rebuildsOf(caller: Caller): Promise<{ index: string; state: string }[]> {
  const { status, body } = await call<{ items: { index: string; state: string }[] }>(caller, 'GET', '/admin/reindex')
  expect(status).toBe(200)
  return body.items
}

/** Each of the known by turns: found, always. */
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
  // told when it is ended
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
