import { randomUUID } from 'node:crypto'
import { Client } from '@elastic/elasticsearch'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { concreteName, definitionOf, ownVersion } from '../../../src/adapters/elasticsearch/definition.ts'
import { elasticsearchSearch } from '../../../src/adapters/elasticsearch/search.ts'
import type { WorkspaceId } from '../../../src/ids.ts'
import { inVersion } from '../../../src/ports/index-versions.ts'
import type { SearchDocument, SearchEngine, SearchFilter } from '../../../src/ports/search.ts'
import { EngineUnavailable } from '../../../src/ports/unavailable.ts'
import { analysisVersion } from '../../../src/text/version.ts'
import { documentOf, everyone, searchContract, workspace } from '../../contracts/search.contract.ts'
import { searchVersionsContract } from '../../contracts/search-versions.contract.ts'
import { sharedEngine } from '../../support/engines.ts'
import { equal } from '../../support/search-query.ts'
import { skipIf } from '../../support/skip.ts'

const { url = '', reason } = await sharedEngine('elasticsearch')

describe('search on Elasticsearch', skipIf(reason), () => {
  const opened: (() => Promise<void>)[] = []
  const raw = new Client({ node: url || 'http://none' })
  afterAll(async () => {
    for (const close of opened.splice(0)) await close()
    await raw.close()
  })

  /** An engine with an index `live`, its prefix, and the name of the index on the server. */
  async function open(): Promise<{ engine: SearchEngine; prefix: string; concrete: string }> {
    const prefix = `test-${randomUUID().slice(0, 8)}`
    const engine = elasticsearchSearch({ url, prefix })
    opened.push(async () => {
      for (const index of ['live', 'alone', 'mixed']) await engine.drop(index)
      await engine.close()
    })
    await engine.create('live')
    return { engine, prefix, concrete: concreteName({ prefix, analysis: analysisVersion }, 'live') }
  }
  async function show(engine: SearchEngine, index: string, documents: readonly SearchDocument[]): Promise<void> {
    expect(await engine.upsert(index, documents)).toEqual({ reduced: [] })
    await engine.refresh(index, workspace, { epoch: 'e', sequence: 1 })
  }

  searchContract('Elasticsearch', async () =>
    elasticsearchSearch({ url, prefix: `contract-${randomUUID().slice(0, 8)}` }),
  )

  searchVersionsContract('Elasticsearch', async () => {
    const prefix = `versions-${randomUUID().slice(0, 8)}`
    const index = `${prefix}-*`
    return {
      open: async (analysis) => elasticsearchSearch({ url, prefix, analysis }),
      async stored() {
        await raw.indices.refresh({ index })
        return (await raw.count({ index, query: { exists: { field: 'audience' } } })).count
      },
      async remove() {
        const engine = elasticsearchSearch({ url, prefix, analysis: 3 })
        await engine.drop('live')
        await engine.close()
      },
    }
  })

  it('stores documents in an index of an older format without the fields that it lacks', async () => {
    const prefix = `older-${randomUUID().slice(0, 8)}`
    const names = { prefix, analysis: 1 }
    const { mappings, ...definition } = definitionOf(names, 'live')
    const { surface: _, ...properties } = mappings?.properties ?? {}
    await raw.indices.create({ ...definition, mappings: { ...mappings, properties } })
    const engine = elasticsearchSearch({ url, prefix, analysis: 2 })
    opened.push(async () => {
      await engine.drop('live')
      await engine.close()
    })
    const older = inVersion('live', ownVersion(names))
    const vector = { space: 'm', values: Float32Array.of(0.6, 0.8) }
    const document = documentOf('d', 'queue', { surface: 'code', category: 'security', vector })
    expect(await engine.upsert(older, [document])).toEqual({ reduced: [] })
    await engine.refresh(older, workspace, { epoch: 'e', sequence: 1 })
    const filter = { ...everyone, category: 'security' }
    expect((await engine.candidates(older, filter, equal(['queue']), 10)).items.map(({ id }) => id)).toEqual(['d'])
    expect(await engine.unembedded(older, workspace, 'm', ['d'])).toEqual([])
    const stored = await raw.get<object>({ index: concreteName(names, 'live'), id: 'd', routing: workspace })
    expect(Object.keys(stored._source ?? {})).not.toContain('surface')
  })

  describe('a lost index', () => {
    it('a lost index is not created again by a write', async () => {
      const { engine, concrete } = await open()
      await raw.indices.delete({ index: concrete })
      const mark = { epoch: 'e', sequence: 2 }
      await expect(engine.upsert('live', [documentOf('d', 'queue')])).rejects.toBeInstanceOf(EngineUnavailable)
      await expect(engine.refresh('live', workspace, mark)).rejects.toBeInstanceOf(EngineUnavailable)
      expect(await raw.indices.exists({ index: concrete })).toBe(false)
    })

    it('health names a missing index only while calls use it', async () => {
      const { engine, concrete } = await open()
      await raw.indices.delete({ index: concrete })
      await expect(engine.candidates('live', everyone, equal(['queue']), 10)).rejects.toBeInstanceOf(EngineUnavailable)
      expect((await engine.health())?.message).toBe('elasticsearch: index missing: live')
      expect(await engine.health()).toBeUndefined()
      await expect(engine.count('live', workspace)).rejects.toBeInstanceOf(EngineUnavailable)
      await engine.create('live')
      expect(await engine.health()).toBeUndefined()
    })

    it('create restores the alias of an index that came back without one', async () => {
      const { engine, concrete } = await open()
      await show(engine, 'live', [documentOf('d', 'queue')])
      await raw.indices.deleteAlias({ index: concrete, name: '*' })
      expect(await engine.watermark('live', workspace)).toBeUndefined()
      await engine.create('live')
      expect(await engine.watermark('live', workspace)).toEqual({ epoch: 'e', sequence: 1 })
      expect(await engine.count('live', workspace)).toBe(1)
    })
  })

  describe('the mark of a workspace', () => {
    it('the mark is the highest of several concurrent writes', async () => {
      const { engine } = await open()
      const sequences = Array.from({ length: 8 }, (_, n) => n + 1)
      await Promise.all(sequences.map((sequence) => engine.refresh('live', workspace, { epoch: 'e', sequence })))
      expect(await engine.watermark('live', workspace)).toEqual({ epoch: 'e', sequence: 8 })
    })
  })

  describe('the index', () => {
    it('an index is used and dropped only by engines with its prefix', async () => {
      const [one, other] = [await open(), await open()]
      await show(one.engine, 'live', [documentOf('d', 'queue')])
      expect(await other.engine.count('live', workspace)).toBe(0)
      await other.engine.drop('live')
      expect(await one.engine.count('live', workspace)).toBe(1)
    })

    it('an index refuses unknown fields', async () => {
      const { concrete } = await open()
      const writing = raw.index({ index: concrete, id: 'x', routing: 'acme', document: { surprise: 1 } })
      await expect(writing).rejects.toThrow(/strict_dynamic_mapping_exception/)
    })

    it('a document is found only after a refresh', async () => {
      const { engine } = await open()
      await engine.upsert('live', [documentOf('d', 'queue')])
      expect((await engine.candidates('live', everyone, equal(['queue']), 10)).items).toEqual([])
      await engine.refresh('live', workspace, { epoch: 'e', sequence: 1 })
      expect((await engine.candidates('live', everyone, equal(['queue']), 10)).items).toHaveLength(1)
    })

    it('documents with very long values and an invalid date are stored', async () => {
      const { engine } = await open()
      const long = 'x'.repeat(40_000)
      const fields = { category: long, surface: long, entity_types: [long], valid_from: 'once upon a time' }
      await show(engine, 'live', [documentOf('d', `queue ${long}`, fields)])
      const { items } = await engine.candidates('live', everyone, equal(['queue']), 10)
      expect(items).toMatchObject([{ id: 'd', valid_from: 'once upon a time', length: 2 }])
    })

    it('a read-only index is an outage, and health names it', async () => {
      const { engine, concrete } = await open()
      const block = (on: boolean | null) =>
        raw.indices.putSettings({ index: concrete, settings: { 'index.blocks.read_only_allow_delete': on } as never })
      // Elasticsearch removes the block by itself at any time while its disk has space
      await vi.waitFor(
        async () => {
          await block(true)
          await expect(engine.upsert('live', [documentOf('d', 'queue')])).rejects.toBeInstanceOf(EngineUnavailable)
          expect((await engine.health())?.message).toBe(
            `elasticsearch: read-only, the disk is almost full (flood stage): ${concrete}`,
          )
        },
        { timeout: 40_000 },
      )
      await block(null)
      await show(engine, 'live', [documentOf('d', 'queue')])
      expect(await engine.health()).toBeUndefined()
    })

    it('health names an index that has lost its primary shard', async () => {
      const { engine, prefix } = await open()
      const index = concreteName({ prefix, analysis: analysisVersion }, 'alone')
      const nowhere = { 'index.routing.allocation.require._name': 'nobody' }
      await raw.indices.create({ index, settings: nowhere as never, wait_for_active_shards: 0 })
      expect((await engine.health())?.message).toBe(
        `elasticsearch: health is red, a primary shard is missing: ${index}`,
      )
      await raw.indices.delete({ index })
    })
  })

  describe('with too many documents to count one by one', () => {
    it('documents of other workspaces change neither the order nor the counts', async () => {
      const { engine } = await open()
      const mine = manyDocuments(workspace)
      // their documents contain terms that are rare in mine, and are longer
      const theirs = mine.map((document) => {
        const tokens = ['rare1', 'needle', 'needle', 'other', ...document.tokens]
        return { ...document, id: `o${document.id}`, workspace: 'other' as WorkspaceId, tokens }
      })
      for (const index of ['alone', 'mixed']) await engine.create(index)
      for (let n = 0; n < mine.length; n += 1_000) {
        await engine.upsert('mixed', theirs.slice(n, n + 800))
        await engine.upsert('mixed', mine.slice(n, n + 1_000))
        await engine.upsert('alone', mine.slice(n, n + 1_000))
      }
      for (const index of ['alone', 'mixed']) await engine.refresh(index, workspace, { epoch: 'e', sequence: 1 })
      const filters: Partial<SearchFilter>[] = [{}, { category: 'security' }, { as_of: mine[500]?.valid_from ?? '' }]
      for (const filter of filters) {
        for (const terms of [['common'], ['common', 'half', 'rare3'], ['half', 'third'], ['rare1', 'rare2']]) {
          const mixed = await engine.candidates('mixed', { ...everyone, ...filter }, equal(terms), 200)
          expect(mixed).toEqual(await engine.candidates('alone', { ...everyone, ...filter }, equal(terms), 200))
          const there = mine.filter(
            ({ tokens, category, valid_from }) =>
              terms.some((term) => tokens.includes(term)) &&
              category === (filter.category ?? category) &&
              valid_from <= (filter.as_of ?? valid_from),
          )
          expect(mixed.items.length, `${terms} ${JSON.stringify(filter)}`).toBe(Math.min(200, there.length))
        }
      }
      await countsNearly(engine, 'mixed')
      await findsOld(engine, 'mixed')
      await takesNewest(engine, 'mixed')
    })

    /** Rare terms are counted exactly, frequent ones within 5 %. */
    async function countsNearly(engine: SearchEngine, index: string): Promise<void> {
      const terms = ['common', 'half', 'third', 'rare1']
      const { statistics } = await engine.candidates(index, everyone, equal(terms), 10)
      const { document_frequencies: found, documents, length } = statistics
      const exact = [count, count / 2, count / 3, count / 100]
      expect(Math.abs(documents / count - 1)).toBeLessThan(0.05)
      expect(Math.abs(length / documents - 2.83)).toBeLessThan(0.05)
      for (const [n, frequency] of found.entries()) {
        expect(Math.abs(frequency / (exact[n] as number) - 1), terms[n]).toBeLessThan(0.05)
      }
      expect(found.slice(1)).toEqual(exact.slice(1))
    }

    async function findsOld(engine: SearchEngine, index: string): Promise<void> {
      const old = { version: 1, valid_from: '1999-01-01T00:00:00.000Z' }
      await show(engine, index, [documentOf('old', 'common needle', old)])
      const { items } = await engine.candidates(index, everyone, equal(['common', 'needle']), 5)
      expect(items[0]?.id).toBe('old')
      const then = { ...everyone, as_of: '2000-01-01T00:00:00.000Z' }
      expect((await engine.candidates(index, then, equal(['common']), 5)).items.map(({ id }) => id)).toEqual(['old'])
      // also among 8,000 documents with one of these terms and 12,000 with the other
      await show(engine, index, [documentOf('pair', 'half half half third third third', { ...old, version: 2 })])
      const frequent = await engine.candidates(index, everyone, equal(['half', 'third']), 5)
      expect(frequent.items[0]?.id).toBe('pair')
    }

    async function takesNewest(engine: SearchEngine, index: string): Promise<void> {
      const { items } = await engine.candidates(index, everyone, equal(['common']), 3)
      // these have the same length; every second and every third document is longer
      expect(items.map(({ id }) => id)).toEqual([1, 5, 7].map((n) => `d${count - n}`))
    }
  })
})

/** More documents than are counted one by one. */
const count = 24_000

function manyDocuments(of: WorkspaceId): SearchDocument[] {
  return Array.from({ length: count }, (_, n) => {
    const words = `common${n % 2 === 0 ? ' half' : ''}${n % 3 === 0 ? ' third' : ''} rare${n % 100}`
    return documentOf(`d${n}`, words, {
      workspace: of,
      version: n + 1,
      valid_from: new Date(Date.UTC(2024, 0, 1) + n * 60_000).toISOString(),
      category: n % 7 === 0 ? 'security' : 'product',
    })
  })
}
