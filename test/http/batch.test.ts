import { connect } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { batchResponse } from '../../src/http/base/batch-response.ts'
import { problemResponse } from '../../src/http/base/problem.ts'
import { type Answer, type Serving, send, serve } from './serving.ts'

const path = '/v1/decisions/batch'
let serving: Serving
beforeAll(async () => {
  serving = await serve()
})
afterAll(() => serving.stop())

function decision(external_id: string, more = {}) {
  return { external_id, title: `Decision ${external_id}`, judgment: 'Do it.', context: 'Because.', ...more }
}

function importing(key: string, body: unknown, headers = {}): Promise<Answer> {
  return send(serving.url, 'POST', path, {
    key: serving.adminKey,
    body,
    headers: { 'idempotency-key': key, ...headers },
  })
}

const ndjson = { 'content-type': 'application/x-ndjson' }

it('each decision of a batch is accepted or refused independently', async () => {
  const decisions = [
    decision('one'),
    decision('two', { status: 'imagined' }),
    { title: 'No id', judgment: 'x', context: 'y' },
    decision('one', { title: 'Again' }),
    'nothing',
    decision('three', { context: 'half \ud800' }),
    decision('four'),
  ]
  const { status, body } = await importing('mixed-batch', { decisions })
  expect(status, JSON.stringify(body)).toBe(202)
  const batch = batchResponse.parse(body)
  expect(batch.receipts.map(({ index, external_id }) => [index, external_id])).toEqual([
    [0, 'one'],
    [6, 'four'],
  ])
  expect(batch.receipts[0]?.receipt.operation).toBe('decision.import')
  expect(batch.refused.map(({ index, problem }) => [index, problem.code])).toEqual(
    [1, 2, 3, 4, 5].map((index) => [index, 'invalid_request']),
  )
})

it('an idempotency key in a decision of a batch is refused', async () => {
  const decisions = [decision('keyed', { idempotency_key: 'my-own-key' }), decision('beside')]
  const { body } = await importing('keyed-item', { decisions })
  expect(batchResponse.parse(body)).toMatchObject({ receipts: [{ index: 1 }], refused: [{ external_id: 'keyed' }] })
  expect(body.refused[0].problem.detail).toContain('idempotency_key')
})

it('a batch that is sent again with its key gets the same receipts, and its new decisions are accepted', async () => {
  const first = batchResponse.parse(
    (await importing('resumed-import', { decisions: [decision('a'), decision('b')] })).body,
  )
  const decisions = [decision('c'), decision('b'), decision('a')]
  const again = batchResponse.parse((await importing('resumed-import', { decisions })).body)
  expect(again.batch_id).toBe(first.batch_id)
  const id = (batch: typeof first, external: string) =>
    batch.receipts.find(({ external_id }) => external_id === external)?.receipt.receipt_id
  expect([id(again, 'a'), id(again, 'b')]).toEqual([id(first, 'a'), id(first, 'b')])
  expect(id(again, 'c')).toBeDefined()
  const changed = await importing('resumed-import', { decisions: [decision('a', { title: 'Other' })] })
  expect({ status: changed.status, code: changed.body.code }).toEqual({ status: 409, code: 'idempotency_conflict' })
  expect(changed.body.details.refused[0].problem.receipt_id).toBe(id(first, 'a'))
  const other = batchResponse.parse((await importing('another-import', { decisions: [decision('a')] })).body)
  expect(other.batch_id).not.toBe(first.batch_id)
})

it('the valid lines of NDJSON are accepted if another line is malformed', async () => {
  const lines = [JSON.stringify(decision('n1')), '', '{"external_id": "n2"', JSON.stringify(decision('n3')), '']
  const { status, body } = await importing('lines-of-json', lines.join('\r\n'), ndjson)
  expect(status, JSON.stringify(body)).toBe(202)
  expect(body.receipts.map((item: { index: number }) => item.index)).toEqual([0, 2])
  expect(body.refused[0]).toMatchObject({ index: 1, external_id: null, problem: { code: 'malformed_json' } })
})

it('each refused line of NDJSON is named by its number, and blank lines count', async () => {
  const lines = ['', JSON.stringify(decision('l1')), '{"a": x}', '', JSON.stringify(decision('l2', { status: 'no' }))]
  const { body } = await importing('lines-named', lines.join('\n'), ndjson)
  expect(body.refused.map(({ index, line }: { index: number; line: number }) => [index, line])).toEqual([
    [1, 3],
    [2, 5],
  ])
  expect(body.refused[0].problem).toMatchObject({
    detail: expect.stringContaining('at line 3, column 7'),
    details: { line: 3, column: 7 },
  })
})

it('the answer is a problem that lists each refusal if no decision of a batch was accepted', async () => {
  const { status, headers, body } = await importing('all-refused', {
    decisions: [decision('r1', { status: 'imagined' }), decision('r2', { titel: 'x' })],
  })
  expect({ status, type: headers.get('content-type') }).toEqual({
    status: 400,
    type: 'application/problem+json',
  })
  expect(problemResponse.parse(body).details).toMatchObject({
    refused: [
      { index: 0, external_id: 'r1', problem: { code: 'invalid_request' } },
      { index: 1, external_id: 'r2', problem: { detail: 'titel: unknown field: did you mean `title`?' } },
    ],
  })
})

