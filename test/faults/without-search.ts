/** What callers get while Elasticsearch is unavailable, and after it has recovered. */
import { expect } from 'vitest'
import { applied, type Caller, call, type ReceiptBody, syncAll, write } from '../support/http.ts'

const memories = '/v1/context/memories'
const search = '/v1/context/search'
const decisionSearch = '/v1/decisions/search'

/** Applied before the outage, and read during it. */
export interface Known {
  /** Only the titles of these two contain it. */
  word: string
  memory: string
  decision: string
}

export async function knownIn(caller: Caller, word: string): Promise<Known> {
  const [memory, decision] = await Promise.all([
    applied(caller, memories, `known-fact-${word}`, { kind: 'fact', title: `Fact of ${word}`, content: 'It holds.' }),
    applied(caller, '/v1/decisions', `known-decision-${word}`, {
      title: `Choice of ${word}`,
      judgment: 'We chose it.',
    }),
  ])
  return { word, memory: memory.entity?.id as string, decision: decision.entity?.id as string }
}

/** Makes two writes and all reads. Returns the receipts, which are still open. */
export async function answersWithoutSearch(caller: Caller, known: Known): Promise<string[]> {
  const [taken] = await Promise.all([
    takesWrites(caller, known),
    refuses(caller, search, { q: known.word }),
    refuses(caller, decisionSearch, { q: known.word }),
    reads(caller, known),
    briefs(caller, known, true),
    tellsOperators(caller),
  ])
  return taken
}

export async function answersWithSearch(caller: Caller, known: Known, taken: readonly string[]): Promise<void> {
  for (const id of taken) {
    const { body } = await call<ReceiptBody>(caller, 'GET', `/v1/receipts/${id}?wait=30`)
    expect(body.state).toBe('applied')
  }
  const found = await call<Items>(caller, 'POST', search, { q: known.word })
  expect(found.status).toBe(200)
  expect(found.body.items.map(({ title }) => title).sort()).toEqual([
    `Choice of ${known.word}`,
    `Correction of ${known.word}`,
    `Late fact of ${known.word}`,
  ])
  await briefs(caller, known, false)
  const { body } = await call<Ready>(caller, 'GET', '/readyz')
  expect(body).toMatchObject({ ready: true, engines: { search: null } })
}

interface Items {
  items: { id: string; title: string }[]
}

interface Ready {
  ready: boolean
  engines: { search: string | null }
  problems: string[]
}

/** A new record and a correction are accepted, decided, and visible to every read except search. */
async function takesWrites(caller: Caller, { word, memory }: Known): Promise<string[]> {
  const late = { kind: 'fact', title: `Late fact of ${word}`, content: 'It came late.' }
  const correction = { kind: 'correction', title: `Correction of ${word}`, content: 'It holds no more.' }
  const answers = await Promise.all([
    call<ReceiptBody>(caller, 'POST', memories, late, { 'idempotency-key': `late-${word}`, prefer: 'wait=1' }),
    write(caller, memories, `correction-${word}`, { ...correction, corrects_memory_id: memory }),
  ])
  expect(answers.map(({ status }) => status)).toEqual([202, 202])
  const shown = () =>
    syncAll(caller).then((changes) =>
      changes
        .filter(({ title }) => title.endsWith(` of ${word}`))
        .map(typed)
        .sort(),
    )
  await expect
    .poll(shown, { timeout: 30_000 })
    .toEqual([
      `Choice of ${word}: upsert`,
      `Correction of ${word}: upsert`,
      `Fact of ${word}: superseded`,
      `Late fact of ${word}: upsert`,
    ])
  for (const { body } of answers) {
    const receipt = await call<ReceiptBody>(caller, 'GET', `/v1/receipts/${body.receipt_id}`)
    expect(receipt).toMatchObject({ status: 200, body: { state: 'processing' } })
    expect(Number(receipt.headers.get('retry-after'))).toBeGreaterThan(0)
  }
  return answers.map(({ body }) => body.receipt_id)
}

const typed = ({ title, change_type }: { title: string; change_type: string }) => `${title}: ${change_type}`

async function refuses(caller: Caller, path: string, body: object): Promise<void> {
  const answer = await call(caller, 'POST', path, body)
  expect(answer).toMatchObject({ status: 503, body: { code: 'unavailable', retryable: true } })
  expect(answer.headers.get('content-type')).toContain('application/problem+json')
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
}

/** Reads that need only the store: the newest, by reference, by ids, and single records. */
async function reads(caller: Caller, { word, memory, decision }: Known): Promise<void> {
  const reference = { type: 'memory', id: memory }
  const asked: [string, object][] = [
    [search, {}],
    [search, { references: [reference] }],
    [search, { references: [reference], q: word }],
    [decisionSearch, { ids: [decision] }],
  ]
  const answers = await Promise.all(asked.map(([path, body]) => call<Items>(caller, 'POST', path, body)))
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
  const [newest, ...named] = answers.map(({ body }) => body.items.map(({ id }) => id))
  expect(newest?.length).toBeGreaterThan(0)
  expect(named).toEqual([[memory], [memory], [decision]])
  const paths = [`${memories}/${memory}`, `/v1/decisions/${decision}`, '/v1/receipts']
  const gotten = await Promise.all(paths.map((path) => call(caller, 'GET', path)))
  expect(gotten.map(({ status }) => status)).toEqual([200, 200, 200])
}

async function briefs(caller: Caller, { word }: Known, degraded: boolean): Promise<void> {
  const [asked, standing] = await Promise.all(
    [`/v1/context/brief?query=${word}`, '/v1/context/brief'].map((path) =>
      call<{ markdown: string; diagnostics: { degraded: boolean; failure_reasons: string[] } }>(caller, 'GET', path),
    ),
  )
  expect(asked?.status).toBe(200)
  expect(asked?.body.diagnostics.degraded).toBe(degraded)
  expect(asked?.body.diagnostics.failure_reasons).toEqual(degraded ? [expect.stringMatching(/^Search is not/)] : [])
  expect(asked?.body.markdown).toContain(`Choice of ${word}`)
  // this read needs no search
  expect(standing).toMatchObject({ status: 200, body: { diagnostics: { degraded: false, failure_reasons: [] } } })
}

/** It is ready, because it still accepts writes, and names the problem. */
async function tellsOperators(caller: Caller): Promise<void> {
  const { status, body } = await call<Ready>(caller, 'GET', '/readyz')
  expect(status).toBe(200)
  expect(body.engines.search).toMatch(/^elasticsearch: /)
  expect(body.problems).toContainEqual(expect.stringMatching(/^search: elasticsearch: /))
  const metrics = await fetch(`${caller.url}/metrics`, { headers: { authorization: `Bearer ${caller.key}` } })
  expect(await metrics.text()).toMatch(/^precedent_engine_well\{port="search"\} 0$/m)
}
