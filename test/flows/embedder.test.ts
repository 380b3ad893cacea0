/** The optional embedder, through HTTP: search by meaning, and what happens while the embedder is unavailable. */
import { readFileSync } from 'node:fs'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { answering, type Endpoint, embeddingEndpoint } from '../support/embedding-endpoint.ts'
import { applied, call, type ReceiptBody } from '../support/http.ts'
import { profile } from '../support/profile.ts'
import { newDataDir, removeData, type Started, startService } from '../support/service.ts'

const memories = '/v1/context/memories'
const model = 'small-test-model'
const until = { timeout: 45_000, interval: 200 }

let endpoint: Endpoint
let service: Started
let dataDir: string
beforeAll(async () => {
  endpoint = await embeddingEndpoint()
  dataDir = newDataDir()
  service = await startWith()
})
afterEach(() => endpoint.misbehave(undefined))
afterAll(async () => {
  await service.stop()
  await removeData(dataDir)
  await endpoint.stop()
})

const startWith = (more: Record<string, string> = {}) =>
  startService({
    dataDir,
    env: { PRECEDENT_EMBEDDER_URL: endpoint.url, PRECEDENT_EMBEDDER_MODEL: model, ...more },
  })
const startWithout = () => startService({ dataDir })

let writes = 0
const remember = (content: string, more: object = {}): Promise<ReceiptBody> =>
  applied(service, memories, `embedder-${++writes}`, { kind: 'fact', content, ...more })

interface Found {
  items: { id: string; title?: string; snippet: string; score: number }[]
}
const search = async (q: string, key = service.key): Promise<string[]> => {
  const { status, body } = await call<Found>({ url: service.url, key }, 'POST', '/v1/context/search', { q })
  expect(status).toBe(200)
  return body.items.map(({ snippet }) => snippet)
}
interface Told {
  diagnostics: { degraded: boolean; failure_reasons: string[] }
}
const briefAbout = async (query: string): Promise<Told['diagnostics']> => {
  const path = `/v1/context/brief?query=${encodeURIComponent(query)}`
  return (await call<Told>(service, 'GET', path)).body.diagnostics
}
interface Ready {
  ready: boolean
  engines: Record<string, string | null>
  problems: string[]
}
const readiness = async () => (await call<Ready>(service, 'GET', '/readyz')).body
const metric = async (name: string): Promise<number | undefined> => {
  const answer = await fetch(`${service.url}/metrics`, { headers: { authorization: `Bearer ${service.key}` } })
  const line = (await answer.text()).split('\n').find((one) => one.startsWith(`${name} `))
  return line === undefined ? undefined : Number(line.slice(name.length))
}
/** Libraries of the process, among them those of sqlite-vec. */
const loaded = () => readFileSync(`/proc/${service.child.pid}/maps`, 'utf8')
/** Waits until all records have vectors, and queries are embedded. */
const well = async () => {
  await expect.poll(readiness, until).toMatchObject({ engines: { embedder: null }, problems: [] })
  await expect.poll(() => metric('precedent_vectors_missing'), until).toBe(0)
}

describe('with an embedder', () => {
  it('search finds records that mean the same in other words, and ranks them behind records that share a word', async () => {
    await remember('Automobile price list')
    await remember('Tulips bloom in April')
    await remember('The vehicle yard is locked at night')
    await expect.poll(() => search('vehicle fee'), until).toContain('Automobile price list')
    const found = await search('vehicle fee')
    expect(found[0]).toBe('The vehicle yard is locked at night')
    expect(found).not.toContain('Tulips bloom in April')
    await well()
    expect(await briefAbout('vehicle fee')).toMatchObject({ degraded: false, failure_reasons: [] })
    expect(await metric('precedent_record_vectors_total{outcome="embedded"}')).toBeGreaterThanOrEqual(3)
    expect(await metric('precedent_engine_well{port="embedder"}')).toBe(1)
    if (profile === 'embedded') expect(loaded()).toContain('vec0')
  })

  it('search by meaning finds no record that the caller may not see', async () => {
    const mine = 'Physician leave rota'
    await remember(mine, { visibility: { scope: 'private' } })
    await expect.poll(() => search('doctor holiday'), until).toContain(mine)
    const { body } = await call<{ key: string }>(service, 'POST', '/admin/keys', {
      name: 'other',
      user: 'eve',
      scopes: ['context:read', 'context:write'],
    })
    expect(await search('doctor holiday', body.key)).toEqual([])
  })

  it('a text that the endpoint always refuses is counted, and the next texts are embedded', async () => {
    const poison = 'Unspeakable'
    // model servers answer 500 for the whole batch
    endpoint.misbehave((asked, response) => {
      if (!asked.input.some((text) => text.includes(poison))) return false
      return answering(500)(asked, response, undefined as never)
    })
    await remember(`${poison} words of the archive`)
    await remember('Automobile cost of the archive')
    await expect.poll(() => search('vehicle fee'), until).toContain('Automobile cost of the archive')
    await expect.poll(() => metric('precedent_record_vectors_total{outcome="refused"}'), until).toBe(1)
    expect(await search('unspeakable')).toEqual([`${poison} words of the archive`])
    await well()
  })
})

