import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openaiEmbedder } from '../../src/adapters/openai/embedder.ts'
import { systemClock } from '../../src/adapters/system-clock.ts'
import { type QueryEmbedder, queryEmbedder } from '../../src/text/query-embedder.ts'
import { nearness } from '../../src/text/space.ts'
import { measuring } from '../../src/text/space-measuring.ts'
import {
  answering,
  answerTo,
  type Endpoint,
  embeddingEndpoint,
  type Misbehaving,
} from '../support/embedding-endpoint.ts'

let endpoint: Endpoint
let stopping: AbortController
let ahead: number
let told: { failures: (string | undefined)[]; had: number; missing: number }
let embedder: QueryEmbedder
beforeEach(async () => {
  endpoint = await embeddingEndpoint()
  stopping = new AbortController()
  ahead = 0
  told = { failures: [], had: 0, missing: 0 }
  const prefixes = { record: '', query: '' }
  const endpointEmbedder = openaiEmbedder({
    url: endpoint.url,
    model: 'small',
    apiKey: undefined,
    dimensions: undefined,
    prefixes,
  })
  embedder = queryEmbedder({
    embedder: endpointEmbedder,
    measuring: measuring(endpointEmbedder, stopping.signal),
    clock: { ...systemClock, elapsed: () => performance.now() + ahead },
    stopping: stopping.signal,
    failure: (reason) => void told.failures.push(reason),
    asked(outcome) {
      told[outcome] += 1
    },
  })
})
afterEach(async () => {
  stopping.abort()
  await endpoint.stop()
})

/** Never answers. */
const hanging: Misbehaving = () => true
/** The queries that reached the endpoint; measuring sends several texts in one call. */
const queries = () => endpoint.asked.filter(({ input }) => input.length === 1).map(({ input }) => input[0])

describe('embedding a query', () => {
  it('gives no vector before the space is measured, and does not wait for that', async () => {
    expect(await embedder.embed('who?')).toBeUndefined()
    expect(embedder.fault()).toBeUndefined()
    await embedder.look()
    expect(await embedder.embed('who?')).toMatchObject({ vector: { space: 'small/256' } })
    expect(told).toMatchObject({ had: 1, missing: 1 })
  })

  it('calls the embedder once for equal queries, concurrent or later', async () => {
    await embedder.look()
    const found = await Promise.all(Array.from({ length: 50 }, () => embedder.embed('who?')))
    expect(found.every((one) => one !== undefined)).toBe(true)
    await embedder.embed('who?')
    expect(queries()).toEqual(['who?'])
  })

  it('gives a space in which unrelated texts have nearness 0 and equal ones 1', async () => {
    await embedder.look()
    const space = (await embedder.embed('vehicle fee'))?.space
    expect(space?.unrelated).toBeGreaterThan(0)
    expect(space && nearness(space.unrelated, space)).toBe(0)
    expect(space && nearness(1, space)).toBe(1)
  })
})

describe('with an unavailable embedder', () => {
  it('stops calling it after three failures, until a retry succeeds', async () => {
    await embedder.look()
    await endpoint.stop()
    for (const query of ['one', 'two', 'three']) expect(await embedder.embed(query)).toBeUndefined()
    expect(told.failures.length).toBe(3)
    expect(embedder.fault()).toContain('unreachable')
    // the endpoint is back, but no search calls it yet
    endpoint = await embeddingEndpoint(endpoint.port)
    expect(await embedder.embed('four')).toBeUndefined()
    expect(endpoint.asked).toEqual([])
    ahead += 2_000
    await embedder.look()
    expect(embedder.fault()).toBeUndefined()
    expect(told.failures.at(-1)).toBeUndefined()
    // a search does not wait for a slow answer, but the next one gets its vector
    await expect.poll(() => embedder.embed('four')).toBeDefined()
  })

  it('retries in the background at growing intervals', async () => {
    await embedder.look()
    endpoint.misbehave(answering(500))
    for (const query of ['one', 'two', 'three']) await embedder.embed(query)
    const before = endpoint.asked.length
    for (const pause of [1_300, 2_600, 5_200]) {
      await embedder.look()
      ahead += pause
      await embedder.look()
    }
    expect(endpoint.asked.length - before).toBe(3)
  })

  it('does not retry before the Retry-After of the endpoint is over', async () => {
    await embedder.look()
    endpoint.misbehave(answering(429, { 'retry-after': '60' }))
    for (const query of ['one', 'two', 'three']) await embedder.embed(query)
    endpoint.misbehave(undefined)
    ahead += 30_000
    await embedder.look()
    expect(embedder.fault()).toContain('429')
    ahead += 60_000
    await embedder.look()
    expect(embedder.fault()).toBeUndefined()
  })

  it('still answers from the cache', async () => {
    await embedder.look()
    await embedder.embed('who?')
    await endpoint.stop()
    for (const query of ['one', 'two', 'three']) await embedder.embed(query)
    expect(await embedder.embed('who?')).toBeDefined()
  })

  it('does not wait for one that was never available', async () => {
    endpoint.misbehave(hanging)
    expect(await embedder.embed('who?')).toBeUndefined()
    expect(await embedder.embed('who else?')).toBeUndefined()
    // the only call is the one that measures the space
    await expect.poll(() => endpoint.asked.length).toBe(1)
    expect(queries()).toEqual([])
  })
})

describe('with a slow embedder', () => {
  it('counts one failure per late call, however many searches waited for it, and caches the late vector', async () => {
    await embedder.look()
    const held: (() => void)[] = []
    endpoint.misbehave((question, response) => {
      held.push(() => void response.end(JSON.stringify(answerTo(question))))
      return true
    })
    const waiting = await Promise.all(Array.from({ length: 20 }, () => embedder.embed('who?')))
    expect(waiting.every((one) => one === undefined)).toBe(true)
    expect(told.failures).toEqual([expect.stringContaining('longer than')])
    endpoint.misbehave(undefined)
    for (const release of held) release()
    await expect.poll(() => embedder.embed('who?')).toBeDefined()
    // a late vector does not end the fault
    expect(embedder.fault()).toContain('longer than')
  })

  it('makes at most sixteen concurrent calls', async () => {
    await embedder.look()
    endpoint.misbehave(hanging)
    await Promise.all(Array.from({ length: 40 }, (_, n) => embedder.embed(`query ${n}`)))
    expect(queries().length).toBeLessThanOrEqual(16)
  })
})

it('a refused query does not count as a failure of the embedder', async () => {
  await embedder.look()
  endpoint.misbehave((question, response, request) =>
    question.input.includes('\u0000') ? answering(400)(question, response, request) : false,
  )
  for (let n = 0; n < 5; n++) expect(await embedder.embed('\u0000')).toBeUndefined()
  expect(embedder.fault()).toBeUndefined()
  expect(await embedder.embed('who?')).toBeDefined()
})

it('the space is measured again if the model behind the name has changed', async () => {
  await embedder.look()
  endpoint.misbehave((question) => {
    question.dimensions = 64
    return false
  })
  expect(await embedder.embed('who?')).toBeUndefined()
  ahead += 2_000
  await embedder.look()
  expect(await embedder.embed('who?')).toMatchObject({ vector: { space: 'small/64' } })
})
