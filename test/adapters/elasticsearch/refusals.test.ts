/** Documents and requests that Elasticsearch refuses, temporarily or permanently. */
import { randomUUID } from 'node:crypto'
import { describe, expect, it, onTestFinished } from 'vitest'
import { elasticsearchSearch } from '../../../src/adapters/elasticsearch/search.ts'
import type { SearchEngine } from '../../../src/ports/search.ts'
import { EngineUnavailable } from '../../../src/ports/unavailable.ts'
import { documentOf, everyone, workspace } from '../../contracts/search.contract.ts'
import { sharedEngine } from '../../support/engines.ts'
import { equal } from '../../support/search-query.ts'
import { skipIf } from '../../support/skip.ts'
import { type ElasticProxy, proxyBefore, type Refusal, type Reply } from './proxy.ts'

const { url = '', reason } = await sharedEngine('elasticsearch')

const tooMany: Refusal = {
  status: 429,
  error: { type: 'es_rejected_execution_exception', reason: 'the queue is full' },
}
const noPrimary: Refusal = { status: 503, error: { type: 'unavailable_shards_exception', reason: 'no primary' } }
const broken: Refusal = { status: 400, error: { type: 'document_parsing_exception', reason: 'cannot be parsed' } }
const whole = (refusal: Refusal): Reply => ({ status: refusal.status, body: refusal })
const index = 'live'
const mark = { epoch: 'e', sequence: 1 }

