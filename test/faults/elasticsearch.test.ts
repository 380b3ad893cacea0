/** Elasticsearch frozen, killed, too busy for one item in a hundred, and refusing documents for good. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ElasticProxy, proxyBefore } from '../adapters/elasticsearch/proxy.ts'
import { applied, type Caller, call, type ReceiptBody } from '../support/http.ts'
import type { Started } from '../support/service.ts'
import { full } from '../support/size.ts'
import { skipIf } from '../support/skip.ts'
import { type Cluster, missingFor, startCluster } from './cluster.ts'
import { allAppliedOnce, type Load, recovery, sleep, toldOf, underLoad } from './load.ts'
import { answersWithoutSearch, answersWithSearch, knownIn } from './without-search.ts'

/** ms */
const frozen = full ? 60_000 : 8_000
const away = full ? 60_000 : 3_000
/** ms between two writes of a writer. */
const pause = full ? 1_000 : 2_500
const busyWrites = full ? 5_000 : 400
/** Documents to search for once all writes are applied. */
const sampled = 20

const memories = '/v1/context/memories'
const search = '/v1/context/search'

describe('Elasticsearch', skipIf(missingFor(['elasticsearch'])), () => {
  let cluster: Cluster
  let web: Started
  beforeAll(async () => {
    cluster = await startCluster(['elasticsearch'], ['web', 'web', 'apply', 'apply', 'index', 'index', 'maintain'])
    web = cluster.webs[0] as Started
  }, 240_000)
  afterAll(() => cluster?.close(), 60_000)

  it(`writes are accepted and reads without search succeed while Elasticsearch is frozen for ${frozen / 1000} s under load`, async () => {
    const { pid } = cluster.engine('elasticsearch')
    const known = await knownIn(web, 'heligoland')
    const load = underLoad(cluster.webs, 'search-frozen', { every: pause })
    await sleep(1_000)
    let taken: string[] = []
    process.kill(pid, 'SIGSTOP')
    const stopped = Date.now()
    try {
      taken = await answersWithoutSearch(web, known)
      await sleep(Math.max(0, stopped + frozen - Date.now()))
    } finally {
      process.kill(pid, 'SIGCONT')
    }
    await recovers(load, () => `Elasticsearch frozen for ${frozen} ms`)
    await answersWithSearch(web, known, taken)
  }, 300_000)

  it(`writes are accepted and reads without search succeed while Elasticsearch is killed and restarted after ${away / 1000} s`, async () => {
    const engine = cluster.engine('elasticsearch')
    const known = await knownIn(web, 'rotterdam')
    const load = underLoad(cluster.webs, 'search-killed', { every: pause })
    await sleep(1_000)
    let taken: string[] = []
    process.kill(engine.pid, 'SIGKILL')
    const killed = Date.now()
    try {
      taken = await answersWithoutSearch(web, known)
      await sleep(Math.max(0, killed + away - Date.now()))
    } finally {
      await engine.stop()
      await engine.start()
    }
    const took = Date.now() - killed
    await recovers(load, () => `Elasticsearch killed, and away for ${took} ms`)
    await answersWithSearch(web, known, taken)
  }, 400_000)

  describe('behind a proxy', () => {
    let proxy: ElasticProxy
    let workers: Started[]
    beforeAll(async () => {
      proxy = await proxyBefore(cluster.engine('elasticsearch').url)
      for (const worker of cluster.of('index')) expect(await worker.stop()).toBe(0)
      const env = { ELASTICSEARCH_URL: proxy.url }
      workers = [await cluster.start('index', env), await cluster.start('index', env)]
    }, 120_000)
    afterAll(() => proxy?.close())

    it('every document is indexed completely if Elasticsearch refuses 1 item in 100 as too busy', async () => {
      let items = 0
      let refused = 0
      proxy.rules.item = () => {
        if (++items % 100 !== 0) return undefined
        refused++
        return { status: 429, error: { type: 'es_rejected_execution_exception', reason: 'the queue is full' } }
      }
      const load = underLoad(cluster.webs, 'search-busy', { most: busyWrites })
      await expect.poll(() => load.acknowledged.size, { timeout: 120_000 }).toBeGreaterThanOrEqual(busyWrites)
      await recovers(load, () => `429 for ${refused} items`)
      expect(refused).toBeGreaterThanOrEqual(Math.floor(busyWrites / 100))
      expect(await reducedBy(workers)).toBe(0)
    }, 300_000)

    it('every write is applied if Elasticsearch permanently refuses two documents, one even in its reduced form', async () => {
      proxy.rules.item = (_, source) =>
        source.includes(inFull) || source.includes(inAnyForm)
          ? { status: 400, error: { type: 'mapper_parsing_exception', reason: 'failed to parse' } }
          : undefined
      const load = underLoad(cluster.webs, 'search-refusing', { most: 100 })
      const long = `The quarry is closed. ${'It stays as it was. '.repeat(600)}`
      const [reduced, lost] = await Promise.all([
        ended(web, 'refused-in-full', { title: 'A quarry', content: `${long} ${inFull}` }),
        ended(web, 'refused-in-any-form', { title: inAnyForm, content: long }),
      ])
      await recovers(load, () => 'two documents refused for good')
      const ids = [reduced, lost].map(({ entity }) => entity?.id as string)

      expect([reduced.state, lost.state]).toEqual(['applied', 'applied'])
      expect(await foundBy(web, 'quarry')).toEqual([ids[0]])
      expect(await foundBy(web, inFull)).toEqual([])
      for (const id of ids) expect((await call(web, 'GET', `${memories}/${id}`)).status).toBe(200)
      // operators see both in metrics and log: how many, and which
      expect(await reducedBy(workers)).toBeGreaterThanOrEqual(2)
      expect(
        new Set(recordsIn(workers, 'document refused by the search engine; not all of its text is searchable')),
      ).toEqual(new Set(ids))
      expect(
        new Set(recordsIn(workers, 'Elasticsearch refused the document, also in reduced form; it is not searchable')),
      ).toEqual(new Set([ids[1]]))

      // Elasticsearch accepts them again, and an operator rebuilds the index as the log advises
      proxy.rules = {}
      expect((await call(web, 'POST', '/admin/reindex', {})).status).toBe(202)
      await expect.poll(() => foundBy(web, inFull), { timeout: 60_000 }).toEqual([ids[0]])
      expect(new Set(await foundBy(web, 'quarry'))).toEqual(new Set(ids))
    }, 300_000)
  })

  /** Acknowledged writes are applied once within the promised time and found by search, and no caller was refused. */
  async function recovers(load: Load, what: () => string): Promise<void> {
    const back = Date.now()
    await load.stop()
    await allAppliedOnce(web, [load], back + recovery)
    const took = Date.now() - back
    await areFound(cluster.webs[1] as Started, load)
    console.log(`${what()}: ${load.acknowledged.size} writes, told ${toldOf([load])}, all applied ${took} ms later`)
    expect([...load.told.keys()].filter((status) => status !== 200 && status !== 202)).toEqual([])
  }
})

