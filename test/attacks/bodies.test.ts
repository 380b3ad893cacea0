import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Answer, type Body, type Serving, send, serve } from '../http/serving.ts'
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

/** About this many bytes: `begin`, `part` repeated, `end`. */
function filled(bytes: number, begin: string, part: string, end: string): Buffer {
  return Buffer.concat([
    Buffer.from(begin),
    Buffer.from(part.repeat(bytes / Buffer.byteLength(part))),
    Buffer.from(end),
  ])
}

const memory = (field: string, text: string | Buffer) =>
  Buffer.concat([Buffer.from(`{"kind":"fact","content":"x",${field}`), Buffer.from(text)])
const inSource = (begin: string, part: string) =>
  filled(7.9 * MiB, `{"kind":"fact","content":"x","sources":[{"type":"t","url":"${begin}`, part, '"}]}')

type Attack = readonly [name: string, path: string, body: () => Buffer | string, status: number, said: RegExp]

const attacks: readonly Attack[] = [
  ['a batch of {}', batch, () => filled(63 * MiB, '{"decisions":[', '{},', '{}]}'), 400, /more than 1000 items/],
  ['a search of 700,000 unknown fields', search, unknownFields(700_000), 413, /at most/],
  ['a search of unknown fields within its bytes', search, unknownFields(100_000), 413, /only known fields/],
  ['a search of empty references', search, () => filled(MiB, '{"references":[', '{},', '{}]}'), 413, /fewer items/],
  [
    'a memory of empty sources',
    memories,
    () => memory('"sources":[', `${'{},'.repeat(1_200)}{}]}`),
    400,
    /at most 50 items/,
  ],
  ['lists in lists', memories, () => '['.repeat(7 * MiB), 400, /nested deeper/],
  ['a url of [', memories, () => inSource('', '['), 400, /url: must have at most 2000 characters/],
  ['a url of labels', memories, () => inSource('http://', 'é.'), 400, /url: must have at most 2000 characters/],
  [
    'an idempotency key of 8 MiB',
    memories,
    () => filled(7.9 * MiB, '{"idempotency_key":"', '😀', '"}'),
    400,
    /8 to 200/,
  ],
  ['a field with a name of 8 MiB', memories, () => filled(7.9 * MiB, '{"', 'k', '":1}'), 400, /unknown field/],
  ['text before an error', memories, () => filled(7.9 * MiB, '"', '\\u00e9', 'x'), 400, /ends too early at line 1/],
  ['lines before an error', memories, () => filled(7.9 * MiB, '', '\n', 'x'), 400, /at line 8283751, column 1/],
  ['digits before an error', memories, () => filled(7.9 * MiB, '', '1', 'x'), 400, /not JSON at line 1/],
  ['bytes that are no UTF-8', memories, () => Buffer.alloc(7.9 * MiB, 0xff), 400, /not UTF-8 from byte 0 on/],
]

it.each(attacks)('%s is refused without blocking the thread', async (_, path, body, status, said) => {
  const bytes = body()
  const { result, longest: held } = await heldBy(() => post(path, bytes), mostHeld)
  expect({ status: result.status, said: JSON.stringify(result.body) }).toEqual({
    status,
    said: expect.stringMatching(said),
  })
  expect(result.body.details?.issues?.length ?? 0).toBeLessThanOrEqual(100)
  expect(JSON.stringify(result.body).length).toBeLessThan(20_000)
  expect(held).toBeLessThan(mostHeld)
})

function unknownFields(count: number) {
  return () => `{"q":"x"${Array.from({ length: count }, (_, at) => `,"k${at}":1`).join('')}}`
}

