/** `precedent mcp` with the client of the official SDK, and with a key of few scopes. */
import { describe, expect, it } from 'vitest'
import { call } from '../../support/http.ts'
import { startService } from '../../support/service.ts'
import { finish, newDirectory, on } from './data-directory.ts'
import { callTool, sdkClient, sdkTool, titles } from './tools.ts'

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
