/** What callers see when Elasticsearch is unreachable, does not answer, and comes back. */
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { elasticsearchSearch } from '../../../src/adapters/elasticsearch/search.ts'
import type { SearchEngine } from '../../../src/ports/search.ts'
import { EngineUnavailable } from '../../../src/ports/unavailable.ts'
import { documentOf, everyone, workspace } from '../../contracts/search.contract.ts'
import { equal } from '../../support/search-query.ts'
import { skipIf } from '../../support/skip.ts'
import { missing, type StartedEngine, startEngine } from '../../support/start-engine.ts'

const reason = missing('elasticsearch')

const index = 'live'
const startsWithin = 180_000

describe('Elasticsearch that was never started', () => {
  it('every call fails, and health names the reason', async () => {
    const engine = elasticsearchSearch({ url: 'http://127.0.0.1:1' })
    onTestFinished(() => engine.close())
    await everyCallFails(engine)
    await expect(engine.watermark(index, workspace)).rejects.toThrow(/^elasticsearch: unreachable: .*ECONNREFUSED/)
    expect((await engine.health())?.message).toMatch(/^elasticsearch: unreachable: .*ECONNREFUSED/)
  })
})

describe('Elasticsearch outages', skipIf(reason), () => {
  // one server for all tests, because it starts slowly
  let server: StartedEngine
  let engine: SearchEngine
  beforeAll(async () => {
    server = await startEngine('elasticsearch')
    engine = elasticsearchSearch({ url: server.url })
    await engine.create(index)
    await engine.upsert(index, [documentOf('before', 'kept')])
    await engine.refresh(index, workspace, { epoch: 'e', sequence: 1 })
  }, startsWithin)
  afterAll(async () => {
    await engine?.close()
    await server?.remove()
  })

  it('every call ends within its deadline while Elasticsearch is frozen, and succeeds once it answers', async () => {
    process.kill(server.pid, 'SIGSTOP')
    onTestFinished(() => void process.kill(server.pid, 'SIGCONT'))
    const [health] = await Promise.all([engine.health(), everyCallFails(engine)])
    expect(health?.message).toMatch(/^elasticsearch: no answer within \d+ ms/)
    process.kill(server.pid, 'SIGCONT')
    await expect.poll(() => engine.health(), { timeout: 30_000 }).toBeUndefined()
    await stillHolds(engine)
  })

  it(
    'every call fails while Elasticsearch is stopped, and succeeds once it is back',
    async () => {
      await server.stop()
      await everyCallFails(engine)
      expect((await engine.health())?.message).toMatch(/^elasticsearch: /)
      await server.start()
      await expect.poll(() => engine.health(), { timeout: 30_000 }).toBeUndefined()
      expect((await engine.watermark(index, workspace))?.epoch).toBe('e')
      await stillHolds(engine)
    },
    startsWithin,
  )

  it('every call fails after close', async () => {
    await engine.close()
    await everyCallFails(engine)
    expect((await engine.health())?.message).toBe('elasticsearch: closed')
  })
})

async function stillHolds(engine: SearchEngine): Promise<void> {
  await engine.upsert(index, [documentOf('after', 'kept')])
  await engine.refresh(index, workspace, { epoch: 'e', sequence: 2 })
  const { items } = await engine.candidates(index, everyone, equal(['kept']), 10)
  expect(items.map(({ id }) => id).sort()).toEqual(['after', 'before'])
}

async function everyCallFails(engine: SearchEngine): Promise<void> {
  const answers = await Promise.allSettled([
    engine.create(index),
    engine.drop('another'),
    engine.upsert(index, [documentOf('lost', 'lost')]),
    engine.refresh(index, workspace, { epoch: 'e', sequence: 2 }),
    engine.watermark(index, workspace),
    engine.candidates(index, everyone, equal(['kept']), 10),
    engine.count(index, workspace),
  ])
  for (const answer of answers) {
    expect(answer.status).toBe('rejected')
    expect((answer as PromiseRejectedResult).reason).toBeInstanceOf(EngineUnavailable)
  }
}
