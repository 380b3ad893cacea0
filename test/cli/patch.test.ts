import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it } from 'vitest'
import { createClient } from '../../src/cli/client/client.ts'

it('the client sends a PATCH with If-Match, and repeats it after a lost answer only if it has an idempotency key', async () => {
  const seen: Pick<IncomingMessage, 'method' | 'headers'>[] = []
  const server = createServer((req, res) => {
    seen.push(req)
    // cut off: the client can't know whether the request arrived
    if (seen.length % 2 === 1) req.socket.destroy()
    else res.end('{"state":"applied"}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const retries = { busy: 20_000, unreachable: 20_000 }
  const client = createClient({ url, apiKey: 'key', signal: new AbortController().signal, retries })
  const patch = { method: 'PATCH', path: '/api/v2/tasks/1', body: { name: 'New' }, ifRevision: 3 } as const
  try {
    expect(await client.call({ ...patch, idempotencyKey: 'a-key-of-the-test' })).toEqual({ state: 'applied' })
    expect(seen.map(({ method, headers }) => [method, headers['if-match'], headers['idempotency-key']])).toEqual(
      Array(2).fill(['PATCH', '"3"', 'a-key-of-the-test']),
    )
    await expect(client.call(patch)).rejects.toMatchObject({ code: 'unreachable' })
    expect(seen).toHaveLength(3)
    expect(seen[2]?.headers['idempotency-key']).toBeUndefined()
  } finally {
    server.closeAllConnections()
    server.close()
  }
})
