/** Search in the code of connected repositories, through HTTP. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { newRepository, type Repository } from '../adapters/git/repositories.ts'
import { type Body, send } from '../http/serving.ts'
import { temporaryFolder } from '../support/clean-up.ts'
import { profile } from '../support/profile.ts'
import { newDataDir, type Started, startService } from '../support/service.ts'

const team = '11111111-1111-7111-8111-111111111111'

const shopFiles = {
  'README.md': '# Shop\n\nCustomers order parcels. An order may be cancelled until it is packed.\n',
  'src/orders/cancel.ts': `/** Whether an order may still be cancelled: until it is packed. */
export function mayCancel(order: Order): boolean {
  return order.state !== 'packed'
}

export class OrderStore {
  /** Reads all orders of a customer, newest first. */
  ordersOf(customer: string): Order[] {
    return this.rows.filter((row) => row.customer === customer)
  }
}
`,
  'src/orders/cancel.test.ts': `test('an order may be cancelled until it is packed', () => {
  expect(mayCancel({ state: 'placed' })).toBe(true)
})
`,
  'src/payments/retry_policy.py': `def next_delay(attempt):
    """How long to wait before a failed payment is tried again."""
    return min(2 ** attempt, 300)
`,
  'src/payments/ledger.py': `class Ledger:
    def close_month(self, month):
        raise ValueError("the month has open bookings")
