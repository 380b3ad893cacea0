/** Several processes of `precedent mcp`, and services, on one data directory. */
import { existsSync, lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { localPlaces } from '../../../config/local.ts'
import { call } from '../../support/http.ts'
import { adminKey, startService } from '../../support/service.ts'
import type { McpProcess } from './client.ts'
import { finish, newDirectory, on, overSocket } from './data-directory.ts'
import { accepted, remember, titles } from './tools.ts'

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
    await expect.poll(() => service.log()).toContain('"path":"/api/v2/mcp"')

    await service.kill()
    await Promise.all([remember(holder, 'After its end.'), remember(other, 'After its end too.')])
    const restarted = await startService({ dataDir })
    expect(await titles(other)).toHaveLength(6)
    expect(await titles(holder)).toHaveLength(6)
    await finish(holder, other)
    await restarted.stop()
  })
})