describe('while the embedder is unavailable', () => {
  it('writes are applied and search matches words while the embedder is unavailable, and vectors are added afterwards', async () => {
    await endpoint.stop()
    await remember('Physician fee for travellers')
    // search matches words, without waiting
    expect(await search('travellers')).toEqual(['Physician fee for travellers'])
    expect(await search('doctor price')).not.toContain('Physician fee for travellers')
    const { degraded, failure_reasons } = await briefAbout('what do doctors cost?')
    expect([degraded, failure_reasons]).toEqual([true, [expect.stringContaining('Embeddings are not available')]])
    await expect.poll(readiness, until).toMatchObject({
      ready: true,
      engines: { embedder: expect.stringContaining('unreachable'), documents: null, search: null },
    })
    expect((await readiness()).problems).toContainEqual(expect.stringMatching(/^embedder: the endpoint is unreachable/))
    await expect.poll(() => metric('precedent_vectors_missing'), until).toBeGreaterThan(0)
    await expect.poll(() => metric('precedent_engine_well{port="embedder"}'), until).toBe(0)
    expect(await metric('precedent_engine_failures_total{engine="embedder"}')).toBeGreaterThan(0)
    expect(await metric('precedent_question_vectors_total{outcome="missing"}')).toBeGreaterThan(0)
    // /readyz reports that some records have no vectors yet
    await expect
      .poll(async () => (await readiness()).problems, until)
      .toContainEqual(expect.stringContaining('have no vectors yet'))

    // the state survives a restart
    await service.kill()
    service = await startWith()
    endpoint = await embeddingEndpoint(endpoint.port)
    await expect.poll(() => search('doctor price'), until).toContain('Physician fee for travellers')
    await well()
    // on a busy machine the vector of one query may come too late
    await expect.poll(() => briefAbout('what do doctors cost?'), until).toMatchObject({ degraded: false })
    // only texts without a vector are sent
    expect(endpoint.texts()).not.toContain('Tulips bloom in April')
  })

  it('writes do not wait for an embedder that never answers, nor do searches after the first few', async () => {
    const hanging: { end(): unknown }[] = []
    endpoint.misbehave((_, response) => {
      hanging.push(response)
      return true
    })
    await remember('Automobile wash opens at nine')
    for (const word of ['one', 'two', 'three', 'four']) await search(`opens at nine ${word}`)
    const before = endpoint.asked.length
    for (const word of ['five', 'six', 'seven']) {
      expect(await search(`opens at nine ${word}`)).toContain('Automobile wash opens at nine')
    }
    // none of these queries was sent, apart from occasional probes
    expect(endpoint.asked.slice(before).filter(({ input }) => input[0]?.startsWith('opens at'))).toEqual([])
    // it answers for a second what it found before
    await expect.poll(async () => (await readiness()).engines.embedder, until).not.toBeNull()
    for (const response of hanging) response.end()
    endpoint.misbehave(undefined)
    await well()
  })
})

describe('vectors after a change', () => {
  it('vectors are added to a rebuilt index', async () => {
    endpoint.asked.length = 0
    const { status } = await call(service, 'POST', '/admin/reindex', {})
    expect(status).toBeLessThan(300)
    await expect.poll(() => endpoint.texts(), until).toContain('Automobile price list')
    // the number of missing vectors may be 5 s old, so it does not tell when they are stored
    await expect.poll(() => search('vehicle fee'), until).toContain('Automobile price list')
    await well()
  })

  it('records are embedded again if the model changes, and search finds them', async () => {
    await service.stop()
    endpoint.asked.length = 0
    service = await startWith({ PRECEDENT_EMBEDDER_MODEL: 'another-model', PRECEDENT_EMBEDDER_DIMENSIONS: '128' })
    await expect.poll(() => endpoint.texts(), until).toContain('Automobile price list')
    await well()
    expect(endpoint.asked.every((asked) => asked.model === 'another-model')).toBe(true)
    // the vectors were asked for, and may not be stored yet
    await expect.poll(() => search('vehicle fee'), until).toContain('Automobile price list')
  })
})

describe('without an embedder', () => {
  it('after the embedder is removed, answers equal those of a store that never had vectors', async () => {
    const questions = ['vehicle fee', 'yard at night', 'archive', 'doctor price', 'price list of the archive']
    const answers = async () =>
      Promise.all(
        questions.map(async (q) => {
          const answer = await fetch(`${service.url}/v1/context/search`, {
            method: 'POST',
            headers: { authorization: `Bearer ${service.key}`, 'content-type': 'application/json' },
            body: JSON.stringify({ q, limit: 50 }),
          })
          return (await answer.text()).replace(/"next_cursor":"[^"]*"/, '')
        }),
      )
    await service.stop()
    service = await startWithout()
    const after = await answers()
    expect(JSON.stringify(after)).toContain('Automobile price list')
    expect(after[0]).not.toContain('Automobile price list')
    expect(await readiness()).toEqual({
      ready: true,
      engines: { documents: null, queue: null, search: null },
      problems: [],
    })
    expect(await metric('precedent_vectors_missing')).toBeUndefined()
    expect(await metric('precedent_engine_well{port="embedder"}')).toBeUndefined()
    expect(await briefAbout('vehicle fee')).toMatchObject({ degraded: false })
    if (profile === 'embedded') expect(loaded()).not.toContain('vec0')
    // the same data in a store whose index never had a vector
    const { body } = await call<{ items: { id: string }[] }>(service, 'POST', '/admin/reindex', {})
    expect(body.items.length).toBeGreaterThan(0)
    await expect
      .poll(async () => {
        const listed = await call<{ items: { state: string }[] }>(service, 'GET', '/admin/reindex')
        return listed.body.items.filter(({ state }) => state === 'asked' || state === 'filling')
      }, until)
      .toEqual([])
    expect(await answers()).toEqual(after)
  })
})
