/** A search first ranks, then reads the best documents in pieces. Documents may be replaced in between. */
import { randomUUID } from 'node:crypto'
import { describe, expect, it, onTestFinished } from 'vitest'
import { elasticsearchSearch } from '../../../src/adapters/elasticsearch/search.ts'
import type { SearchEngine } from '../../../src/ports/search.ts'
import { EngineUnavailable } from '../../../src/ports/unavailable.ts'
import { documentOf, everyone, workspace } from '../../contracts/search.contract.ts'
import { sharedEngine } from '../../support/engines.ts'
import { equal } from '../../support/search-query.ts'
import { skipIf } from '../../support/skip.ts'
import { type ElasticProxy, proxyBefore } from './proxy.ts'

const { url = '', reason } = await sharedEngine('elasticsearch')

const index = 'live'
const mark = { epoch: 'e', sequence: 1 }

describe('reading what a search on Elasticsearch found', skipIf(reason), () => {
  it('long documents are read in several requests, so that parsing them does not block the process', async () => {
    const { proxy, engine } = await opened()
    const body = Array.from({ length: 40_000 }, (_, n) => `word${n % 9_000}`).join(' ')
    const documents = Array.from({ length: 20 }, (_, n) => documentOf(`long-${n}`, `queue ${body}`))
    await engine.upsert(index, documents)
    await engine.refresh(index, workspace, mark)
    let reads = 0
    proxy.rules.request = (_, body) => {
      if (isRead(body)) reads++
      return undefined
    }
    const { items } = await engine.candidates(index, everyone, equal(['queue', 'word1']), 200)
    expect(items.map(({ id }) => id).sort()).toEqual([...documents.map(({ id }) => id), 'one', 'two'].sort())
    expect(reads).toBe(3)
  })

  it('a document that is replaced before it is read is found as it is now', async () => {
    const { proxy, engine, replace } = await opened()
    let replaced = 0
    proxy.rules.request = async (_, body) => {
      if (isRead(body) && replaced++ === 0) await replace(2)
      return undefined
    }
    const { items } = await engine.candidates(index, everyone, equal(['queue']), 200)
    expect(replaced).toBe(2)
    expect(items.map(({ id, version }) => [id, version]).sort()).toEqual([
      ['one', 2],
      ['two', 1],
    ])
  })

  it('a search is refused, not incomplete, if documents are replaced each time before they are read', async () => {
    const { proxy, engine, replace } = await opened()
    let version = 1
    proxy.rules.request = async (_, body) => {
      if (isRead(body)) await replace(++version)
      return undefined
    }
    await expect(engine.candidates(index, everyone, equal(['queue']), 200)).rejects.toBeInstanceOf(EngineUnavailable)
    expect(version).toBe(4)
  })
})

/** Whether a request reads documents that were found. */
function isRead(body: string): boolean {
  return body.includes('"terms":{"_seq_no":')
}

/** An index with the documents `one` and `two`. `replace` stores a new version of `one`. */
async function opened(): Promise<{
  proxy: ElasticProxy
  engine: SearchEngine
  replace(version: number): Promise<void>
}> {
  const proxy = await proxyBefore(url)
  const prefix = `pieces-${randomUUID().slice(0, 8)}`
  const engine = elasticsearchSearch({ url: proxy.url, prefix })
  const other = elasticsearchSearch({ url, prefix })
  onTestFinished(async () => {
    proxy.rules = {}
    await engine.drop(index)
    await Promise.all([engine.close(), other.close()])
    await proxy.close()
  })
  await engine.create(index)
  await engine.upsert(index, [documentOf('one', 'queue'), documentOf('two', 'queue')])
  await engine.refresh(index, workspace, mark)
  return {
    proxy,
    engine,
    async replace(version) {
      await other.upsert(index, [documentOf('one', 'queue again', { version })])
      await other.refresh(index, workspace, mark)
    },
  }
}
