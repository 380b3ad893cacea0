import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { call } from '../../support/http.ts'
import { repository } from '../../support/repository.ts'
import { newDataDir, removeData, startService, storeOf } from '../../support/service.ts'

it('precedent keys recover creates a key in MongoDB while the service is running', async () => {
  const dataDir = newDataDir()
  const service = await startService({ dataDir, env: { ELASTICSEARCH_URL: '' } })
  try {
    const env = { ...(await storeOf(dataDir)), ELASTICSEARCH_URL: '', PATH: process.env.PATH ?? '' }
    const recover = [join(repository, 'dist/src/cli/precedent.js'), 'keys', 'recover', '--json']
    const { key } = JSON.parse(execFileSync(process.execPath, recover, { env, encoding: 'utf8' })) as { key: string }
    const { status, body } = await call<{ items: { name: string }[] }>({ ...service, key }, 'GET', '/admin/keys')
    expect(status).toBe(200)
    expect(body.items.map(({ name }) => name).sort()).toEqual(['first start', 'recovered'])
    expect(await service.stop()).toBe(0)
  } finally {
    await service.kill()
    await removeData(dataDir)
  }
})
