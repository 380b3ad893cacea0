/** `precedent mcp` between a client and an endpoint of the test, which shows what is sent and answers as told. */
import { describe, expect, it } from 'vitest'
import { bridged, echo, finish, key } from './bridged.ts'
import { type Message, startMcp } from './client.ts'
import { json, problem } from './endpoint.ts'

describe('frames', () => {
  it('sends each frame unchanged with the key, and answers in the order in which answers come', async () => {
    const waiting: (() => void)[] = []
    const { to, mcp } = await bridged((received, response) => {
      if (received.body.id === 'slow') waiting.push(() => echo(received, response))
      else echo(received, response)
    })
    mcp.send({ jsonrpc: '2.0', id: 'slow', method: 'tools/list', params: { big: '12345678901234567890' } })
    mcp.send({ jsonrpc: '2.0', id: 2, method: 'ping' })
    expect((await mcp.answer(2)).result).toEqual({ method: 'ping' })
    expect(mcp.lines()).toHaveLength(1)
    waiting[0]?.()
    expect((await mcp.answer('slow')).result).toEqual({
      method: 'tools/list',
      params: { big: '12345678901234567890' },
    })
    expect(to.received[0]).toMatchObject({
      url: '/api/v2/mcp',
      headers: {
        authorization: `Bearer ${key}`,
        accept: 'application/json, text/event-stream',
        'content-type': 'application/json',
      },
    })
    await finish(mcp)
  })

  it('answers more requests than may be under way at one time', async () => {
    const { mcp } = await bridged(echo)
    for (let id = 0; id < 1000; id++) mcp.send({ jsonrpc: '2.0', id, method: 'ping' })
    const messages = await finish(mcp)
    expect(new Set(messages.map(({ id }) => id)).size).toBe(1000)
    expect(messages.filter(({ error }) => error)).toEqual([])
  })

  it('passes the list of tools on that was asked for', async () => {
    const { to, mcp } = await bridged(echo, ['--tools', 'core'])
    await mcp.ask('tools/list')
    expect(to.received[0]?.url).toBe('/api/v2/mcp?tools=core')
    await finish(mcp)
  })

  it('writes nothing for notifications and responses', async () => {
    const { to, mcp } = await bridged(echo)
    mcp.send({ jsonrpc: '2.0', method: 'notifications/initialized' })
    mcp.send({ jsonrpc: '2.0', id: 7, result: {} })
    await mcp.ask('ping')
    expect(await finish(mcp)).toHaveLength(1)
    expect(mcp.stderr()).not.toContain('not delivered')
    expect(to.received.map(({ body }) => body.method)).toEqual(
      expect.arrayContaining(['notifications/initialized', undefined, 'ping']),
    )
  })

  it('sends the version that initialize chose with each later frame', async () => {
    const { to, mcp } = await bridged(({ body }, response) =>
      json(response, { jsonrpc: '2.0', id: body.id, result: { protocolVersion: '2025-06-18' } }),
    )
    await mcp.ask('initialize', { protocolVersion: '2099-01-01' })
    await mcp.ask('tools/list')
    expect(to.received.map(({ headers }) => headers['mcp-protocol-version'])).toEqual([undefined, '2025-06-18'])
    expect(to.received[1]?.headers['mcp-method']).toBeUndefined()
    await finish(mcp)
  })

  it('sends the headers of protocol 2026-07-28 for a request that carries its version', async () => {
    const { to, mcp } = await bridged(echo)
    const _meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' }
    await mcp.ask('tools/call', { name: 'get_brief', arguments: {}, _meta })
    await mcp.ask('resources/read', { uri: 'precedent://décisions', _meta })
    await mcp.ask('tools/list', { _meta })
    const names = ['mcp-protocol-version', 'mcp-method', 'mcp-name']
    const sent = to.received.map(({ headers }) => names.map((name) => headers[name]))
    expect(sent).toEqual([
      ['2026-07-28', 'tools/call', 'get_brief'],
      ['2026-07-28', 'resources/read', `=?base64?${Buffer.from('precedent://décisions').toString('base64')}?=`],
      ['2026-07-28', 'tools/list', undefined],
    ])
    await finish(mcp)
  })

  it('writes an answer of several lines as one line, and each message of a stream as one', async () => {
    const { mcp } = await bridged(({ body }, response) => {
      if (body.id === 1) {
        response.writeHead(200, { 'content-type': 'application/json; charset=utf-8' })
        response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, result: { text: 'a\nb' } }, undefined, 2))
        return
      }
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(': comment\r\n\r\nevent: message\r\ndata: {"jsonrpc":"2.0",\r')
      response.write('\ndata: "method":"notifications/progress"}\r\n\r\nevent: other\ndata: {"jsonrpc":"2.0"}\n\n')
      response.end('id: 4\ndata: {"jsonrpc":"2.0","id":2,"result":{}}\n\n')
    })
    expect((await mcp.ask('one')).result).toEqual({ text: 'a\nb' })
    await mcp.ask('two')
    const [, ...rest] = await finish(mcp)
    expect(rest).toEqual([
      { jsonrpc: '2.0', method: 'notifications/progress' },
      { jsonrpc: '2.0', id: 2, result: {} },
    ])
  })

  it('sends a batch as one request, and answers each request of a batch that is refused', async () => {
    const { to, mcp } = await bridged(({ body }, response) => {
      const batch = body as unknown as Message[]
      if (batch.length === 1) return problem(response, 503, { detail: 'Busy.', code: 'unavailable' })
      return json(
        response,
        batch.map(({ id }) => ({ jsonrpc: '2.0', id, result: {} })),
      )
    })
    mcp.send([
      { jsonrpc: '2.0', id: 1, method: 'ping' },
      { jsonrpc: '2.0', id: 2, method: 'ping' },
    ])
    mcp.send([{ jsonrpc: '2.0', id: 3, method: 'ping' }])
    const messages = await finish(mcp)
    expect(to.received).toHaveLength(2)
    expect(messages.map(({ id, error }) => [id, error?.message]).sort()).toEqual([
      [1, undefined],
      [2, undefined],
      [3, 'Busy.'],
    ])
  })
})

