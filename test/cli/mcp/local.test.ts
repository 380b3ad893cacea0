/** `precedent mcp` on a data directory. */
import { existsSync, lstatSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { request } from 'node:http'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { localPlaces } from '../../../config/local.ts'
import { temporaryFolder } from '../../support/clean-up.ts'
import { call } from '../../support/http.ts'
import { adminKey, startService } from '../../support/service.ts'
import { type McpProcess, startMcp } from './client.ts'
import { accepted, callTool, remember, sdkClient, sdkTool, titles } from './tools.ts'

const newDirectory = () => join(temporaryFolder('precedent-mcp-'), 'data')
const on = (dataDir: string, more: Record<string, string> = {}) => startMcp({ PRECEDENT_DATA_DIR: dataDir, ...more })
const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8)
const keyIn = (dataDir: string) => readFileSync(localPlaces(dataDir).key, 'utf8').trim()

async function finish(...all: McpProcess[]): Promise<void> {
  for (const mcp of all) mcp.end()
  for (const mcp of all) {
    expect(await mcp.ended, mcp.stderr()).toBe(0)
    for (const line of mcp.lines()) expect(JSON.parse(line)).toMatchObject({ jsonrpc: '2.0' })
  }
}

/** A request over the socket. Returns the status. */
function overSocket(dataDir: string, path: string, authorization: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    request({ socketPath: localPlaces(dataDir).socket, path, headers: { authorization } }, (response) => {
      response.resume()
      resolve(response.statusCode)
    })
      .once('error', reject)
      .end()
  })
}

describe('the first start on an empty directory', () => {
  it('works without any setting: in ./data, without a port, and with a key that is never shown', async () => {
    const folder = temporaryFolder('precedent-mcp-')
    const taken = createServer()
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve))
    // the port of the service is in use, and nobody minds
    const mcp = startMcp({ PORT: String((taken.address() as AddressInfo).port) }, [], folder)
    await remember(mcp, 'The first fact.')
    expect(await titles(mcp)).toEqual(['The first fact.'])

    const dataDir = join(folder, 'data')
    const { socket, key } = localPlaces(dataDir)
    expect([modeOf(dataDir), modeOf(join(dataDir, 'local')), modeOf(socket), modeOf(key)]).toEqual([
      '700',
      '700',
      '600',
      '600',
    ])
    const secret = `Bearer ${keyIn(dataDir)}`
    expect(await overSocket(dataDir, '/v1/receipts', secret)).toBe(200)
    expect(await overSocket(dataDir, '/v1/receipts', 'Bearer none')).toBe(401)
    // it manages no keys
    expect(await overSocket(dataDir, '/admin/keys', secret)).toBe(403)

    await finish(mcp)
    expect(mcp.lines().join()).not.toContain('svc_sk_')
    expect(mcp.stderr()).toBe('')
    expect(existsSync(socket)).toBe(false)
    taken.close()
  })

  it('makes no admin key, so that the first service that people start prints one', async () => {
    const dataDir = newDirectory()
    const mcp = on(dataDir)
    await remember(mcp, 'A fact of an agent.')
    const key = keyIn(dataDir)
    await finish(mcp)
    const service = await startService({ dataDir })
    const { status, body } = await call<{ items: { name: string; scopes: string[] }[] }>(service, 'GET', '/admin/keys')
    expect(status).toBe(200)
    expect(body.items.map(({ name }) => name).sort()).toEqual(['first start', 'precedent mcp on this machine'])
    expect(body.items.find(({ name }) => name !== 'first start')?.scopes).not.toContain('admin')
    expect(key).not.toBe(adminKey)
    await service.stop()
  })

  it('uses the same key at each start, and another one after it was revoked and its file removed', async () => {
    const dataDir = newDirectory()
    const service = await startService({ dataDir })
    const first = on(dataDir)
    await remember(first, 'Kept.')
    const key = keyIn(dataDir)
    const again = on(dataDir)
    expect(await titles(again)).toEqual(['Kept.'])
    expect(keyIn(dataDir)).toBe(key)
    await finish(first, again)

    const { body } = await call<{ items: { id: string; name: string }[] }>(service, 'GET', '/admin/keys')
    const { id } = body.items.find(({ name }) => name.startsWith('precedent mcp')) ?? { id: '' }
    await call(service, 'DELETE', `/admin/keys/${id}`)
    const refused = on(dataDir)
    expect(await refused.ended).toBe(4)
    expect(refused.stderr()).toMatch(/was revoked\.\n {2}Remove .*local\/key/)
    expect(refused.stderr()).not.toContain('svc_sk_')

    rmSync(localPlaces(dataDir).key)
    const renewed = on(dataDir)
    expect(await titles(renewed)).toEqual(['Kept.'])
    expect(keyIn(dataDir)).not.toBe(key)
    await finish(renewed)
    await service.stop()
  })

  it('works in a directory whose path is too long for a socket', async () => {
    const dataDir = join(temporaryFolder('precedent-mcp-'), 'd'.repeat(110), 'data')
    const [first, second] = [on(dataDir), on(dataDir)]
    await remember(first, 'Far away.')
    expect(await titles(second)).toEqual(['Far away.'])
    const { socket, folder } = localPlaces(dataDir)
    expect(socket.startsWith(dataDir)).toBe(false)
    expect([modeOf(folder ?? ''), modeOf(socket)]).toEqual(['700', '600'])
    expect(readdirSync(join(dataDir, 'local'))).toEqual(['key'])
    await finish(first, second)
    expect(existsSync(socket)).toBe(false)
  })
})