`,
  'src/long.ts': `export function longOne() {\n${Array.from({ length: 60 }, (_, at) => `  step${at}()`).join('\n')}\n  needleInHaystack()\n}\n`,
  'app/http/routes.ts': 'export const telegraph = 1\n',
  'app/http-client/send.ts': 'export const telegraph = 2\nexport const semaphore = 3\n',
  'app/http-client/cable.ts': 'export const cable = "telegr"\n',
  'lib/wide.js': `exports.wide = '${'w'.repeat(900)}'\nfunction of() {}\n`,
}
const secretFiles = { 'src/plan.ts': '/** The order of the secret takeover. */\nexport function takeover() {}\n' }

describe('code search', () => {
  let service: Started
  let shop: Repository
  let commit: string
  let ann: string
  let eve: string
  const ask = (query: Record<string, string | number | string[]>, key = eve) => {
    const all = Object.entries(query).flatMap(([name, value]) =>
      [value].flat().map((one): [string, string] => [name, String(one)]),
    )
    return send(service.url, 'GET', `/api/v2/repos/search?${new URLSearchParams(all)}`, { key })
  }
  const paths = async (query: Record<string, string | number | string[]>, key = eve) =>
    (await ask(query, key)).body.items.map((one: Body) => one.path)
  const newKey = async (more: object) => {
    const body = { name: 'test', scopes: ['repos:read'], ...more }
    return (await send(service.url, 'POST', '/admin/keys', { key: service.key, body })).body.key
  }
  const isReady = (name: string, more: object = {}) =>
    vi.waitFor(
      async () => {
        const { body } = await send(service.url, 'GET', `/api/v2/repos?q=${name}`, { key: ann })
        expect(body.items[0]).toMatchObject({ state: 'ready', ...more })
      },
      { timeout: 60_000, interval: 200 },
    )
  const isIndexed = (name: string, at: string) => isReady(name, { indexed: { commit: at } })

  beforeAll(async () => {
    shop = newRepository()
    const [secret, empty] = [newRepository(), newRepository()]
    commit = shop.commit(shopFiles)
    const secretCommit = secret.commit(secretFiles)
    const config = join(temporaryFolder(), 'precedent.yaml')
    const connect = [
      { name: 'acme/Shop', url: shop.path },
      { name: 'acme/secret', url: secret.path, audience: `team:${team}` },
      { name: 'acme/empty', url: empty.path },
    ]
    // JSON is YAML
    writeFileSync(config, JSON.stringify({ repositories: { poll: '1s', connect } }))
    const shared = { dataDir: newDataDir(), env: { PRECEDENT_CONFIG: config } }
    service = await startService(profile === 'scaled' ? { ...shared, kind: 'web' } : shared)
    if (profile === 'scaled') await startService({ ...shared, kind: 'code' })
    ann = await newKey({ user: 'ann', teams: [team] })
    eve = await newKey({ user: 'eve' })
    await isIndexed('shop', commit)
    await isIndexed('secret', secretCommit)
    await isReady('empty')
  }, 120_000)

  it('finds code by plain words and by those of its comment, with its place', async () => {
    const { status, body } = await ask({ q: 'may an order still be cancelled' })
    expect(status).toBe(200)
    expect(body.items[0]).toEqual({
      repo: 'acme/Shop',
      path: 'src/orders/cancel.ts',
      commit,
      language: 'typescript',
      symbol: 'mayCancel',
      kind: 'function',
      lines: { start: 1, end: 4 },
      snippet: shopFiles['src/orders/cancel.ts'].split('\n').slice(0, 4).join('\n'),
      score: expect.any(Number),
      url: `file://${shop.path}#${commit}/src/orders/cancel.ts:1-4`,
    })
    expect(body.coverage).toEqual({ repos: 2, behind: 0 })
    expect(await paths({ q: 'how long to wait before a payment is tried again' })).toEqual(
      expect.arrayContaining(['src/payments/retry_policy.py']),
    )
    expect((await paths({ q: 'retry policy' }))[0]).toBe('src/payments/retry_policy.py')
    expect((await paths({ q: 'ordersOf' }))[0]).toBe('src/orders/cancel.ts')
  })

  it('shows tests and prose after the code, unless the query asks for them', async () => {
    const all = await paths({ q: 'order cancelled until it is packed' })
    expect(all.indexOf('src/orders/cancel.ts')).toBeLessThan(all.indexOf('src/orders/cancel.test.ts'))
    expect((await paths({ q: 'test that an order may be cancelled until it is packed' }))[0]).toBe(
      'src/orders/cancel.test.ts',
    )
  })

  it('finds a text in quotes wherever it stands: whole words, parts of words, and operators', async () => {
    expect(await paths({ q: '"the month has open bookings"' })).toEqual(['src/payments/ledger.py'])
    expect(await paths({ q: '"nth has open boo"' })).toEqual(['src/payments/ledger.py'])
    expect(await paths({ q: '"!=="' })).toEqual(['src/orders/cancel.ts'])
    expect(await paths({ q: '"2 ** attempt"' })).toEqual(['src/payments/retry_policy.py'])
    expect(await paths({ q: '"no such text"' })).toEqual([])
  })

  it('shows the lines that hold the text, at most 20 of 200 characters', async () => {
    const { body } = await ask({ q: '"needleInHaystack()"' })
    const [{ lines, snippet }] = body.items
    expect(snippet).toContain('  needleInHaystack()')
    expect(lines.end - lines.start).toBe(19)
    expect(snippet.split('\n')).toHaveLength(20)
    const wide = await ask({ q: 'wide path:lib' })
    expect(Math.max(...wide.body.items[0].snippet.split('\n').map((line: string) => line.length))).toBe(200)
  })

  it('shows only the first line of each place if it is asked to be compact', async () => {
    const { body } = await ask({ q: 'may an order still be cancelled', compact: 'true' })
    expect(body.items[0]).toMatchObject({
      lines: { start: 1, end: 4 },
      snippet: '/** Whether an order may still be cancelled: until it is packed. */',
    })
  })

  it('keeps to filters, given as parameters or inside the query, and leaves out what a dash marks', async () => {
    expect(await paths({ q: 'order lang:md' })).toEqual(['README.md'])
    expect(await paths({ q: 'order', language: 'markdown' })).toEqual(['README.md'])
    expect(await paths({ q: 'booking path:src/payments' })).toEqual(['src/payments/ledger.py'])
    expect(await paths({ q: 'booking', path: 'src/pay' })).toEqual(['src/payments/ledger.py'])
    expect(await paths({ q: 'order', path: '**/*.test.ts' })).toEqual(['src/orders/cancel.test.ts'])
    expect(await paths({ q: 'symbol:close_month' })).toEqual(['src/payments/ledger.py'])
    // words such as `of` are not in the index
    expect(await paths({ q: 'symbol:of' })).toEqual(['lib/wide.js'])
    expect(await paths({ q: 'symbol:of -lang:js' })).toEqual([])
    expect(await paths({ q: 'order -path:src -lang:python' })).toEqual(['README.md'])
    expect(await paths({ q: 'order -"packed"' })).toEqual([])
    expect(await paths({ q: 'order -symbol:OrderStore -path:**/*.test.ts' })).toEqual(['README.md'])
    expect(await paths({ q: 'order', repo: ['acme/shop'] }, ann)).not.toContain('src/plan.ts')
    expect(await paths({ q: 'order repo:acme/secret' }, ann)).toEqual(['src/plan.ts'])
    expect(await paths({ q: 'order -repo:acme/shop' }, ann)).toEqual(['src/plan.ts'])
  })

  it('takes a path for a folder or a file if there is one, whatever is found in it, and else for a beginning', async () => {
    const [routes, client] = ['app/http/routes.ts', 'app/http-client/send.ts']
    const sorted = async (q: string) => (await paths({ q })).sort()
    expect(await sorted('telegraph path:app/http')).toEqual([routes])
    expect(await paths({ q: 'telegraph', path: './app/http/' })).toEqual([routes])
    expect(await sorted(`telegraph path:${routes}`)).toEqual([routes])
    // no file of the folder has the word
    expect(await sorted('semaphore path:app/http')).toEqual([])
    expect(await sorted('"semaphor" path:app/http')).toEqual([])
    expect(await sorted('telegraph path:app/ht')).toEqual([client, routes])
    expect(await sorted('telegraph path:app/http-')).toEqual([client])
    expect(await sorted('telegraph path:app/ht/')).toEqual([])
    expect(await sorted('"telegr" path:app/http-c')).toEqual(['app/http-client/cable.ts', client])
    expect(await sorted('telegraph -path:app/http')).toEqual([client])
    expect(await sorted('telegraph -path:app/ht')).toEqual([])
    expect(await sorted('telegraph path:app/http path:app/http-client')).toEqual([client, routes])
  })

  it('finds a member by its container and its name', async () => {
    for (const name of ['OrderStore.ordersOf', 'orderstore/ORDERSOF', 'OrderStore::ordersOf']) {
      expect(await paths({ q: `symbol:${name}` })).toEqual(['src/orders/cancel.ts'])
    }
    expect(await paths({ q: 'symbol:Ledger.ordersOf' })).toEqual([])
    expect(await paths({ q: 'symbol:Ledger.close_month repo:acme/shop' })).toEqual(['src/payments/ledger.py'])
    expect(await paths({ q: 'order -symbol:OrderStore.ordersOf' })).not.toContain('src/orders/cancel.ts')
    expect(await paths({ q: 'order -symbol:Ledger.ordersOf' })).toContain('src/orders/cancel.ts')
  })

  it('gives the same files page by page', async () => {
    const whole = await paths({ q: 'order', limit: 50 })
    expect(whole.length).toBeGreaterThan(2)
    const found: string[] = []
    let cursor: string | undefined
    do {
      const { body } = await ask({ q: 'order', limit: 1, ...(cursor === undefined ? {} : { cursor }) })
      found.push(...body.items.map((one: Body) => one.path))
      cursor = body.next_cursor
    } while (cursor !== undefined)
    expect(found).toEqual(whole)
    const other = await ask({ q: 'order', limit: 1 })
    expect((await ask({ q: 'payment', limit: 1, cursor: other.body.next_cursor })).status).toBe(400)
  })

  it('shows nothing of repositories that the caller may not see', async () => {
    expect(await paths({ q: 'secret takeover' }, ann)).toEqual(['src/plan.ts'])
    const hidden = await ask({ q: 'secret takeover' })
    expect(hidden.body).toEqual({ items: [], coverage: { repos: 2, behind: 0 } })
    const answers = await Promise.all([ask({ q: 'x repo:acme/secret' }), ask({ q: 'x repo:acme/nowhere' })])
    const [of, ofNone] = answers.map(({ status, body }) => [status, body.detail])
    expect(of).toEqual([400, 'q: no connected repository is called acme/secret: GET /api/v2/repos lists them'])
    expect(ofNone).toEqual([400, 'q: no connected repository is called acme/nowhere: GET /api/v2/repos lists them'])
  })

  it('refuses what it cannot search for, and names the remedy', async () => {
    const refused = async (query: Record<string, string>) => {
      const { status, body } = await ask(query)
      return [status, body.detail]
    }
    expect(await refused({ q: 'lang:ts' })).toEqual([
      400,
      'q: has no word to look for: add a word, "a text in quotes" or symbol:NAME',
    ])
    expect(await refused({ q: 'path:a '.repeat(21) })).toEqual([
      400,
      'q: has 21 filters and texts in quotes: use at most 20',
    ])
    expect(await refused({ q: 'x', path: '**/*/'.repeat(20) })).toEqual([400, 'path: has 40 wildcards: use at most 20'])
    expect((await ask({ q: 'x', limit: 51 })).status).toBe(400)
    const other = await newKey({ scopes: ['context:read'] })
    expect((await ask({ q: 'x' }, other)).status).toBe(403)
  })

  it('shows a new commit as a whole, and nothing of the one before', async () => {
    const next = shop.commit({
      ...shopFiles,
      'src/orders/cancel.ts': '/** Nothing to see. */\nexport const gone = 1\n',
    })
    await isIndexed('shop', next)
    const { body } = await ask({ q: '"gone = 1"' })
    expect(body.items.map(({ path, commit: at }: Body) => [path, at])).toEqual([['src/orders/cancel.ts', next]])
    expect(await paths({ q: 'OrderStore symbol:OrderStore' })).toEqual([])
  })
})
