/** Bodies that reach the engines, and batches, which are refused in part. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Answer, type Serving, send, serve } from '../http/serving.ts'
import { heldBy } from '../support/blocked-thread.ts'
import * as legal from './legal-inputs.ts'

/** ms. The budget is 200. This is three times as much, for a busy machine, and far less than any defect costs. */
const mostHeld = 600
const MiB = 1024 * 1024

let serving: Serving
let reader: string
beforeAll(async () => {
  serving = await serve()
  reader = await serving.key(['context:read'])
})
afterAll(() => serving.stop())

const batch = '/v1/decisions/batch'
const search = '/v1/context/search'
const memories = '/v1/context/memories'
const decisions = '/v1/decisions'
const lines = { 'content-type': 'application/x-ndjson' }

let made = 0
function post(path: string, body: unknown, headers: Record<string, string> = {}): Promise<Answer> {
  made += 1
  const key = path === search ? reader : serving.adminKey
  return send(serving.url, 'POST', path, { key, body, headers: { 'idempotency-key': `attack-${made}`, ...headers } })
}

describe('a batch', () => {
  it.each([
    ['fields', () => `{"external_id":"e"${Array.from({ length: 500_000 }, (_, at) => `,"k${at}":1`).join('')}}`],
    ['lists', () => `[${'[],'.repeat(MiB)}[]]`],
    ['characters', () => `{"external_id":"e","title":"${'é'.repeat(5 * MiB)}"}`],
    ['levels', () => '['.repeat(100) + ']'.repeat(100)],
  ])('refuses only the decision with too many %s, and accepts the others', async (_, item) => {
    const good = JSON.stringify({ external_id: `beside-${made}`, title: 'Good', judgment: 'Do it.' })
    for (const [body, headers] of [
      [`{"decisions":[${item()},${good}]}`, {}],
      [`${item()}\n${good}`, lines],
    ] as const) {
      const { result, longest: held } = await heldBy(() => post(batch, body, headers), mostHeld)
      expect(result.status, JSON.stringify(result.body)).toBe(202)
      expect(result.body.refused).toMatchObject([{ index: 0, external_id: null }])
      expect(['payload_too_large', 'invalid_request']).toContain(result.body.refused[0].problem.code)
      expect(result.body.receipts).toMatchObject([{ index: 1 }])
      expect(held).toBeLessThan(mostHeld)
    }
  })

  it('a batch of 1,000 decisions with full lists is accepted without blocking the thread', async () => {
    const all = Array.from({ length: 1_000 }, (_, at) =>
      legal.decision(`full-${at}`, 'Word after word. '.repeat(1_000)),
    )
    const bytes = Buffer.from(JSON.stringify({ decisions: all.map(({ supersedes: _, ...one }) => one) }))
    const quiet = await serve({ work: false })
    let tries = 0
    const { result, longest: held } = await heldBy(() => {
      // a repeated key would be answered without the work
      const headers = { 'idempotency-key': `full-lists-${++tries}` }
      return send(quiet.url, 'POST', batch, { key: quiet.adminKey, body: bytes, headers })
    }, mostHeld)
    expect(result.body.receipts).toHaveLength(1_000)
    expect(held).toBeLessThan(mostHeld)
    await quiet.stop()
  })

  it('a batch that is not JSON is refused as a whole, with the position of the error', async () => {
    const good = { external_id: 'of-no-json', title: 'Good', judgment: 'Do it. 😀' }
    const before = `{\n  "decisions": [${JSON.stringify(good)},\n`
    const { status, body } = await post(batch, `${before}  {"title": é}]}`)
    const position = before.length + 12
    expect({ status, details: body.details }).toEqual({ status: 400, details: { position, line: 3, column: 13 } })
    const behind = await post(batch, `${before} {}], "x": é}`)
    expect(behind.body.details).toEqual({ position: before.length + 11, line: 3, column: 12 })
    for (const wrong of ['[{},]', '[,{}]', '[{} {}]', '[{]}', '[{}', '[']) {
      expect((await post(batch, `{"decisions":${wrong}}`)).body.code).toBe('malformed_json')
    }
    const list = await send(serving.url, 'GET', '/v1/receipts?operation=decision.import&limit=200', {
      key: serving.adminKey,
    })
    expect(JSON.stringify(list.body)).not.toContain('of-no-json')
  })

  it('a batch has exactly one list of decisions, and may contain spaces wherever JSON allows them', async () => {
    const item = (id: string) => `{ "external_id" : "${id}", "title": "[{,", "judgment": "\\"]}" }`
    const spaced = await post(batch, `\n{ "decisions" : [ ${item('spaced-1')} ,\n${item('spaced-2')} ] }\n`)
    expect(spaced.body.receipts).toHaveLength(2)
    expect((await post(batch, '{"decisions":[ \n ]}')).body.detail).toMatch(/is empty/)
    const twice = await post(batch, `{"decisions":[${item('t')}],"decisions":[${item('t')}]}`)
    expect(twice.body.detail).toBe('decisions: is given twice: send it once')
    const other = await post(batch, `{"decisions":[${item('o')}],"tags":["a"]}`)
    expect(other.body.details.issues).toEqual([{ path: 'tags', message: 'unknown field: leave it out' }])
  })
})

