/** Elasticsearch frozen, killed, too busy for one item in a hundred, and refusing documents for good. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ElasticProxy, proxyBefore } from '../adapters/elasticsearch/proxy.ts'
import { applied, type Caller, call, type ReceiptBody } from '../support/http.ts'
import type { Started } from '../support/service.ts'
import { type Cluster, missing, startCluster } from './cluster.ts'
import { allAppliedOnce, full, type Load, recovery, sleep, toldOf, underLoad } from './load.ts'
import { answersWithoutSearch, answersWithSearch, knownIn } from './without-search.ts'

/** ms */
const frozen = full ? 60_000 : 8_000
const away = full ? 60_000 : 3_000
/** Between two writes of a writer. */
const pause = 1_000
const busyWrites = full ? 5_000 : 400
/** Documents of which a search is asked for after all was applied. */
const sampled = 20

const memories = '/v1/context/memories'
const search = '/v1/context/search'

describe.skipIf(missing !== undefined)(`Elasticsearch ${missing ?? ''}`, () => {
  let cluster: Cluster
  let web: Started
  beforeAll(async () => {
    cluster = await startCluster(['elasticsearch'], ['web', 'web', 'apply', 'apply', 'index', 'index', 'maintain'])
    web = cluster.webs[0] as Started
  }, 240_000)
  afterAll(() => cluster?.close(), 60_000)

  it(`frozen for ${frozen / 1000} s under load: writes are taken, and all is read that does not need it`, async () => {
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

  it(`killed, away for ${away / 1000} s and started again under load: the same`, async () => {
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

    it('too busy for one item in a hundred: each is indexed in the end, and whole', async () => {
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

    it('refusing two documents for good, one of them in any form: all else is applied, and so are they', async () => {
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
      // those who run it hear of both: how many, and which
      expect(await reducedBy(workers)).toBeGreaterThanOrEqual(2)
      expect(new Set(recordsIn(workers, 'indexed in a reduced form'))).toEqual(new Set(ids))
      expect(
        new Set(recordsIn(workers, 'Elasticsearch refused the document, also in reduced form; it is not searchable')),
      ).toEqual(new Set([ids[1]]))

      // what made it refuse them is mended: as operators are told, the index is built anew
      proxy.rules = {}
      expect((await call(web, 'POST', '/admin/reindex', {})).status).toBe(202)
      await expect.poll(() => foundBy(web, inFull), { timeout: 60_000 }).toEqual([ids[0]])
      expect(new Set(await foundBy(web, 'quarry'))).toEqual(new Set(ids))
    }, 300_000)
  })

  /** What was taken is applied within the time promised from now on, once, and found; nobody was refused meanwhile. */
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

/** Words of which a proxy knows the documents that it refuses. */
const inFull = 'krakatoa'
const inAnyForm = 'popocatepetl'

async function ended(caller: Caller, key: string, body: object): Promise<ReceiptBody> {
  return applied(caller, memories, key, { kind: 'fact', ...body })
}

/** Some of them, by their titles. */
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

/** Documents that were refused as they are, as these workers count them. */
async function reducedBy(workers: readonly Started[]): Promise<number> {
  let sum = 0
  for (const { url } of workers) {
    const text = await (await fetch(`${url}/metrics`)).text()
    sum += Number(/^precedent_documents_reduced_total (\d+)$/m.exec(text)?.[1])
  }
  return sum
}

/** The records that their lines with this message name. */
function recordsIn(workers: readonly Started[], message: string): string[] {
  const lines = workers.flatMap((worker) => worker.log().split('\n'))
  return lines.filter((line) => line.includes(message)).map((line) => (JSON.parse(line) as { record: string }).record)
}
