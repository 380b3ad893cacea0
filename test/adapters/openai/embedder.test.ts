import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type OpenaiSettings, openaiEmbedder } from '../../../src/adapters/openai/embedder.ts'
import { EmbedderUnavailable, TextRefused } from '../../../src/ports/embedder.ts'
import { cosine } from '../../../src/text/space.ts'
import {
  answering,
  answerTo,
  type Endpoint,
  embeddingEndpoint,
  endpointDimensions,
  saying,
} from '../../support/embedding-endpoint.ts'
import { hashedVector } from '../../support/hashed-vectors.ts'

let endpoint: Endpoint
beforeAll(async () => {
  endpoint = await embeddingEndpoint()
})
afterEach(() => {
  endpoint.misbehave(undefined)
  endpoint.asked.length = 0
})
afterAll(() => endpoint.stop())

const apiKey = 'sk-of-the-embedder'
const settings = (more: Partial<OpenaiSettings> = {}): OpenaiSettings => ({
  url: endpoint.url,
  model: 'small',
  apiKey: undefined,
  dimensions: undefined,
  prefixes: { record: '', query: '' },
  ...more,
})
const patient = () => AbortSignal.timeout(30_000)
const texts = ['A car is parked.', 'Whales sing.', 'The build fails.']
const embed = (more: Partial<OpenaiSettings> = {}, signal = patient()) =>
  openaiEmbedder(settings(more)).embed('record', texts, signal)
/** What it rejects with. */
const failure = (more: Partial<OpenaiSettings> = {}, signal = patient()): Promise<Error> =>
  embed(more, signal).then(
    () => new Error('it resolved'),
    (error: Error) => error,
  )
/** The answer with another vector in the second place. */
const withSecond = (embedding: unknown) =>
  saying((asked) => {
    const answer = answerTo(asked)
    return JSON.stringify({ ...answer, data: answer.data.map((one, n) => (n === 1 ? { ...one, embedding } : one)) })
  })

describe('an endpoint that is well', () => {
  it('gives a vector of length 1 for each text, in order, whatever order it answers in', async () => {
    endpoint.misbehave(
      saying((asked) => {
        const answer = answerTo(asked)
        const data = answer.data.map((one) => ({ ...one, embedding: one.embedding.map((value) => 7 * value) }))
        return JSON.stringify({ ...answer, data: data.reverse() })
      }),
    )
    const vectors = await embed()
    expect(vectors.map(({ length }) => length)).toEqual(texts.map(() => endpointDimensions))
    for (const [n, text] of texts.entries()) {
      expect(cosine(vectors[n] as Float32Array, hashedVector(text, endpointDimensions))).toBeCloseTo(1, 4)
    }
  })

  it('is asked for model, floats and, where they are set, dimensions; each kind of text has its prefix', async () => {
    const prefixes = { record: 'passage: ', query: 'query: ' }
    await embed({ dimensions: 64, prefixes })
    await openaiEmbedder(settings({ prefixes })).embed('query', ['who?'], patient())
    expect(endpoint.asked).toEqual([
      { model: 'small', input: texts.map((text) => `passage: ${text}`), encoding_format: 'float', dimensions: 64 },
      { model: 'small', input: ['query: who?'], encoding_format: 'float' },
    ])
  })

  it('gets the key, and none where none is set', async () => {
    const keys: (string | undefined)[] = []
    endpoint.misbehave((_, __, request) => {
      keys.push(request.headers.authorization)
      return false
    })
    await embed({ apiKey })
    await embed()
    expect(keys).toEqual([`Bearer ${apiKey}`, undefined])
  })

  it('is named by what changes the vectors of records', () => {
    const nameOf = (more: Partial<OpenaiSettings>) => openaiEmbedder(settings(more)).model
    expect(nameOf({})).toBe('small')
    expect(nameOf({ prefixes: { record: '', query: 'query: ' } })).toBe('small')
    expect(nameOf({ prefixes: { record: 'passage: ', query: '' } })).not.toBe('small')
    const long = 'm'.repeat(400)
    expect(nameOf({ model: long }).length).toBeLessThanOrEqual(200)
    expect(nameOf({ model: long })).not.toBe(nameOf({ model: `${long}n` }))
  })
})

