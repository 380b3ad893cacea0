import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openaiEmbedder } from '../../src/adapters/openai/embedder.ts'
import { systemClock } from '../../src/adapters/system-clock.ts'
import { type Meanings, meanings } from '../../src/text/meaning.ts'
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
let asked: Meanings
beforeEach(async () => {
  endpoint = await embeddingEndpoint()
  stopping = new AbortController()
  ahead = 0
  told = { failures: [], had: 0, missing: 0 }
  const prefixes = { record: '', query: '' }
  const embedder = openaiEmbedder({
    url: endpoint.url,
    model: 'small',
    apiKey: undefined,
    dimensions: undefined,
    prefixes,
  })
  asked = meanings({
    embedder,
    measuring: measuring(embedder, stopping.signal),
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

/** Answers never. */
const hanging: Misbehaving = () => true
const questions = () => endpoint.asked.filter(({ input }) => input.length === 1).map(({ input }) => input[0])

describe('what a question means', () => {
  it('is not to be had before the space is measured, which no search waits for', async () => {
    expect(await asked.of('who?')).toBeUndefined()
    expect(asked.fault()).toBeUndefined()
    await asked.look()
    expect(await asked.of('who?')).toMatchObject({ vector: { space: 'small/256' } })
    expect(told).toMatchObject({ had: 1, missing: 1 })
  })

  it('is asked for once, however many ask at once and afterwards', async () => {
    await asked.look()
    const found = await Promise.all(Array.from({ length: 50 }, () => asked.of('who?')))
    expect(found.every((one) => one !== undefined)).toBe(true)
    await asked.of('who?')
    expect(questions()).toEqual(['who?'])
  })

  it('is near what means the same, and not what has nothing to do with it', async () => {
    await asked.look()
    const space = (await asked.of('vehicle fee'))?.space
    expect(space?.unrelated).toBeGreaterThan(0)
    expect(space && nearness(space.unrelated, space)).toBe(0)
    expect(space && nearness(1, space)).toBe(1)
  })
})

describe('an embedder that is away', () => {
  it('is asked by three questions, and by none after them until it was found well', async () => {
    await asked.look()
    await endpoint.stop()
    for (const question of ['one', 'two', 'three']) expect(await asked.of(question)).toBeUndefined()
    expect(told.failures.length).toBe(3)
    expect(asked.fault()).toContain('unreachable')
    // back at once: but nobody asks it
    endpoint = await embeddingEndpoint(endpoint.port)
    expect(await asked.of('four')).toBeUndefined()
    expect(endpoint.asked).toEqual([])
    ahead += 2_000
    await asked.look()
    expect(asked.fault()).toBeUndefined()
    expect(told.failures.at(-1)).toBeUndefined()
    expect(await asked.of('four')).toBeDefined()
  })

  it('is tried beside the searches at longer and longer intervals', async () => {
    await asked.look()
    endpoint.misbehave(answering(500))
    for (const question of ['one', 'two', 'three']) await asked.of(question)
    const before = endpoint.asked.length
    for (const pause of [1_300, 2_600, 5_200]) {
      await asked.look()
      ahead += pause
      await asked.look()
    }
    expect(endpoint.asked.length - before).toBe(3)
  })

  it('says when to come again, and is left alone until then', async () => {
    await asked.look()
    endpoint.misbehave(answering(429, { 'retry-after': '60' }))
    for (const question of ['one', 'two', 'three']) await asked.of(question)
    endpoint.misbehave(undefined)
    ahead += 30_000
    await asked.look()
    expect(asked.fault()).toContain('429')
    ahead += 60_000
    await asked.look()
    expect(asked.fault()).toBeUndefined()
  })

  it('has the answers that it gave before still kept', async () => {
    await asked.look()
    await asked.of('who?')
    await endpoint.stop()
    for (const question of ['one', 'two', 'three']) await asked.of(question)
    expect(await asked.of('who?')).toBeDefined()
  })

  it('since the start costs nothing either', async () => {
    endpoint.misbehave(hanging)
    expect(await asked.of('who?')).toBeUndefined()
    expect(await asked.of('who else?')).toBeUndefined()
    // measuring, once
    await expect.poll(() => endpoint.asked.length).toBe(1)
    expect(questions()).toEqual([])
  })
})

describe('an embedder that is slow', () => {
  it('counts a failure for each question that came late, not for each who waited, and keeps what came', async () => {
    await asked.look()
    const held: (() => void)[] = []
    endpoint.misbehave((question, response) => {
      held.push(() => void response.end(JSON.stringify(answerTo(question))))
      return true
    })
    const waiting = await Promise.all(Array.from({ length: 20 }, () => asked.of('who?')))
    expect(waiting.every((one) => one === undefined)).toBe(true)
    expect(told.failures).toEqual([expect.stringContaining('longer than')])
    endpoint.misbehave(undefined)
    for (const release of held) release()
    await expect.poll(() => asked.of('who?')).toBeDefined()
    // late is late: that it came makes it none the better
    expect(asked.fault()).toContain('longer than')
  })

  it('is asked by no more than sixteen questions at once', async () => {
    await asked.look()
    endpoint.misbehave(hanging)
    await Promise.all(Array.from({ length: 40 }, (_, n) => asked.of(`question ${n}`)))
    expect(questions().length).toBeLessThanOrEqual(16)
  })
})

it('takes a question that it refuses for no failure', async () => {
  await asked.look()
  endpoint.misbehave((question, response, request) =>
    question.input.includes('\u0000') ? answering(400)(question, response, request) : false,
  )
  for (let n = 0; n < 5; n++) expect(await asked.of('\u0000')).toBeUndefined()
  expect(asked.fault()).toBeUndefined()
  expect(await asked.of('who?')).toBeDefined()
})

it('by another model behind the same name is measured anew', async () => {
  await asked.look()
  endpoint.misbehave((question) => {
    question.dimensions = 64
    return false
  })
  expect(await asked.of('who?')).toBeUndefined()
  ahead += 2_000
  await asked.look()
  expect(await asked.of('who?')).toMatchObject({ vector: { space: 'small/64' } })
})
