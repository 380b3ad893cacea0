import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { call } from '../support/http.ts'
import { repository } from '../support/repository.ts'
import { removeData, type Started, startService } from '../support/service.ts'
import { folderOfTest, run, runJson } from './run.ts'

interface KeyBody {
  id: string
  key: string
  user: string | null
  scopes: string[]
  teams: string[]
  expires_at: string | null
  revoked_at: string | null
}

describe('precedent keys', () => {
  let service: Started
  const state = folderOfTest()
  const admin = () => ({ url: service.url, key: service.key, state })
  beforeAll(async () => {
    service = await startService()
  })
  afterAll(async () => {
    await service.stop()
    await removeData(service.dataDir)
  })

  it('keys create makes the requested key and prints only its secret', async () => {
    const team = '11111111-1111-7111-8111-111111111111'
    const options = ['--name', 'Agent', '--scopes', 'context:read, context:write', '--user', 'ada', '--teams', team]
    const { code, stdout } = await run(admin(), 'keys', 'create', ...options, '--expires', '2099-01-31')
    expect(code).toBe(0)
    expect(stdout).toMatch(/^svc_sk_\w{43}\n$/)
    const { status } = await call({ url: service.url, key: stdout.trim() }, 'POST', '/v1/context/sync', {})
    expect(status).toBe(200)
    const { body } = await runJson<{ items: KeyBody[] }>(admin(), 'keys', 'list')
    expect(body.items[0]).toMatchObject({
      user: 'ada',
      scopes: ['context:read', 'context:write'],
      teams: [team],
      expires_at: '2099-01-31T23:59:59.999Z',
    })
    expect(JSON.stringify(body)).not.toContain('svc_sk_')
    const table = await run(admin(), 'keys', 'list')
    expect(table.stdout).toMatch(/Agent +ada +context:read,context:write +until 2099-01-31 +/)
  })

  it('keys revoke ends a key, and fails for an unknown id', async () => {
    const made = await runJson<KeyBody>(admin(), 'keys', 'create', '--name', 'Gone', '--scopes', 'admin')
    expect((await run(admin(), 'keys', 'revoke', made.body.id)).code).toBe(0)
    const mine = { ...admin(), key: made.body.key }
    expect((await run(mine, 'keys', 'list')).code).toBe(4)
    const unknown = await run(admin(), 'keys', 'revoke', 'no-such-key')
    expect(unknown).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('There is no key with the id no-such-key.'),
    })
  })

  it.each([
    [['--name', 'x', '--scopes', 'context:reed']],
    [['--name', 'x', '--scopes', 'admin,,admin']],
    [['--name', 'x', '--scopes', 'admin', '--expires', '2030-02-30']],
    [['--name', 'x', '--scopes', 'admin', '--expires', 'tomorrow']],
    [['--scopes', 'admin']],
  ])('keys create refuses %j before it sends anything', async (options) => {
    const { code, stderr } = await run({ ...admin(), url: 'http://127.0.0.1:9' }, 'keys', 'create', ...options)
    expect(code).toBe(2)
    expect(stderr).toMatch(/^precedent: .+\n( {2}.+\n)?$/)
  })

  it('without PRECEDENT_API_KEY, the error says how to get a key', async () => {
    const { code, stderr } = await run({ ...admin(), key: '' }, 'keys', 'list')
    expect(code).toBe(4)
    expect(stderr).toContain('PRECEDENT_API_KEY is not set.')
    expect(stderr).toContain('precedent keys recover')
  })

  it('keys recover makes an admin key while the service runs, with only the settings of the service', async () => {
    const { code, stdout } = await onStore(service.dataDir, 'recover')
    expect(code).toBe(0)
    expect(stdout).toMatch(/^svc_sk_\w{43}\n$/)
    const recovered = { ...admin(), key: stdout.trim() }
    const { body } = await runJson<{ items: KeyBody[] }>(recovered, 'keys', 'list')
    expect(body.items[0]).toMatchObject({ name: 'recovered', scopes: expect.arrayContaining(['admin']) })
  })

  it('recover and rotate-cursors fail if there is no store, and do not create one', async () => {
    for (const verb of ['recover', 'rotate-cursors']) {
      const { code, stderr } = await onStore(folderOfTest(), verb)
      expect(code).toBe(1)
      expect(stderr).toContain('There is no store in')
    }
  })

  it('rotate-cursors works while the service runs, and cursors of the previous key stay valid', async () => {
    const path = '/v1/context/sync'
    const { body } = await call<{ cursor: string }>(service, 'POST', path, { limit: 1 })
    expect(await onStore(service.dataDir, 'rotate-cursors')).toMatchObject({ code: 0 })
    const next = await call(service, 'POST', path, { limit: 1, cursor: body.cursor })
    expect(next.status).toBe(200)
    const tooSoon = await onStore(service.dataDir, 'rotate-cursors')
    const message = 'The cursor key was rotated less than a minute ago. Try again in a minute.'
    expect(tooSoon).toMatchObject({ code: 1, stderr: expect.stringContaining(message) })
  })
})

function onStore(dataDir: string, verb: string): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const child = spawn(process.execPath, [join(repository, 'dist/src/cli/precedent.js'), 'keys', verb], {
    // the operator's file is not needed, so its errors must not stop them
    env: { PATH: process.env.PATH ?? '', PRECEDENT_DATA_DIR: dataDir, PRECEDENT_CONFIG: '/does/not/exist' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let stdout = ''
  let stderr = ''
  child.stdout.on('data', (chunk: Buffer) => {
    stdout += chunk.toString()
  })
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString()
  })
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, stdout, stderr })))
}