describe('an endpoint that is not well', () => {
  it.each([
    [500, '500'],
    [502, '502'],
    [401, 'does not take the key'],
    [403, 'does not take the key'],
    [404, '/embeddings'],
    [402, '402'],
  ])('that answers %i is away for now, and nothing of its answer or of the key is told', async (status, told) => {
    endpoint.misbehave(answering(status, { 'www-authenticate': apiKey }))
    const error = await failure({ apiKey })
    expect(error).toBeInstanceOf(EmbedderUnavailable)
    expect(error.message).toContain(told)
    expect(error.message).not.toMatch(/sk-of|"no"/)
    expect((error as EmbedderUnavailable).askAgainIn).toBeUndefined()
  })

  it.each([
    [429, '7', 7_000, 7_000],
    [503, 'Fri, 31 Dec 2100 23:59:59 GMT', 600_000, 600_000],
    [429, '999999999', 600_000, 600_000],
    [429, 'soon', 1_000, 1_000],
    [429, '-5', 1_000, 1_000],
  ])('that answers %i with Retry-After %s is asked again in its time', async (status, header, least, most) => {
    endpoint.misbehave(answering(status, { 'retry-after': header }))
    const { askAgainIn } = (await failure()) as EmbedderUnavailable
    expect(askAgainIn).toBeGreaterThanOrEqual(least)
    expect(askAgainIn).toBeLessThanOrEqual(most)
  })

  it.each([400, 413, 422])('that answers %i refuses these texts', async (status) => {
    endpoint.misbehave(answering(status))
    expect(await failure()).toBeInstanceOf(TextRefused)
  })

  it('refuses a text whose vector has no direction', async () => {
    endpoint.misbehave(withSecond(Array.from({ length: endpointDimensions }, () => 0)))
    expect(await failure()).toBeInstanceOf(TextRefused)
  })

  it('is never followed elsewhere: neither texts nor the key go there', async () => {
    const elsewhere = await embeddingEndpoint()
    try {
      for (const status of [301, 302, 307, 308]) {
        endpoint.misbehave(answering(status, { location: `${elsewhere.url}/embeddings` }))
        const error = await failure({ apiKey })
        expect(error).toBeInstanceOf(EmbedderUnavailable)
        expect(error.message).toContain('redirects')
      }
      expect(elsewhere.asked).toEqual([])
    } finally {
      await elsewhere.stop()
    }
  })

  const vector = () => Array.from(hashedVector('x', endpointDimensions))
  const changed = (value: unknown) => [value, ...vector().slice(1)]
  it.each([
    ['JSON that is cut off', saying((asked) => JSON.stringify(answerTo(asked)).slice(0, -40))],
    ['no JSON', saying(() => '<html>')],
    ['nothing', saying(() => '')],
    ['null', saying(() => 'null')],
    ['an error with status 200', saying(() => '{"error": {"message": "no"}}')],
    ['NaN', saying((asked) => JSON.stringify(answerTo(asked)).replace(/-?0\.\d+/, 'NaN'))],
    ['one vector too few', saying((asked) => JSON.stringify({ data: answerTo(asked).data.slice(1) }))],
    ['one too many', saying((asked) => JSON.stringify({ data: [...answerTo(asked).data, { embedding: vector() }] }))],
    [
      'the same index twice',
      saying((a) => JSON.stringify({ data: answerTo(a).data.map((d) => ({ ...d, index: 0 })) })),
    ],
    ['an index beyond', saying((a) => JSON.stringify({ data: answerTo(a).data.map((d) => ({ ...d, index: 7 })) }))],
    ['other dimensions for one text', withSecond(vector().slice(1))],
    ['null in the place of a number', withSecond(changed(null))],
    ['text in the place of a number', withSecond(changed('0.1'))],
    ['base64 in the place of numbers', withSecond('AACAPwAAgD8=')],
    ['a vector of a single number', withSecond([1])],
    ['more dimensions than can be kept', withSecond(Array.from({ length: 5_000 }, () => 0.1))],
    ['nothing in the place of a vector', withSecond(null)],
  ])('that answers %s has no vectors to give', async (_, how) => {
    endpoint.misbehave(how)
    expect(await failure()).toBeInstanceOf(EmbedderUnavailable)
  })

  it('that answers other dimensions than are set has none either', async () => {
    endpoint.misbehave(saying((asked) => JSON.stringify(answerTo({ ...asked, dimensions: 32 }))))
    expect((await failure({ dimensions: 64 })).message).toContain('32 dimensions in the place of 64')
  })

  it('that never ends its answer is left before the memory is full', async () => {
    let sent = 0
    let left = false
    endpoint.misbehave((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      const more = () => {
        sent += 64 * 1024
        response.write(' '.repeat(64 * 1024), () => void (left || setImmediate(more)))
      }
      response.once('close', () => {
        left = true
      })
      more()
      return true
    })
    const error = await failure()
    expect(error).toBeInstanceOf(EmbedderUnavailable)
    expect(error.message).toContain('more than')
    await expect.poll(() => left).toBe(true)
    expect(sent).toBeLessThan(16 * 1024 * 1024)
  })

  it.each([
    ['does not answer', () => true],
    [
      'stops in the middle of its answer',
      (_: unknown, response: { write(text: string): unknown }) => {
        response.write('{"data": [')
        return true
      },
    ],
  ])('that %s is left when the time is over', async (_, how) => {
    endpoint.misbehave(how)
    const error = await failure({}, AbortSignal.timeout(100))
    expect(error).toBeInstanceOf(EmbedderUnavailable)
    expect(error.message).toContain('in time')
  })

  it('that hangs up in the middle, or where nothing listens, is away', async () => {
    endpoint.misbehave((_, response) => {
      response.write('{"data": [')
      response.socket?.destroy()
      return true
    })
    expect(await failure()).toBeInstanceOf(EmbedderUnavailable)
    const gone = await embeddingEndpoint()
    await gone.stop()
    const error = await failure({ url: gone.url })
    expect(error).toBeInstanceOf(EmbedderUnavailable)
    expect(error.message).toContain('ECONNREFUSED')
  })
})