it('the answer to a batch that was accepted before has Idempotent-Replayed', async () => {
  const decisions = [decision('replayed-1'), decision('replayed-2')]
  expect((await importing('replayed-batch', { decisions })).headers.get('idempotent-replayed')).toBeNull()
  expect((await importing('replayed-batch', { decisions })).headers.get('idempotent-replayed')).toBe('true')
  const more = await importing('replayed-batch', { decisions: [...decisions, decision('replayed-3')] })
  expect(more.headers.get('idempotent-replayed')).toBeNull()
})

it('the receipts of a batch are listed, and counted by state', async () => {
  const decisions = Array.from({ length: 30 }, (_, at) => decision(`counted-${at}`))
  const { batch_id } = (await importing('counted-batch', { decisions })).body
  const list = () => send(serving.url, 'GET', `/v1/receipts?batch_id=${batch_id}&limit=7`, { key: serving.adminKey })
  await expect.poll(async () => (await list()).body.counts.applied, { timeout: 20_000 }).toBe(30)
  const { items, next_cursor } = (await list()).body
  expect(items).toHaveLength(7)
  expect(next_cursor).toBeDefined()
})

it.each([
  ['no decisions', { decisions: [] }, {}, 400],
  ['more than a thousand', { decisions: Array.from({ length: 1001 }, (_, at) => decision(`m${at}`)) }, {}, 400],
  ['more than a thousand lines', `${JSON.stringify(decision('m'))}\n`.repeat(1001), ndjson, 400],
  ['another shape', [decision('x')], {}, 400],
  ['an unknown field', { decisions: [decision('x')], dry_run: true }, {}, 400],
  ['another type', 'a,b', { 'content-type': 'text/csv' }, 415],
  ['a compressed body', 'x', { ...ndjson, 'content-encoding': 'gzip' }, 415],
])('a batch with %s is refused as a whole', async (_, body, headers, status) => {
  const before = await send(serving.url, 'GET', '/v1/receipts?operation=decision.import&limit=200', {
    key: serving.adminKey,
  })
  expect((await importing('refused-batch', body, headers)).status).toBe(status)
  const after = await send(serving.url, 'GET', '/v1/receipts?operation=decision.import&limit=200', {
    key: serving.adminKey,
  })
  expect(after.body.items.length).toBe(before.body.items.length)
})

it('a batch needs an idempotency key', async () => {
  const { status, body } = await send(serving.url, 'POST', path, {
    key: serving.adminKey,
    body: { decisions: [decision('x')] },
  })
  expect({ status, path: body.details.issues[0].path }).toEqual({ status: 400, path: 'Idempotency-Key' })
})

it('a batch may be larger than a single write', async () => {
  const judgment = 'long '.repeat(3000)
  const decisions = Array.from({ length: 700 }, (_, at) => decision(`large-${at}`, { judgment }))
  const { status, body } = await importing('large-batch', { decisions })
  expect(status).toBe(202)
  expect(body.receipts).toHaveLength(700)
})

it('the import slot is freed if a caller disconnects before its body was read', async () => {
  const held = [openImport('held-0000'), openImport('held-0001')]
  await Promise.all(held.map(({ begun }) => begun))
  const waiting = [openImport('left-0000'), openImport('left-0001')]
  await Promise.all(waiting.map(({ begun }) => begun))
  for (const { socket } of waiting) {
    const closed = new Promise((resolve) => socket.once('close', resolve))
    socket.destroy()
    await closed
  }
  const answers = held.map(({ socket, rest }) => {
    const answer = new Promise<string>((resolve) => socket.once('data', (chunk) => resolve(chunk.toString())))
    socket.write(rest)
    return answer
  })
  for (const answer of await Promise.all(answers)) expect(answer).toMatch(/^HTTP\/1\.1 202 /)
  for (const { socket } of held) socket.destroy()
  const next = ['next-0000', 'next-0001', 'next-0002']
  const after = await Promise.all(next.map((key) => importing(key, { decisions: [decision(key)] })))
  expect(after.map(({ status }) => status)).toEqual([202, 202, 202])
})

/** An import that has sent its head and a part of its body. */
function openImport(key: string) {
  const body = JSON.stringify({ decisions: [decision(key)] })
  const socket = connect(serving.port, '127.0.0.1')
  socket.on('error', () => {})
  const head = [
    `POST ${path} HTTP/1.1`,
    'Host: x',
    `Authorization: Bearer ${serving.adminKey}`,
    'Content-Type: application/json',
    `Idempotency-Key: ${key}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
  ]
  const begun = new Promise<void>((resolve) =>
    socket.write(`${head.join('\r\n')}\r\n\r\n${body.slice(0, 10)}`, () => setTimeout(resolve, 200)),
  )
  return { socket, begun, rest: body.slice(10) }
}