describe('refusals of Elasticsearch', skipIf(reason), () => {
  it('all documents are stored if 1 item in 100 is answered with 429 or 503', async () => {
    const { proxy, engine } = await opened()
    let items = 0
    let refused = 0
    proxy.rules.item = () => {
      if (++items % 100 !== 0) return undefined
      return ++refused % 2 === 0 ? noPrimary : tooMany
    }
    const documents = Array.from({ length: 2_500 }, (_, n) => documentOf(`d${n}`, `queue n${n}`))
    expect(await engine.upsert(index, documents)).toEqual({ reduced: [] })
    await engine.refresh(index, workspace, mark)
    expect(refused).toBeGreaterThan(20)
    expect(await engine.count(index, workspace)).toBe(2_500)
  })

  it('an upsert fails if an item is always answered with 429, and the other items are stored', async () => {
    const { proxy, engine } = await opened()
    proxy.rules.item = (id) => (id === 'busy' ? tooMany : undefined)
    const upserting = engine.upsert(index, [documentOf('busy', 'queue'), documentOf('other', 'queue')])
    await expect(upserting).rejects.toBeInstanceOf(EngineUnavailable)
    await expect(upserting).rejects.toThrow('elasticsearch: answers 429, es_rejected_execution_exception')
    await engine.refresh(index, workspace, mark)
    expect(await found(engine, 'queue')).toEqual(['other'])
    proxy.rules = {}
    expect(await engine.upsert(index, [documentOf('busy', 'queue')])).toEqual({ reduced: [] })
  })

  it('a document that is refused permanently is stored in reduced form, and the others unchanged', async () => {
    const { proxy, engine } = await opened()
    proxy.rules.item = (_, source) => (source.includes('poison') ? broken : undefined)
    const words = (title: string) => `${title} ${'filler '.repeat(600)}poison`
    const [bad, good] = [documentOf('bad', words('rubble')), documentOf('good', `rubble ${'filler '.repeat(600)}end`)]
    const all = [good, { ...bad, audience: 'user:eva' as const }, documentOf('last', 'rubble')]
    expect(await engine.upsert(index, all)).toEqual({ reduced: ['bad'] })
    await engine.refresh(index, workspace, mark)
    expect(await found(engine, 'rubble')).toEqual(['good', 'last'])
    expect(await found(engine, 'end')).toEqual(['good'])
    const eva = { workspace, audiences: ['user:eva'] as const }
    const { items, statistics } = await engine.candidates(index, eva, equal(['rubble', 'filler', 'poison']), 10)
    expect(items).toMatchObject([{ id: 'bad', length: 500, frequencies: [1, 499, 0] }])
    expect(statistics).toEqual({ documents: 1, length: 500, document_frequencies: [1, 1, 0] })
  })

  it('a document that is refused even in reduced form is logged, and the others are stored', async () => {
    const errors: unknown[] = []
    const { proxy, engine } = await opened({ error: (fields) => errors.push(fields) })
    proxy.rules.item = (id) => (id === 'bad' ? broken : undefined)
    const documents = [documentOf('bad', 'queue'), documentOf('good', 'queue')]
    expect(await engine.upsert(index, documents)).toEqual({ reduced: ['bad'] })
    await engine.refresh(index, workspace, mark)
    expect(await found(engine, 'queue')).toEqual(['good'])
    expect(errors).toMatchObject([{ record: 'bad', type: 'document_parsing_exception' }])
    // the reason of Elasticsearch may quote the document
    expect(JSON.stringify(errors)).not.toContain('cannot be parsed')
  })

  it('if all documents are refused, the upsert fails as an outage of the index', async () => {
    const { proxy, engine } = await opened()
    proxy.rules.item = () => broken
    const documents = Array.from({ length: 12 }, (_, n) => documentOf(`d${n}`, 'queue'))
    const upserting = engine.upsert(index, documents)
    await expect(upserting).rejects.toBeInstanceOf(EngineUnavailable)
    await expect(upserting).rejects.toThrow('elasticsearch: refuses all documents: 400 document_parsing_exception')
  })

  it('an item that is refused for a missing privilege or index is an outage, not a fault of the document', async () => {
    const { proxy, engine } = await opened()
    for (const [status, type] of [
      [403, 'cluster_block_exception'],
      [403, 'security_exception'],
      [404, 'index_not_found_exception'],
    ] as const) {
      proxy.rules.item = () => ({ status, error: { type, reason: 'no' } })
      await expect(engine.upsert(index, [documentOf('d', 'queue')]), type).rejects.toBeInstanceOf(EngineUnavailable)
    }
  })

  it('a request has at most 4 MiB unless one document is larger, and is halved if the server still refuses its size', async () => {
    const { proxy, engine } = await opened()
    const long = (n: number, tokens: number) =>
      documentOf(`d${n}`, Array.from({ length: tokens }, (_, t) => `word${n}x${t}`).join(' '))
    const documents = [...Array.from({ length: 40 }, (_, n) => long(n, 10_000)), long(40, 250_000)]
    expect(await engine.upsert(index, documents)).toEqual({ reduced: [] })
    const sizes = proxy.seen.filter(({ path }) => path.includes('_bulk')).map(({ bytes }) => bytes)
    expect(sizes.filter((bytes) => bytes > 4 * 1024 * 1024).length).toBe(1)
    expect(sizes.length).toBeGreaterThan(3)

    const tooLarge: Refusal = { status: 413, error: { type: 'too_large', reason: 'more than 1 MiB' } }
    proxy.rules.request = (path, body) =>
      path.includes('_bulk') && body.length > 2 ** 20 ? whole(tooLarge) : undefined
    const again = documents.map((document) => ({ ...document, version: 2 }))
    expect(await engine.upsert(index, again)).toEqual({ reduced: ['d40'] })
    await engine.refresh(index, workspace, mark)
    expect(await engine.count(index, workspace)).toBe(41)
    const { items } = await engine.candidates(index, everyone, equal(['word7x9999', 'word40x0']), 10)
    expect(items.map(({ id, version, length }) => [id, version, length]).sort()).toEqual([
      ['d40', 2, 500],
      ['d7', 2, 10_000],
    ])
  })

  it('every call is retried after 429 or 503, and fails after several attempts', async () => {
    const { proxy, engine } = await opened()
    await engine.upsert(index, [documentOf('d', 'queue')])
    await engine.refresh(index, workspace, mark)
    let requests = 0
    proxy.rules.request = () => {
      if (++requests % 3 === 0) return undefined
      return whole(requests % 3 === 1 ? tooMany : noPrimary)
    }
    expect(await engine.upsert(index, [documentOf('e', 'queue')])).toEqual({ reduced: [] })
    await engine.refresh(index, workspace, { epoch: 'e', sequence: 2 })
    expect(await engine.watermark(index, workspace)).toEqual({ epoch: 'e', sequence: 2 })
    expect(await found(engine, 'queue')).toEqual(['d', 'e'])
    expect(await engine.count(index, workspace)).toBe(2)
    proxy.rules.request = () => whole(tooMany)
    await expect(found(engine, 'queue')).rejects.toBeInstanceOf(EngineUnavailable)
    await expect(engine.upsert(index, [documentOf('f', 'queue')])).rejects.toBeInstanceOf(EngineUnavailable)
    expect((await engine.health())?.message).toMatch(/^elasticsearch: .*429/)
  })

  it('several searches are retried if one of them is refused temporarily', async () => {
    const { proxy, engine } = await opened()
    await engine.upsert(index, [documentOf('d', 'queue')])
    await engine.refresh(index, workspace, mark)
    const searches = () => proxy.seen.filter(({ path }) => path.includes('_msearch')).length
    let refusals = 2
    proxy.rules.request = (path) => {
      if (!path.includes('_msearch') || refusals-- <= 0) return undefined
      return { status: 200, body: { responses: [tooMany] } }
    }
    expect(await found(engine, 'queue')).toEqual(['d'])
    expect(searches()).toBe(3)
  })

  it('requests are authenticated by the user and password of the URL, or by an API key', async () => {
    const { proxy } = await opened()
    const [address] = proxy.url.split('//').slice(1)
    const withPassword = elasticsearchSearch({ url: `http://eva:s%40crt@${address}`, prefix: 'none' })
    const withKey = elasticsearchSearch({ url: proxy.url, apiKey: 'a2V5OnNlY3JldA==', prefix: 'none' })
    for (const engine of [withPassword, withKey]) {
      expect(await engine.watermark(index, workspace)).toBeUndefined()
      await engine.close()
    }
    expect(proxy.seen.slice(-2).map(({ authorization }) => authorization)).toEqual([
      `Basic ${Buffer.from('eva:s@crt').toString('base64')}`,
      'ApiKey a2V5OnNlY3JldA==',
    ])
  })
})

/** An engine with an empty index, connected through a proxy. */
async function opened(
  log?: Parameters<typeof elasticsearchSearch>[1],
): Promise<{ proxy: ElasticProxy; engine: SearchEngine }> {
  const proxy = await proxyBefore(url)
  const engine = elasticsearchSearch({ url: proxy.url, prefix: `refused-${randomUUID().slice(0, 8)}` }, log)
  onTestFinished(async () => {
    proxy.rules = {}
    await engine.drop(index)
    await engine.close()
    await proxy.close()
  })
  await engine.create(index)
  return { proxy, engine }
}

async function found(engine: SearchEngine, term: string): Promise<string[]> {
  const { items } = await engine.candidates(index, everyone, equal([term]), 200)
  return items.map(({ id }) => id).sort()
}