describe('starts that can not work', () => {
  it('names the setting if the directory cannot be created', async () => {
    const mcp = on('/dev/null/data')
    expect(await mcp.ended).toBe(1)
    expect(mcp.stderr()).toContain('Set PRECEDENT_DATA_DIR')
    expect(mcp.lines()).toEqual([])
  })

  it('asks for PRECEDENT_URL if the service does not run on a data directory', async () => {
    const mcp = startMcp({ MONGODB_URL: 'mongodb://127.0.0.1:1/none', ELASTICSEARCH_URL: 'http://127.0.0.1:1' })
    expect(await mcp.ended).toBe(2)
    expect(mcp.stderr()).toContain('Set PRECEDENT_URL')
  })
})

describe('several processes on one directory', () => {
  it('four clients that start at once on an empty directory see the writes of each other', async () => {
    const dataDir = newDirectory()
    const clients = [1, 2, 3, 4].map(() => on(dataDir))
    await Promise.all(clients.map((client, n) => remember(client, `Fact of client ${n}.`)))
    const expected = clients.map((_, n) => `Fact of client ${n}.`)
    for (const client of clients) expect((await titles(client)).sort()).toEqual(expected)
    // one key for all of them
    expect(readdirSync(join(dataDir, 'local')).sort()).toEqual(['key', 'socket'])
    await finish(...clients)
  })

  it('if the process with the service is killed, the next one takes over, until the last', async () => {
    const dataDir = newDirectory()
    const clients = [on(dataDir)]
    // each is a follower of the first
    await remember(clients[0] as McpProcess, 'Fact 0.')
    clients.push(on(dataDir), on(dataDir))
    for (const [n, client] of clients.entries()) if (n > 0) await remember(client, `Fact ${n}.`)
    const [first, second, third] = clients as [McpProcess, McpProcess, McpProcess]

    first.kill('SIGKILL')
    await Promise.all([remember(second, 'Fact 3.'), remember(third, 'Fact 4.')])
    // a socket of a dead process is replaced
    expect(lstatSync(localPlaces(dataDir).socket).isSocket()).toBe(true)
    second.kill('SIGKILL')
    await remember(third, 'Fact 5.')
    expect((await titles(third)).sort()).toEqual([0, 1, 2, 3, 4, 5].map((n) => `Fact ${n}.`))
    await finish(third)
  })

  it('takes over even if no request comes, so that what the dead process accepted is applied', async () => {
    const dataDir = newDirectory()
    const first = on(dataDir)
    await remember(first, 'Fact 0.')
    const second = on(dataDir)
    await remember(second, 'Fact 1.')
    first.kill('SIGKILL')
    await first.ended
    const status = () => overSocket(dataDir, '/livez', '').catch(() => undefined)
    await expect.poll(status, { timeout: 30_000 }).toBe(200)
    await finish(second)
  })

  it('if the client of the process with the service goes, the others are not disturbed', async () => {
    const dataDir = newDirectory()
    const first = on(dataDir)
    await remember(first, 'Fact 0.')
    const second = on(dataDir)
    await remember(second, 'Fact 1.')
    const writes = Promise.all(Array.from({ length: 20 }, (_, n) => accepted(second, `Fact ${n + 2}.`)))
    await finish(first)
    for (const state of await writes) expect(['accepted', 'processing', 'applied']).toContain(state)
    // the one that took over applies what the first had accepted
    await expect.poll(() => titles(second), { timeout: 30_000 }).toHaveLength(22)
    await finish(second)
  })

  it('works beside a running service, and uses the key that is set', async () => {
    const service = await startService({ dataDir: newDirectory() })
    const mcp = on(service.dataDir, { PRECEDENT_API_KEY: adminKey })
    await remember(mcp, 'Written beside the service.')
    const { body } = await call<{ items: { title: string }[] }>(service, 'POST', '/v1/context/search', { q: 'beside' })
    expect(body.items).toHaveLength(1)
    expect(existsSync(localPlaces(service.dataDir).key)).toBe(false)
    await finish(mcp)
    expect(await service.stop()).toBe(0)
  })

  it('a service that starts later gets the directory, and the client goes on through it', async () => {
    const dataDir = newDirectory()
    const [holder, other] = [on(dataDir), on(dataDir)]
    await Promise.all([remember(holder, 'Before.'), remember(other, 'Before too.')])
    const service = await startService({ dataDir })
    await Promise.all([remember(holder, 'Through the service.'), remember(other, 'So does the other.')])
    expect(service.log()).toContain('"path":"/api/v2/mcp"')

    await service.kill()
    await Promise.all([remember(holder, 'After its end.'), remember(other, 'After its end too.')])
    const restarted = await startService({ dataDir })
    expect(await titles(other)).toHaveLength(6)
    expect(await titles(holder)).toHaveLength(6)
    await finish(holder, other)
    await restarted.stop()
  })
})

