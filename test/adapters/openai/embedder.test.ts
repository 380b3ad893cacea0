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
/** The error that embed() rejects with. */
const failure = (more: Partial<OpenaiSettings> = {}, signal = patient()): Promise<Error> =>
  embed(more, signal).then(
    () => new Error('it resolved'),
    (error: Error) => error,
  )
/** A response whose second vector is replaced. */
const withSecond = (embedding: unknown) =>
  saying((asked) => {
    const answer = answerTo(asked)
    return JSON.stringify({ ...answer, data: answer.data.map((one, n) => (n === 1 ? { ...one, embedding } : one)) })
  })

describe('an embedding endpoint that works', () => {
  it('each text gets a vector of length 1, in the order of the texts, even if the response has another order', async () => {
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

  it('a request names the model, the float format and the dimensions if set, and each text has the prefix of its kind', async () => {
    const prefixes = { record: 'passage: ', query: 'query: ' }
    await embed({ dimensions: 64, prefixes })
    await openaiEmbedder(settings({ prefixes })).embed('query', ['who?'], patient())
    expect(endpoint.asked).toEqual([
      { model: 'small', input: texts.map((text) => `passage: ${text}`), encoding_format: 'float', dimensions: 64 },
      { model: 'small', input: ['query: who?'], encoding_format: 'float' },
    ])
  })

  it('the key is sent only if it is set', async () => {
    const keys: (string | undefined)[] = []
    endpoint.misbehave((_, __, request) => {
      keys.push(request.headers.authorization)
      return false
    })
    await embed({ apiKey })
    await embed()
    expect(keys).toEqual([`Bearer ${apiKey}`, undefined])
  })

  it('the name of the embedder changes with the model and the prefix of records, but not of queries', () => {
    const nameOf = (more: Partial<OpenaiSettings>) => openaiEmbedder(settings(more)).model
    expect(nameOf({})).toBe('small')
    expect(nameOf({ prefixes: { record: '', query: 'query: ' } })).toBe('small')
    expect(nameOf({ prefixes: { record: 'passage: ', query: '' } })).not.toBe('small')
  })
})

describe('an embedding endpoint that fails', () => {
  it.each([
    [500, '500'],
    [502, '502'],
    [401, 'refuses the key'],
    [403, 'refuses the key'],
    [404, '/embeddings'],
    [402, '402'],
  ])(
    'status %i makes the embedder unavailable, and the error shows neither the response nor the key',
    async (status, expected) => {
      endpoint.misbehave(answering(status, { 'www-authenticate': apiKey }))
      const error = await failure({ apiKey })
      expect(error).toBeInstanceOf(EmbedderUnavailable)
      expect(error.message).toContain(expected)
      expect(error.message).not.toMatch(/sk-of|"no"/)
      expect((error as EmbedderUnavailable).askAgainIn).toBeUndefined()
    },
  )

  it.each([
    [429, '7', 7_000, 7_000],
    [503, 'Fri, 31 Dec 2100 23:59:59 GMT', 600_000, 600_000],
    [429, '999999999', 600_000, 600_000],
    [429, 'soon', 1_000, 1_000],
    [429, '-5', 1_000, 1_000],
  ])('status %i with Retry-After %s sets the time of the next request', async (status, header, least, most) => {
    endpoint.misbehave(answering(status, { 'retry-after': header }))
    const { askAgainIn } = (await failure()) as EmbedderUnavailable
    expect(askAgainIn).toBeGreaterThanOrEqual(least)
    expect(askAgainIn).toBeLessThanOrEqual(most)
  })

  it.each([400, 413, 422])('status %i refuses the texts', async (status) => {
    endpoint.misbehave(answering(status))
    expect(await failure()).toBeInstanceOf(TextRefused)
  })

  it('a zero vector refuses the text', async () => {
    endpoint.misbehave(withSecond(Array.from({ length: endpointDimensions }, () => 0)))
    expect(await failure()).toBeInstanceOf(TextRefused)
  })

  it('redirects are not followed, so texts and key go nowhere else', async () => {
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
    ['an empty body', saying(() => '')],
    ['null', saying(() => 'null')],
    ['an error with status 200', saying(() => '{"error": {"message": "no"}}')],
    ['NaN', saying((asked) => JSON.stringify(answerTo(asked)).replace(/-?0\.\d+/, 'NaN'))],
    ['one vector too few', saying((asked) => JSON.stringify({ data: answerTo(asked).data.slice(1) }))],
    ['one too many', saying((asked) => JSON.stringify({ data: [...answerTo(asked).data, { embedding: vector() }] }))],
    [
      'the same index twice',
      saying((a) => JSON.stringify({ data: answerTo(a).data.map((d) => ({ ...d, index: 0 })) })),
    ],
    [
      'an index that is out of range',
      saying((a) => JSON.stringify({ data: answerTo(a).data.map((d) => ({ ...d, index: 7 })) })),
    ],
    ['other dimensions for one text', withSecond(vector().slice(1))],
    ['null instead of a number', withSecond(changed(null))],
    ['text instead of a number', withSecond(changed('0.1'))],
    ['base64 instead of numbers', withSecond('AACAPwAAgD8=')],
    ['a vector of a single number', withSecond([1])],
    ['more dimensions than can be stored', withSecond(Array.from({ length: 5_000 }, () => 0.1))],
    ['null instead of a vector', withSecond(null)],
  ])('a response with %s makes the embedder unavailable', async (_, how) => {
    endpoint.misbehave(how)
    expect(await failure()).toBeInstanceOf(EmbedderUnavailable)
  })

  it('vectors with other dimensions than configured make the embedder unavailable', async () => {
    endpoint.misbehave(saying((asked) => JSON.stringify(answerTo({ ...asked, dimensions: 32 }))))
    expect((await failure({ dimensions: 64 })).message).toContain('32 dimensions instead of 64')
  })

  it('a response that never ends is aborted at a size limit', async () => {
    let sent = 0
    let closed = false
    endpoint.misbehave((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      const more = () => {
        sent += 64 * 1024
        response.write(' '.repeat(64 * 1024), () => void (closed || setImmediate(more)))
      }
      response.once('close', () => {
        closed = true
      })
      more()
      return true
    })
    const error = await failure()
    expect(error).toBeInstanceOf(EmbedderUnavailable)
    expect(error.message).toContain('longer than')
    await expect.poll(() => closed).toBe(true)
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
  ])('an endpoint that %s is given up at the timeout', async (_, how) => {
    endpoint.misbehave(how)
    const error = await failure({}, AbortSignal.timeout(100))
    expect(error).toBeInstanceOf(EmbedderUnavailable)
    expect(error.message).toContain('in time')
  })

  it('a closed connection or an unreachable endpoint makes the embedder unavailable', async () => {
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