describe('frames that can not be sent', () => {
  it('answers a line that is no JSON with a parse error, and goes on', async () => {
    const { to, mcp } = await bridged(echo)
    mcp.send('{"jsonrpc":"2.0","id":1,')
    mcp.send(Buffer.from([0x22, 0xff, 0x22]))
    mcp.send('')
    mcp.send('17')
    await mcp.ask('ping')
    const codes = (await finish(mcp)).flatMap(({ id, error }) => (id === null ? [error?.code] : []))
    expect(codes).toEqual([-32_700, -32_700, -32_600])
    expect(to.received).toHaveLength(1)
  })

  it('refuses a line of more than 8 MiB without keeping it, and goes on', async () => {
    const { to, mcp } = await bridged(echo)
    mcp.send(`{"jsonrpc":"2.0","id":1,"method":"ping","params":{"text":"${'x'.repeat(9 * 1024 * 1024)}"}}`)
    const { error } = await mcp.answer(null)
    expect(error).toMatchObject({ code: -32_600, message: expect.stringContaining('8 MiB') })
    await mcp.ask('ping')
    expect(await finish(mcp)).toHaveLength(2)
    expect(to.received).toHaveLength(1)
  })

  it('takes a line of exactly 8 MiB', async () => {
    const { mcp } = await bridged(echo)
    const start = '{"jsonrpc":"2.0","id":1,"method":"ping","params":{"text":"'
    const end = '"}}'
    mcp.send(start + 'x'.repeat(8 * 1024 * 1024 - start.length - end.length) + end)
    expect((await mcp.answer(1)).result).toMatchObject({ method: 'ping' })
    await finish(mcp)
  })
})

describe('the end', () => {
  it('cancelling a request ends its connection, and nothing answers it', async () => {
    const { to, mcp } = await bridged((received, response) => {
      if (received.body.method !== 'hang') echo(received, response)
    })
    mcp.send({ jsonrpc: '2.0', id: 'a', method: 'hang' })
    await mcp.ask('ping')
    mcp.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'a' } })
    await expect.poll(() => to.abandoned).toEqual(['a'])
    expect((await finish(mcp)).map(({ id }) => id)).toEqual([1])
  })

  it('at the end of the input, answers that are due are written before the process ends', async () => {
    const { to, mcp } = await bridged((received, response) => setTimeout(() => echo(received, response), 300))
    for (const id of [1, 2, 3]) mcp.send({ jsonrpc: '2.0', id, method: 'ping' })
    mcp.end()
    expect(await mcp.ended).toBe(0)
    expect(mcp.lines()).toHaveLength(3)
    expect(to.received).toHaveLength(3)
  })

  it.each(['SIGTERM', 'SIGINT'] as const)('%s ends it with exit code 0, even if a request hangs', async (signal) => {
    const { mcp } = await bridged(({ body }, response) => {
      if (body.method === 'ping') json(response, { jsonrpc: '2.0', id: body.id, result: {} })
    })
    mcp.send({ jsonrpc: '2.0', id: 'a', method: 'hang' })
    await mcp.ask('ping')
    mcp.kill(signal)
    expect(await mcp.ended).toBe(0)
    expect(mcp.lines()).toHaveLength(1)
  })

  it('without a key it ends at once with exit code 4', async () => {
    const mcp = startMcp({ PRECEDENT_URL: 'http://127.0.0.1:1' })
    expect(await mcp.ended).toBe(4)
    expect(mcp.stderr()).toContain('PRECEDENT_API_KEY is not set')
    expect(mcp.lines()).toEqual([])
  })
})