/** The proxy refuses documents that contain these words. */
const inFull = 'krakatoa'
const inAnyForm = 'popocatepetl'

async function ended(caller: Caller, key: string, body: object): Promise<ReceiptBody> {
  return applied(caller, memories, key, { kind: 'fact', ...body })
}

/** Searches for some of them by title. */
async function areFound(caller: Caller, { acknowledged }: Load): Promise<void> {
  const titles = [...acknowledged.values()].map(({ title }) => title)
  const step = Math.max(1, Math.floor(titles.length / sampled))
  for (let at = 0; at < titles.length; at += step) {
    const title = titles[at] as string
    expect((await hitsOf(caller, title)).map((hit) => hit.title)).toContain(title)
  }
}

async function foundBy(caller: Caller, q: string): Promise<string[]> {
  return (await hitsOf(caller, q)).map(({ id }) => id)
}

async function hitsOf(caller: Caller, q: string): Promise<{ id: string; title: string }[]> {
  const { status, body } = await call<{ items: { id: string; title: string }[] }>(caller, 'POST', search, {
    q,
    limit: 50,
  })
  expect(status).toBe(200)
  return body.items
}

/** The number of documents refused in their full form, from the workers' metrics. */
async function reducedBy(workers: readonly Started[]): Promise<number> {
  let sum = 0
  for (const { url } of workers) {
    const text = await (await fetch(`${url}/metrics`)).text()
    sum += Number(/^precedent_documents_reduced_total (\d+)$/m.exec(text)?.[1])
  }
  return sum
}

/** The records named in log lines with this message. */
function recordsIn(workers: readonly Started[], message: string): string[] {
  const lines = workers.flatMap((worker) => worker.log().split('\n'))
  return lines.filter((line) => line.includes(message)).map((line) => (JSON.parse(line) as { record: string }).record)
}
