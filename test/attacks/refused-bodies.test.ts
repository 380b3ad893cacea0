/** Bodies that are refused before they reach an engine. */
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { json } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Answer, type Body, type Serving, send, serve } from '../http/serving.ts'
import { heldBy } from '../support/blocked-thread.ts'

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

/** Sends lines without a copy of them all: `fetch` copies a body at once, in the thread that is measured. */
async function upload(path: string, bytes: Buffer) {
  made += 1
  const headers = { ...lines, authorization: `Bearer ${serving.adminKey}`, 'idempotency-key': `attack-${made}` }
  const sent = request(serving.url + path, { method: 'POST', headers: { ...headers, 'content-length': bytes.length } })
  sent.end(bytes)
  // the service closes the connection of a body that it has refused
  sent.on('error', () => {})
  const [answer] = (await once(sent, 'response')) as [IncomingMessage]
  return { status: answer.statusCode, ...((await json(answer)) as { detail?: string }) }
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

it.each([
  ['empty lines', () => Buffer.alloc(63 * MiB, '\n'), /blank lines/],
  ['lines of {}', () => Buffer.alloc(63 * MiB, '{}\n'), /more than 1000 items/],
])('a batch of %s is refused before any line is parsed', async (_, body, said) => {
  const bytes = body()
  const { result, longest: held } = await heldBy(() => upload(batch, bytes), mostHeld)
  expect({ status: result.status, detail: result.detail }).toEqual({
    status: 400,
    detail: expect.stringMatching(said),
  })
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
})
