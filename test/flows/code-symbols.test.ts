/** Symbols of connected repositories by name, through HTTP. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { newRepository, type Repository } from '../adapters/git/repositories.ts'
import { type Body, send } from '../http/serving.ts'
import { temporaryFolder } from '../support/clean-up.ts'
import { connect, tool } from '../support/mcp.ts'
import { profile } from '../support/profile.ts'
import { newDataDir, type Started, startService } from '../support/service.ts'

const team = '11111111-1111-7111-8111-111111111111'
const shopFiles = {
  'src/orders.ts': `/** Keeps orders. */
export class OrderStore {
  /** All orders of a customer, newest first. */
  ordersOf(customer: string): Order[] {
    return []
  }
  load() {}
}
export interface Order {}
export function getUserById(id: string) {}
export function getUserByName(name: string) {}
export const LOAD_LIMIT = 3
`,
  'src/cache.py': 'class Cache:\n    def load(self):\n        pass\n',
  'test/orders.test.ts': 'function load() {}\nfunction ordersOf() {}\n',
}

const twelve = Array.from({ length: 12 }, (_, at) => `step${at}`)
const many = twelve.map((name) => `export function ${name}() {}\n`).join('')

describe('symbols', () => {
  let service: Started
  let shop: Repository
  let commit: string
  let ann: string
  let eve: string
  const ask = (query: Record<string, string | number>, key = eve) => {
    const all = Object.entries(query).map(([name, value]): [string, string] => [name, String(value)])
    return send(service.url, 'GET', `/api/v2/repos/symbols?${new URLSearchParams(all)}`, { key })
  }
  const found = async (query: Record<string, string | number>, key = eve) =>
    (await ask(query, key)).body.items.map(({ name, path }: Body) => `${name} ${path}`)
  const newKey = async (more: object) => {
    const body = { name: 'test', scopes: ['repos:read'], ...more }
    return (await send(service.url, 'POST', '/admin/keys', { key: service.key, body })).body.key
  }
  const isIndexed = (name: string, at: string) =>
    vi.waitFor(
      async () => {
        const { body } = await send(service.url, 'GET', `/api/v2/repos?q=${name}`, { key: ann })
        expect(body.items[0]).toMatchObject({ state: 'ready', indexed: { commit: at } })
      },
      { timeout: 60_000, interval: 200 },
    )

  beforeAll(async () => {
    const secret = newRepository()
    shop = newRepository()
    commit = shop.commit(shopFiles)
    const secretCommit = secret.commit({
      'many.ts': many,
      'plan.ts': 'export function takeOver() {}\nexport function load() {}\n',
    })
    const config = join(temporaryFolder(), 'precedent.yaml')
    const entries = [
      { name: 'acme/shop', url: shop.path },
      { name: 'acme/secret', url: secret.path, audience: `team:${team}` },
    ]
    // JSON is YAML
    writeFileSync(config, JSON.stringify({ repositories: { poll: '1s', connect: entries } }))
    const shared = { dataDir: newDataDir(), env: { PRECEDENT_CONFIG: config } }
    service = await startService(profile === 'scaled' ? { ...shared, kind: 'web' } : shared)
    if (profile === 'scaled') await startService({ ...shared, kind: 'code' })
    ann = await newKey({ user: 'ann', teams: [team] })
    eve = await newKey({ user: 'eve' })
    await isIndexed('shop', commit)
    await isIndexed('secret', secretCommit)
  }, 120_000)

  it('are found by their whole name, with place, signature and comment', async () => {
    const { status, body } = await ask({ name: 'ORDERSOF', limit: 1 })
    expect(status).toBe(200)
    expect(body).toEqual({
      items: [
        {
          name: 'ordersOf',
          kind: 'method',
          container: 'OrderStore',
          repo: 'acme/shop',
          path: 'src/orders.ts',
          commit,
          lines: { start: 4, end: 6 },
          signature: 'ordersOf(customer: string): Order[]',
          doc: 'All orders of a customer, newest first.',
        },
      ],
      coverage: { repos: 1, behind: 0 },
      next_cursor: expect.any(String),
    })
    const { body: compact } = await ask({ name: 'ordersOf', limit: 1, compact: 'true' })
    expect(compact.items[0].doc).toBeUndefined()
  })

  it('in code come before those in tests', async () => {
    expect(await found({ name: 'load' })).toEqual([
      'load src/cache.py',
      'load src/orders.ts',
      'load test/orders.test.ts',
    ])
  })

  it('are found inside a container, of a kind, in a language', async () => {
    for (const name of ['OrderStore.load', 'orderstore/load', 'OrderStore::load']) {
      expect(await found({ name })).toEqual(['load src/orders.ts'])
    }
    expect(await found({ name: 'Nowhere.load' })).toEqual([])
    expect(await found({ name: 'load', kind: 'function' })).toEqual(['load test/orders.test.ts'])
    expect(await found({ name: 'load', language: 'py' })).toEqual(['load src/cache.py'])
  })

  it('are found by a beginning if no name is the whole', async () => {
    expect(await found({ name: 'getUser' })).toEqual(['getUserById src/orders.ts', 'getUserByName src/orders.ts'])
    expect(await found({ name: 'getUser', match: 'exact' })).toEqual([])
    expect((await found({ name: 'load', match: 'prefix' }))[0]).toBe('load src/cache.py')
    expect(await found({ name: 'load', match: 'prefix' })).toContain('LOAD_LIMIT src/orders.ts')
  })

  it('are found by names that are like them, each name once before it repeats', async () => {
    expect((await found({ name: 'getUsreById', match: 'fuzzy' }))[0]).toBe('getUserById src/orders.ts')
    expect((await found({ name: 'gubi', match: 'fuzzy' }))[0]).toBe('getUserById src/orders.ts')
    expect((await found({ name: 'user_by_name', match: 'fuzzy' }))[0]).toBe('getUserByName src/orders.ts')
    const names = (await found({ name: 'load', match: 'fuzzy' })).map((one: string) => one.split(' ')[0])
    const distinct = new Set(names)
    expect(names.slice(0, distinct.size)).toEqual([...distinct])
    expect(names.length).toBeGreaterThan(distinct.size)
    const { body } = await ask({ name: 'getUsreById', match: 'fuzzy' })
    expect(body.items[0].score).toBeGreaterThan(0.8)
  })

  it('of one file are listed by their lines', async () => {
    const file = { repo: 'acme/shop', path: 'src/orders.ts' }
    const names = ['OrderStore', 'ordersOf', 'load', 'Order', 'getUserById', 'getUserByName', 'LOAD_LIMIT']
    expect(await found(file)).toEqual(names.map((name) => `${name} src/orders.ts`))
    expect(await found({ ...file, kind: 'method' })).toEqual(['ordersOf src/orders.ts', 'load src/orders.ts'])
    expect(await found({ ...file, name: 'load' })).toEqual(['load src/orders.ts'])
    expect(await found({ ...file, path: 'src' })).toEqual([])
    const inSecret = { repo: 'acme/secret', path: 'plan.ts' }
    expect(await found(inSecret, ann)).toEqual(['takeOver plan.ts', 'load plan.ts'])
    const inMany = { ...inSecret, path: 'many.ts', limit: 50 }
    expect(await found(inMany, ann)).toEqual(twelve.map((name) => `${name} many.ts`))
    expect((await ask(inSecret)).status).toBe(400)
    expect((await ask({ path: 'src/orders.ts' })).body.detail).toContain('repo')
    expect((await ask({ repo: 'acme/shop' })).body.detail).toContain('name')
  })

  it('give the same list page by page', async () => {
    const inFile = { repo: 'acme/shop', path: 'src/orders.ts' }
    for (const query of [{ name: 'load' }, { name: 'getUser' }, { name: 'load', match: 'fuzzy' }, inFile]) {
      const whole = await found({ ...query, limit: 50 })
      const paged: string[] = []
      let cursor: string | undefined
      do {
        const { body } = await ask({ ...query, limit: 1, ...(cursor === undefined ? {} : { cursor }) })
        paged.push(...body.items.map(({ name, path }: Body) => `${name} ${path}`))
        cursor = body.next_cursor
      } while (cursor !== undefined)
      expect(paged).toEqual(whole)
    }
  })

  it('of repositories that the caller may not see do not exist', async () => {
    expect(await found({ name: 'takeOver' }, ann)).toEqual(['takeOver plan.ts'])
    for (const match of ['exact', 'prefix', 'fuzzy']) expect(await found({ name: 'takeOver', match })).toEqual([])
    expect((await ask({ name: 'load' })).body.coverage).toEqual({ repos: 1, behind: 0 })
    const refused = await ask({ name: 'load', repo: 'acme/secret' })
    expect([refused.status, refused.body.detail]).toEqual([
      400,
      'repo: no connected repository is called acme/secret: GET /api/v2/repos lists them',
    ])
    expect(await found({ name: 'load', repo: 'acme/secret' }, ann)).toEqual(['load plan.ts'])
  })

  it('are shown by tools of MCP, like repositories, trees and places in the code, in short texts', async () => {
    const client = await connect({ url: service.url, key: eve })
    const textOf = async (name: string, args: Record<string, unknown>) => (await tool(client, name, args)).text
    const short = commit.slice(0, 12)
    expect(await textOf('list_repositories', {})).toBe(`1. acme/shop (ready, main, indexed ${short}, 3 files)`)
    const tree = await textOf('get_tree', { repo_full_name: 'acme/shop', path: 'src' })
    const entries = [
      `src/cache.py (python, ${shopFiles['src/cache.py'].length} bytes, 2 symbols)`,
      `src/orders.ts (typescript, ${shopFiles['src/orders.ts'].length} bytes, 7 symbols)`,
    ]
    expect(tree).toBe([`acme/shop, commit ${short}, src:`, ...entries].join('\n'))
    const searched = 'Searched: 1 repository.'
    const symbol = await textOf('find_symbol', { name: 'OrderStore.ordersOf' })
    const signature = '1. method OrderStore.ordersOf, acme/shop src/orders.ts:4-6: ordersOf(customer: string): Order[]'
    expect(symbol).toBe(`${signature}\n    All orders of a customer, newest first.\n${searched}`)
    expect(await textOf('find_symbol', { name: 'takeOver' })).toMatch(/^No definition matches\. .*fuzzy/)
    const q = 'all orders of a customer'
    const place = '1. acme/shop src/orders.ts:3-6 method ordersOf'
    expect(await textOf('search_code', { q, path: 'src' })).toMatch(
      new RegExp(`^${place}\n {6}/\\*\\* All orders of a customer, newest first\\. \\*/\n`),
    )
    expect(await textOf('search_code', { q, path: 'src', compact: true })).toBe(
      `${place}: /** All orders of a customer, newest first. */\n${searched}`,
    )
    const hidden = await tool(client, 'get_tree', { repo_full_name: 'acme/secret' })
    expect([hidden.isError, hidden.text]).toEqual([true, 'not_found: No connected repository has this name.'])
  })

  it('follow a new commit as a whole', async () => {
    const next = shop.commit({ 'src/orders.ts': 'export function onlyOne() {}\n' })
    await isIndexed('shop', next)
    expect(await found({ name: 'OrderStore' })).toEqual([])
    expect(await found({ name: 'getUsreById', match: 'fuzzy' })).toEqual([])
    const { body } = await ask({ name: 'onlyOne' })
    expect(body.items[0]).toMatchObject({ commit: next, lines: { start: 1, end: 1 } })
  })
})
