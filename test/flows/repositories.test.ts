/** Connected repositories through HTTP: what is listed, its tree at the indexed commit, and who sees it. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { newRepository, type Repository } from '../adapters/git/repositories.ts'
import { type Body, send } from '../http/serving.ts'
import { temporaryFolder } from '../support/clean-up.ts'
import { profile } from '../support/profile.ts'
import { newDataDir, type Started, startService } from '../support/service.ts'

const team = '11111111-1111-7111-8111-111111111111'
const manyFiles = Array.from({ length: 30 }, (_, at) => `many/f${String(at).padStart(2, '0')}.ts`)
const shopFiles = {
  'README.md': '# Shop\n',
  'src/zones.ts': 'export function zoneOf() {}\n',
  'src/orders/cancel.ts': 'export function cancel() {}\nexport class Order {}\n',
  'src/orders/deep/er/x.py': 'def f():\n    pass\n',
  'logo.png': Buffer.from([1, 0, 2]),
  ...Object.fromEntries(manyFiles.map((path) => [path, 'export const a = 1\n'])),
}

describe('connected repositories', () => {
  let service: Started
  let ann: string
  let eve: string
  let shop: Repository
  let first: string
  const repos = (key: string, path = '') => send(service.url, 'GET', `/api/v2/repos${path}`, { key })
  async function newKey(scopes: string[], more = {}): Promise<string> {
    const body = { name: 'test', scopes, ...more }
    return (await send(service.url, 'POST', '/admin/keys', { key: service.key, body })).body.key
  }
  const tree = (query: string, key = ann) => repos(key, `/acme/shop/tree${query}`)
  const pathsOf = ({ body }: { body: Body }) => body.entries.map(({ path }: { path: string }) => path)
  const ready = (key: string, name: string, commit: string) =>
    vi.waitFor(
      async () => {
        const { body } = await repos(key, `?q=${name}`)
        expect(body.items[0]).toMatchObject({ state: 'ready', indexed: { commit } })
        return body.items[0]
      },
      { timeout: 60_000, interval: 200 },
    )

  beforeAll(async () => {
    shop = newRepository()
    const secret = newRepository()
    first = shop.commit(shopFiles)
    secret.commit({ 'plan.md': '# Plan\n' })
    const config = join(temporaryFolder(), 'precedent.yaml')
    const connect = [
      { name: 'acme/Shop', url: shop.path },
      { name: 'acme/secret', url: secret.path, audience: `team:${team}` },
      { name: 'acme/absent', url: join(temporaryFolder(), 'nothing') },
      { name: 'acme/empty', url: newRepository().path },
    ]
    // JSON is YAML
    writeFileSync(config, JSON.stringify({ repositories: { poll: '1s', connect } }))
    const shared = { dataDir: newDataDir(), env: { PRECEDENT_CONFIG: config } }
    service = await startService(profile === 'scaled' ? { ...shared, kind: 'web' } : shared)
    if (profile === 'scaled') await startService({ ...shared, kind: 'code' })
    ann = await newKey(['repos:read'], { user: 'ann', teams: [team] })
    eve = await newKey(['repos:read'], { user: 'eve' })
    await ready(ann, 'shop', first)
  }, 120_000)

  it('are listed with head, indexed commit, languages and counts', async () => {
    expect(await ready(ann, 'SHOP', first)).toEqual({
      full_name: 'acme/Shop',
      default_branch: 'main',
      head: { commit: first, at: '2026-01-02T03:04:05.000Z' },
      indexed: { commit: first, at: '2026-01-02T03:04:05.000Z' },
      state: 'ready',
      languages: { markdown: 7, python: 18, typescript: 648 },
      counts: { files: 35, symbols: 34, skipped: 1 },
      url: `file://${shop.path}`,
    })
  })

  it('are listed page by page, and by state', async () => {
    const { body } = await repos(ann, '?limit=3')
    expect(body.items.map((one: Body) => one.full_name)).toEqual(['acme/absent', 'acme/empty', 'acme/secret'])
    const next = await repos(ann, `?limit=3&cursor=${body.next_cursor}`)
    expect([next.body.items.map((one: Body) => one.full_name), next.body.has_more]).toEqual([['acme/Shop'], false])
    const failed = await vi.waitFor(
      async () => {
        const found = await repos(ann, '?state=failed')
        expect(found.body.items).toHaveLength(1)
        return found.body.items[0]
      },
      { timeout: 60_000, interval: 200 },
    )
    expect(failed).toMatchObject({ full_name: 'acme/absent', indexed: null, head: null })
    expect(failed.error).toMatch(/\w/)
  })

  it('do not exist for those who may not see them', async () => {
    const { body } = await repos(eve)
    expect(body.items.map((one: Body) => one.full_name)).toEqual(['acme/absent', 'acme/empty', 'acme/Shop'])
    expect((await repos(ann, '/acme/secret/tree')).status).toBe(200)
    const hidden = await repos(eve, '/acme/secret/tree')
    const missing = await repos(eve, '/acme/nowhere/tree')
    expect(hidden.status).toBe(404)
    expect({ ...hidden.body, instance: '', request_id: '' }).toEqual({ ...missing.body, instance: '', request_id: '' })
    const other = await newKey(['context:read'])
    expect((await repos(other)).status).toBe(403)
  })

  it('show folders before files, each followed by its entries, as deep as asked', async () => {
    const { body } = await tree('')
    expect(body).toMatchObject({ repo: 'acme/Shop', commit: first, path: '', truncated: false })
    expect(pathsOf({ body })).toEqual([
      'many',
      ...manyFiles,
      'src',
      'src/orders',
      'src/zones.ts',
      'README.md',
      'logo.png',
    ])
    expect(pathsOf(await tree('?path=src&depth=10'))).toEqual([
      'src/orders',
      'src/orders/deep',
      'src/orders/deep/er',
      'src/orders/deep/er/x.py',
      'src/orders/cancel.ts',
      'src/zones.ts',
    ])
    expect(pathsOf(await tree('?depth=1'))).toEqual(['many', 'src', 'README.md', 'logo.png'])
  })

  it('say of a file its size, its language, its symbols, or why it was skipped', async () => {
    const { body } = await tree('?path=src/orders/cancel.ts')
    expect(body.entries).toEqual([
      { path: 'src/orders/cancel.ts', type: 'file', size: 50, language: 'typescript', symbols: 2 },
    ])
    const root = await tree('?depth=1')
    expect(root.body.entries[3]).toEqual({ path: 'logo.png', type: 'file', size: 3, skipped: 'binary' })
  })

  it('give the same tree page by page, whatever the size of the pages', async () => {
    const whole = pathsOf(await tree('?depth=10'))
    expect(whole).toHaveLength(40)
    for (const limit of [1, 2, 7, 39, 40]) {
      const paths: string[] = []
      let cursor = ''
      do {
        const page = await tree(`?depth=10&limit=${limit}${cursor}`)
        paths.push(...pathsOf(page))
        expect(page.body.truncated).toBe(page.body.next_cursor !== undefined)
        cursor = page.body.truncated ? `&cursor=${page.body.next_cursor}` : ''
      } while (cursor !== '')
      expect(paths).toEqual(whole)
    }
  })

  it('are named with their slash escaped or not, and whatever the case', async () => {
    for (const name of ['acme/shop', 'acme%2Fshop', 'ACME/Shop']) {
      expect((await repos(ann, `/${name}/tree`)).status).toBe(200)
    }
    for (const path of ['/acme/tree', '/acme/shop/more/tree', '/%2F/tree']) {
      expect((await repos(ann, path)).status).toBe(404)
    }
  })

  it('are read at the default branch or the indexed commit only', async () => {
    for (const ref of ['main', 'HEAD', 'refs/heads/main', first, first.slice(0, 10)]) {
      expect((await tree(`?ref=${ref}`)).status).toBe(200)
    }
    const { status, body } = await tree('?ref=develop')
    expect([status, body.code, body.details]).toEqual([409, 'ref_not_indexed', { branch: 'main', commit: first }])
  })

  it('answer 409 before a commit is indexed, and 404 for a path that is not there', async () => {
    const { status, body } = await repos(ann, '/acme/empty/tree')
    expect([status, body.code, body.retryable]).toEqual([409, 'repository_not_ready', true])
    for (const path of ['nothing', 'src/../src', 'README.md/x']) {
      expect((await tree(`?path=${path}`)).status).toBe(404)
    }
    for (const path of ['/src', './src/', 'src/']) {
      expect((await tree(`?path=${path}&depth=1`)).body).toMatchObject({ path: 'src' })
    }
  })

  it('follow a push: what was moved, removed, and became a folder', async () => {
    shop.git(['rm', '-q', '-r', 'many', 'src/zones.ts'])
    shop.git(['mv', 'src/orders/deep', 'src/deep'])
    const commit = shop.commit({ 'src/zones.ts/now.md': '# A folder\n' })
    await ready(ann, 'shop', commit)
    const { body } = await tree('?depth=10')
    expect(body.commit).toBe(commit)
    expect(pathsOf({ body })).toEqual([
      'src',
      'src/deep',
      'src/deep/er',
      'src/deep/er/x.py',
      'src/orders',
      'src/orders/cancel.ts',
      'src/zones.ts',
      'src/zones.ts/now.md',
      'README.md',
      'logo.png',
    ])
  })
})