describe('a text', () => {
  const marks = `a${'\u0315\u0301\u0316\u0334'.repeat(40_000)}`

  it('a text of 160,000 combining marks is stored and found without blocking the thread', async () => {
    const { result, longest: held } = await heldBy(async () => {
      const answer = await post(memories, { kind: 'fact', content: `Zalgo ${marks}` }, { prefer: 'wait=30' })
      await send(serving.url, 'POST', search, { key: reader, body: { q: 'zalgo' } })
      return answer
    }, mostHeld)
    expect(result.body.state, JSON.stringify(result.body)).toBe('applied')
    expect(held).toBeLessThan(mostHeld)
  })
})

describe('texts that rules and indexing read', () => {
  const unspaced = '漢字。'.repeat(6_600)
  it.each([
    ['dots', { kind: 'fact', content: `We probably use Kafka.\n${'.'.repeat(199_000)}x` }],
    ['questions', { kind: 'fact', content: `Open: who owns it?\n${'?'.repeat(19_800)}x` }],
    ['versions', { kind: 'fact', content: `The limit of Zork is ${'v5, '.repeat(215)}x` }],
    ['other versions', { kind: 'fact', content: `The limit of Zork is ${'v7, '.repeat(215)}x` }],
    ['Chinese', { judgment: unspaced, context: { constraints: Array(9).fill(unspaced) } }],
    ['ligatures', { judgment: 'ﷺ'.repeat(19_900), context: { constraints: Array(9).fill('ﷺ'.repeat(19_900)) } }],
  ])('a long text of %s is applied and compared without blocking the thread', async (title, text) => {
    const { result, longest: held } = await heldBy(async () => {
      const path = 'kind' in text ? memories : decisions
      return post(path, { title, ...text }, { prefer: 'wait=30' })
    }, mostHeld)
    expect(result.body.state, JSON.stringify(result.body)).toBe('applied')
    expect(held).toBeLessThan(mostHeld)
  })
})

describe('an object that has a name twice', () => {
  it.each([
    ['{"kind":"fact","content":"a","content":"b"}', 'content'],
    ['{"kind":"fact","content":"a","visibility":{"scope":"private","\\u0073cope":"workspace"}}', 'visibility.scope'],
    ['{"kind":"fact","content":"a","sources":[{"type":"x"},{"type":"x","type":"y"}]}', 'sources[1].type'],
  ])('%s is refused with its path', async (body, path) => {
    const { status, body: answer } = await post(memories, body)
    expect({ status, detail: answer.detail }).toEqual({ status: 400, detail: `${path}: is given twice: send it once` })
  })

  it('is refused within a batch, and colons within texts do not count', async () => {
    const items = [
      '{"external_id":"n:1","title":"a","title":"b","judgment":"c"}',
      '{"external_id":"n:2","title":"\\":{:","judgment":"c"}',
    ]
    const { body } = await post(batch, `{"decisions":[${items.join()}]}`)
    expect(body.receipts).toHaveLength(1)
    expect(body.refused).toMatchObject([{ index: 0, problem: { detail: 'title: is given twice: send it once' } }])
  })
})

describe('names that every object has', () => {
  const names = ['constructor', 'toString', '__proto__', 'hasOwnProperty']

  it.each(names)('%s as a text is stored and found', async (name) => {
    const source = { type: name, id: name, title: name }
    const fact = {
      kind: 'fact',
      content: `The limit is 5 ${name} per hour. ${name}`,
      title: name,
      topics: [name],
      sources: [source],
    }
    const remembered = await post(memories, fact, { prefer: 'wait=30' })
    expect(remembered.body.state, JSON.stringify(remembered.body)).toBe('applied')
    const decision = {
      title: name,
      judgment: name,
      external_id: name,
      entities: [{ type: name, id: name }],
      decided_by: [name],
    }
    const recorded = await post(decisions, decision, { prefer: 'wait=30' })
    expect(recorded.body.state, JSON.stringify(recorded.body)).toBe('applied')
    const cited = await post(search, { references: [{ type: name, id: name }] })
    expect(cited.body.items.map(({ id }: { id: string }) => id)).toEqual([remembered.body.entity.id])
    const found = await post('/v1/decisions/search', { q: name, entity_type: name, threshold: 0 })
    expect(found.body.items).toMatchObject([{ title: name, external_id: name, entities: [{ type: name, id: name }] }])
    const memory = await send(serving.url, 'GET', `${memories}/${remembered.body.entity.id}`, { key: reader })
    expect(memory.body).toMatchObject({ topics: [name], sources: [{ type: name, id: name, title: name }] })
  })
})