describe('a batch', () => {
  it.each([
    ['empty lines', () => Buffer.alloc(63 * MiB, '\n'), /blank lines/],
    ['lines of {}', () => Buffer.alloc(63 * MiB, '{}\n'), /more than 1000 items/],
  ])('of %s is refused before any line is parsed', async (_, body, said) => {
    const { result, longest: held } = await heldBy(() => post(batch, body(), lines), mostHeld)
    expect({ status: result.status, detail: result.body.detail }).toEqual({
      status: 400,
      detail: expect.stringMatching(said),
    })
    expect(held).toBeLessThan(mostHeld)
  })

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

  it('a url with a host that is slow to convert is refused', async () => {
    const host = Array.from({ length: 1_990 }, (_, at) => String.fromCodePoint(0x4e00 + at * 7)).join('')
    const sources = Array.from({ length: 50 }, () => ({ type: 't', url: `http://${host}` }))
    const { result, longest: held } = await heldBy(
      () => post(memories, { kind: 'fact', content: 'x', sources }),
      mostHeld,
    )
    expect(result.body.detail).toBe('sources[0].url: must have a host of at most 253 characters')
    expect(held).toBeLessThan(mostHeld / 2)
  })
})

describe('names that every object has', () => {
  const names = ['constructor', 'toString', '__proto__', 'hasOwnProperty']
  const issuesOf = ({ body }: Answer) => (body.details?.issues ?? []).map(({ path }: { path: string }) => path)

  it.each(names)('%s is named if it is an unknown field or parameter', async (name) => {
    const field = (path: string, rest = '') => post(path, `{"${name}":1${rest}}`)
    expect(issuesOf(await field(search))).toEqual([name])
    expect(issuesOf(await field('/v1/context/sync'))).toEqual([name])
    expect(issuesOf(await field('/v1/decisions/search', ',"q":"x"'))).toEqual([name])
    expect(issuesOf(await field(memories, ',"kind":"fact","content":"x"'))).toEqual([name])
    expect(issuesOf(await field(decisions, ',"title":"t","judgment":"j"'))).toEqual([name])
    expect(issuesOf(await field('/v1/context/resolve', ',"question_id":"q","resolution":"confirm"'))).toEqual([name])
    expect(issuesOf(await field('/admin/keys', ',"name":"n","scopes":["admin"]'))).toEqual([name])
    expect(issuesOf(await field('/admin/reindex'))).toEqual([name])
    expect(issuesOf(await field(batch, ',"decisions":[{}]'))).toEqual([name])
    expect(
      issuesOf(await post(memories, `{"kind":"fact","content":"x","sources":[{"type":"t","${name}":1}]}`)),
    ).toEqual([`sources[0].${name}`])
    for (const path of [
      '/v1/receipts',
      '/v1/context/brief',
      '/v1/receipts/any',
      `${decisions}/0190a8f0-7c3a-7cc1-9b3e-6c0f1d2e3a4b`,
    ]) {
      const answer = await send(serving.url, 'GET', `${path}?${name}=1`, { key: serving.adminKey })
      expect(issuesOf(answer), path).toContain(name)
    }
    expect(
      issuesOf(await send(serving.url, 'GET', `/v1/receipts?${name}=1&${name}=2`, { key: serving.adminKey })),
    ).toEqual([name])
    expect(issuesOf(await send(serving.url, 'POST', `${search}?${name}=1`, { key: reader, body: {} }))).toEqual([name])
  })

  it.each(names)('%s is refused as the value of an enumeration', async (name) => {
    const valued = async (path: string, body: Body) => issuesOf(await post(path, body))
    expect(await valued(memories, { kind: name, content: 'x' })).toEqual(['kind'])
    expect(await valued(memories, { kind: 'fact', content: 'x', visibility: { scope: name } })).toEqual([
      'visibility.scope',
    ])
    const sources = [{ type: 't', provenance: { class: name } }]
    expect(await valued(memories, { kind: 'fact', content: 'x', sources })).toEqual(['sources[0].provenance.class'])
    expect(await valued(decisions, { title: 't', judgment: 'j', category: name })).toEqual(['category'])
    const states = await send(serving.url, 'GET', `/v1/receipts?state=${name}`, { key: serving.adminKey })
    expect(issuesOf(states)).toEqual(['state'])
  })

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
