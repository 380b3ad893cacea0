/** What `precedent mcp` makes of answers that are no JSON-RPC. */
import { describe, expect, it } from 'vitest'
import { bridged, echo, finish } from './bridged.ts'
import { json, problem } from './endpoint.ts'

describe('answers that are no JSON-RPC', () => {
  it.each([
    [401, { detail: 'Send a valid key.', code: 'authentication_required' }, {}, ['PRECEDENT_API_KEY']],
    [
      403,
      { detail: 'Needs context:write.', code: 'insufficient_scope', details: { required_scope: 'context:write' } },
      {},
      ['Needs context:write.', 'precedent keys create --name NAME --scopes context:write'],
    ],
    [429, { detail: 'Slow down.', code: 'rate_limited' }, { 'retry-after': '7' }, ['Slow down.', 'again in 7 s']],
    [404, { detail: 'Nothing here.', code: 'not_found' }, {}, ['no MCP endpoint', 'Check that PRECEDENT_URL']],
    [503, { detail: 'Starting.', code: 'unavailable' }, { 'retry-after': '2' }, ['Starting.', 'again in 2 s']],
  ])(
    'a problem with status %i becomes an error with its detail and a remedy',
    async (status, fields, headers, says) => {
      const { mcp } = await bridged((_, response) => problem(response, status, fields, headers))
      const { error } = await mcp.ask('tools/list')
      for (const text of says) expect(error?.message).toContain(text)
      expect(error).toMatchObject({ code: -32_000, data: { ...fields, status } })
      await finish(mcp)
    },
  )

  it('an error of JSON-RPC with another status than 200 is passed on with the id of its request', async () => {
    const { mcp } = await bridged((_, response) =>
      json(response, { jsonrpc: '2.0', id: null, error: { code: -32_000, message: 'Bad version.' } }, 400),
    )
    expect((await mcp.ask('tools/list')).error).toEqual({ code: -32_000, message: 'Bad version.' })
    await finish(mcp)
  })

  it('an error for a whole batch answers each of its requests', async () => {
    const { mcp } = await bridged((_, response) =>
      json(response, { jsonrpc: '2.0', id: null, error: { code: -32_600, message: 'No batches.' } }, 400),
    )
    const ping = { jsonrpc: '2.0', method: 'ping' }
    mcp.send([{ ...ping, id: 1 }, ping, { ...ping, id: 'b' }])
    const messages = await finish(mcp)
    expect(messages.map(({ id, error }) => [id, error?.message])).toEqual([
      [1, 'No batches.'],
      ['b', 'No batches.'],
    ])
    expect(mcp.lines()).toHaveLength(1)
  })

  it.each([
    ['text/html', '<html>'],
    ['application/json', '{"hello":1}'],
  ])('an answer of %s that is no JSON-RPC never reaches standard output', async (type, text) => {
    const { mcp } = await bridged((_, response) => response.writeHead(200, { 'content-type': type }).end(text))
    expect((await mcp.ask('tools/list')).error?.code).toBe(-32_000)
    await finish(mcp)
  })

  it('if no service listens, the error says how to start one', async () => {
    const { to, mcp } = await bridged(echo)
    await to.close()
    const { error } = await mcp.ask('tools/list')
    expect(error?.message).toContain('connection refused')
    expect(error?.message).toContain('precedent serve')
    expect(error?.data).toMatchObject({ code: 'unreachable' })
    await finish(mcp)
  })

  it('a request whose connection breaks gets an error, and is not sent again', async () => {
    const { to, mcp } = await bridged((_, response) => void response.destroy())
    expect((await mcp.ask('tools/call', { name: 'remember' })).error?.data).toMatchObject({ may_have_arrived: true })
    expect(to.received).toHaveLength(1)
    await finish(mcp)
  })
})
