/** `precedent repos`: what operators see of connected repositories, and a new index. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import type { OperatedRepository } from '../../src/code/operating/operated.ts'
import { newRepository, type Repository } from '../adapters/git/repositories.ts'
import { temporaryFolder } from '../support/clean-up.ts'
import { startService } from '../support/service.ts'
import { type Caller, folderOfTest, run, runJson } from './run.ts'

describe('precedent repos', () => {
  let caller: Caller
  let shop: Repository
  let commit: string

  beforeAll(async () => {
    shop = newRepository()
    commit = shop.commit({ 'src/order.ts': 'export function cancel() {}\n', 'logo.png': Buffer.from([1, 0, 2]) })
    const config = join(temporaryFolder(), 'precedent.yaml')
    const connect = [
      { name: 'acme/Shop', url: shop.path },
      { name: 'acme/absent', url: join(temporaryFolder(), 'nothing') },
    ]
    writeFileSync(config, JSON.stringify({ repositories: { poll: '24h', connect } }))
    const service = await startService({ env: { PRECEDENT_CONFIG: config } })
    caller = { url: service.url, key: service.key, state: folderOfTest() }
    await vi.waitFor(
      async () => {
        const { stdout } = await run(caller, 'repos', 'list')
        expect(stdout).toMatch(/failed[\s\S]*ready/)
      },
      { timeout: 60_000, interval: 500 },
    )
  }, 120_000)

  it('list prints a line for each repository, in columns that programs can split', async () => {
    const { code, stdout } = await run(caller, 'repos', 'list')
    expect(code).toBe(0)
    const [absent, ready] = stdout
      .trimEnd()
      .split('\n')
      .map((line) => line.split('\t'))
    expect(absent?.slice(0, 6)).toEqual(['acme/absent', '-', 'failed', '-', '-', '-'])
    const short = commit.slice(0, 10)
    expect(ready?.slice(0, 5)).toEqual(['acme/Shop', 'main', 'ready', short, short])
    expect(ready?.slice(6)).toEqual(['2 files', '1 symbols', '1 skipped'])
  })

  it('status tells why a repository failed, and what was skipped of one that is ready', async () => {
    const absent = await run(caller, 'repos', 'status', 'acme/absent')
    expect(absent.code).toBe(1)
    expect(absent.stdout).toMatch(/^state +failed$/m)
    expect(absent.stdout).toMatch(/^error +there is no repository/m)
    const ready = await run(caller, 'repos', 'status', 'ACME/shop')
    expect(ready.code).toBe(0)
    expect(ready.stdout).toMatch(/^skipped +binary 1$/m)
    expect(ready.stdout).toContain(`${commit} of 2026-01-02T03:04:05.000Z`)
  })

  it('reindex waits until a complete new index serves', async () => {
    const { body: before } = await runJson<OperatedRepository>(caller, 'repos', 'status', 'acme/shop')
    const { code, body: after } = await runJson<OperatedRepository>(caller, 'repos', 'reindex', 'acme/shop')
    expect(code).toBe(0)
    expect(after).toMatchObject({ state: 'ready', indexed: { commit }, waited: true })
    expect(String(after.indexed_at) > String(before.indexed_at)).toBe(true)
  })

  it('reindex of a repository that cannot be fetched ends with its error', async () => {
    const { code, stdout } = await run(caller, 'repos', 'reindex', 'acme/absent')
    expect([code, /^error +there is no repository/m.test(stdout)]).toEqual([1, true])
  })

  it.each(['status', 'reindex'])('%s of an unknown repository says how to find the names', async (verb) => {
    const { code, stderr } = await run(caller, 'repos', verb, 'acme/none')
    expect(code).toBe(1)
    expect(stderr).toMatch(verb === 'status' ? /repos list/ : /No connected repository/)
  })
})
