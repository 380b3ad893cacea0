import { randomUUID } from 'node:crypto'
import { Client } from '@elastic/elasticsearch'
import { afterAll, describe, expect, it } from 'vitest'
import { elasticsearchSearch } from '../../../src/adapters/elasticsearch/search.ts'
import { documentOf, everyone, workspace } from '../../contracts/search.contract.ts'
import { embeddedOf, vectorOf, vectorsContract } from '../../contracts/vectors.contract.ts'
import { sharedEngine } from '../../support/engines.ts'
import { equal } from '../../support/search-query.ts'
import { skipIf } from '../../support/skip.ts'

const { url = '', reason } = await sharedEngine('elasticsearch')

describe('vectors on Elasticsearch', skipIf(reason), () => {
  const prefix = `vectors-${randomUUID().slice(0, 8)}`
  // without an engine the suite is skipped, but a client needs a URL
  const node = url || 'http://none'
  const engine = elasticsearchSearch({ url: node, prefix })
  const raw = new Client({ node })
  afterAll(async () => {
    await engine.drop('live')
    await engine.close()
    await raw.close()
  })

  vectorsContract('Elasticsearch', async () =>
    elasticsearchSearch({ url, prefix: `contract-${randomUUID().slice(0, 8)}` }),
  )

  it('vectors and tokens are not returned by a search, so answers stay small', async () => {
    await engine.create('live')
    await engine.upsert('live', [embeddedOf('d', 'car')])
    await engine.refresh('live', workspace)
    expect(await engine.nearest('live', everyone, vectorOf('car'), [], 10)).toMatchObject([{ id: 'd' }])
    const { hits } = await raw.search({ index: `${prefix}-*`, query: { ids: { values: ['d'] } } })
    expect(Object.keys(hits.hits[0]?._source as object)).toEqual(expect.arrayContaining(['shown', 'space']))
    expect(Object.keys(hits.hits[0]?._source as object).join()).not.toMatch(/vector|tokens/)
  })

  it('if a vector is refused, the words of its document stay searchable', async () => {
    await engine.create('refused')
    const words = Array.from({ length: 600 }, (_, n) => `w${n}`).join(' ')
    await engine.upsert('refused', [documentOf('d', words), documentOf('other', 'car')])
    const none = { space: 'words', values: new Float32Array(24).fill(Number.NaN) }
    const both = [{ ...documentOf('d', words), vector: none }, embeddedOf('other', 'car')]
    expect(await engine.upsert('refused', both)).toEqual({ reduced: ['d'] })
    await engine.refresh('refused', workspace)
    const { items } = await engine.candidates('refused', everyone, equal(['w599']), 10)
    expect(items).toMatchObject([{ id: 'd', length: 600 }])
    expect(await engine.nearest('refused', everyone, vectorOf('car'), [], 10)).toMatchObject([{ id: 'other' }])
    expect(await engine.unembedded('refused', workspace, 'words', ['d', 'other'])).toEqual(['d'])
    await engine.drop('refused')
  })
})
