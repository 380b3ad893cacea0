/** What `precedent mcp` makes on a data directory when it first starts there, and starts that can't work. */
import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { localPlaces } from '../../../config/local.ts'
import { temporaryFolder } from '../../support/clean-up.ts'
import { call } from '../../support/http.ts'
import { adminKey, startService } from '../../support/service.ts'
import { skipIf } from '../../support/skip.ts'
import { startMcp } from './client.ts'
import { finish, keyIn, newDirectory, on, overSocket } from './data-directory.ts'
import { remember, titles } from './tools.ts'

const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8)

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

const noLocks = existsSync('/proc/locks') ? undefined : 'this system does not show locks of files'

it(
  'keeps the lock of SQLite on the store, although it also opens the store to make its key',
  skipIf(noLocks),
  async () => {
    const dataDir = newDirectory()
    const mcp = on(dataDir)
    await remember(mcp, 'Locked.')
    const { ino } = statSync(join(dataDir, 'precedent.sqlite'))
    const held = readFileSync('/proc/locks', 'utf8').split('\n')
    // without it, another process that closes the store would take itself for the last one
    expect(held.filter((line) => line.includes(` ${mcp.pid} `) && line.includes(`:${ino} `))).toHaveLength(1)
    await finish(mcp)
  },
)

describe('starts that can not work', () => {
  it('names the setting if the directory cannot be created', async () => {
    const mcp = on('/dev/null/data')
    expect(await mcp.ended).toBe(1)
    expect(mcp.stderr()).toContain('PRECEDENT_DATA_DIR: /dev/null is not a directory')
    expect(mcp.lines()).toEqual([])
  })

  it('asks for PRECEDENT_URL if the service does not run on a data directory', async () => {
    const mcp = startMcp({ MONGODB_URL: 'mongodb://127.0.0.1:1/none', ELASTICSEARCH_URL: 'http://127.0.0.1:1' })
    expect(await mcp.ended).toBe(2)
    expect(mcp.stderr()).toContain('Set PRECEDENT_URL')
  })
})