describe('the client of the official SDK', () => {
  it.each([['legacy'], ['auto'], [{ pin: '2026-07-28' }]] as const)('lists tools and calls one: %j', async (mode) => {
    const env = { PRECEDENT_DATA_DIR: newDirectory() }
    const client = await sdkClient(env, mode)
    expect(client.getNegotiatedProtocolVersion()).toMatch(mode === 'legacy' ? /^2025-/ : /^2026-07-28$/)
    expect(client.getServerVersion()).toMatchObject({ name: 'precedent' })
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toContain('remember')
    const written = await sdkTool(client, 'remember', { kind: 'fact', content: 'Crates go by rail.' })
    expect(written).toMatchObject({ state: 'applied' })
    const found = await sdkTool(client, 'search_context', { q: 'crates' })
    expect(found.items).toHaveLength(1)
    await client.readResource({ uri: 'precedent://brief' })
    await client.close()
  })

  it('a call without its scope is an error that names the scope', async () => {
    const service = await startService({ dataDir: newDirectory() })
    const request = { name: 'reader', scopes: ['context:read'] }
    const { body } = await call<{ key: string }>(service, 'POST', '/admin/keys', request)
    const reader = on(service.dataDir, { PRECEDENT_API_KEY: body.key })
    await expect(callTool(reader, 'remember', { kind: 'fact', content: 'No.' })).rejects.toThrow(/context:write/)
    expect(await titles(reader)).toEqual([])
    await finish(reader)
    await service.stop()
  })
})
