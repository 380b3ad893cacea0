/** The pages of repositories in a browser. They need `npm run build`, which `npm test` runs first. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { newRepository } from '../adapters/git/repositories.ts'
import { send } from '../http/serving.ts'
import { noChromium } from '../support/chromium.ts'
import { temporaryFolder } from '../support/clean-up.ts'
import { type Started, startService } from '../support/service.ts'
import { skipIf } from '../support/skip.ts'
import { headingIs, openReader, type Reader } from './reader.ts'

const hostile = '<img src=x onerror="window.ran = 1">'
const orders = `/** Keeps orders. */
export class OrderStore {
  /** All orders of a customer, newest first. */
  ordersOf(customer: string) {
    return customer
  }
}
export const LIMIT = 3
`
const notes = `export const GREETING = '${hostile}'\n`

describe('the pages of repositories', skipIf(noChromium), () => {
  let service: Started
  let page: Reader
  let eve: string

  beforeAll(async () => {
    const [shop, secret] = [newRepository(), newRepository()]
    const commit = shop.commit({
      'src/orders.ts': orders,
      'src/notes.ts': notes,
      'src/new & old/a#b?.ts': 'export const odd = 1\n',
      'README.md': '# Shop\n',
    })
    secret.commit({ 'plan.ts': 'export function takeOver() {}\n' })
    const config = join(temporaryFolder(), 'precedent.yaml')
    const connect = [
      { name: 'acme/shop', url: shop.path },
      { name: 'acme/secret', url: secret.path, audience: 'user:ann' },
      { name: 'acme/absent', url: '/nowhere/at/all' },
    ]
    // JSON is YAML
    writeFileSync(config, JSON.stringify({ repositories: { poll: '1s', connect } }))
    // in a process of its own: the parser is one too
    service = await startService({ env: { PRECEDENT_CONFIG: config } })
    const body = { name: 'test', scopes: ['repos:read'], user: 'eve' }
    eve = (await send(service.url, 'POST', '/admin/keys', { key: service.key, body })).body.key
    await vi.waitFor(
      async () => {
        const { body } = await send(service.url, 'GET', '/api/v2/repos', { key: eve })
        const [absent, indexed] = body.items
        expect(absent.state).toBe('failed')
        expect(indexed.indexed?.commit).toBe(commit)
      },
      { timeout: 60_000, interval: 200 },
    )
    page = await openReader()
    await page.enter(`${service.url}/`, '', eve)
  })

  afterAll(async () => {
    await page?.close()
    await service?.stop()
  })

  it('list those that the reader sees, with why an index failed', async () => {
    await page.visit('repositories', 'Repositories')
    await page.until("document.querySelector('.repository')")
    const shown = "[...document.querySelectorAll('.repository > a')].map((one) => one.textContent)"
    expect(await page.evaluate(shown)).toEqual(['acme/absent', 'acme/shop'])
    expect(await page.text('.repository .refusal')).toContain('there is no repository')
    await page.visit('repositories/acme/secret', 'There is no such repository')
  })

  it('lead from folder to folder, and to a file with what it defines', async () => {
    await page.visit('repositories/acme/shop', 'acme/shop')
    await page.click('src/')
    await page.until(headingIs('src'))
    await page.click('orders.ts')
    await page.until("document.querySelector('.definitions')")
    const defined = "[...document.querySelectorAll('.definitions strong')].map((one) => one.textContent)"
    expect(await page.evaluate(defined)).toEqual(['OrderStore', 'ordersOf', 'LIMIT'])
    expect(await page.text('.definitions')).toContain('All orders of a customer, newest first.')
    expect(await page.evaluate('location.search')).toBe('?path=src%2Forders.ts')
    await page.click('src')
    await page.until(headingIs('src'))
    await page.click('new & old/')
    await page.until(headingIs('src/new & old'))
    await page.click('a#b?.ts')
    await page.until(headingIs('src/new & old/a#b?.ts'))
    await page.visit('repositories/acme/shop?path=no%2Fsuch', 'no/such')
    await page.until("document.querySelector('[role=alert]')")
    expect(await page.text('[role=alert]')).toBe('There is no such path in acme/shop at the indexed commit.')
  })

  it('find places in the code, and show them as text', async () => {
    await page.visit('repositories/acme/shop', 'acme/shop')
    await page.type('[name=q]', 'orders of a customer')
    await page.evaluate("document.querySelector('main form').requestSubmit()")
    await page.until("document.querySelector('.code-place')")
    expect(await page.evaluate('location.search')).toBe('?q=orders+of+a+customer&repo=acme%2Fshop')
    expect(await page.text('.code-place')).toContain('src/orders.ts')
    expect(await page.text('main .page > .hint')).toBe('1 repository was searched.')
    await page.visit('repositories?q=GREETING', 'Code: GREETING')
    await page.until("document.querySelector('.code-place')")
    expect(await page.text('main')).toContain(hostile)
    expect(await page.evaluate("document.querySelectorAll('main img').length")).toBe(0)
  })

  it('find the definitions of a name', async () => {
    await page.visit('repositories?q=ordersof&for=names', 'Code: ordersof')
    await page.until("document.querySelector('.definitions')")
    expect((await page.text('.definitions')).replace(/\s+/g, ' ')).toContain(
      'method ordersOf in OrderStore src/orders.ts acme/shop lines 4–6',
    )
    await page.visit('repositories?q=takeOver&for=names', 'Code: takeOver')
    await page.until("document.querySelector('main .page [role=status]')")
    expect(await page.text('main .page [role=status]')).toContain('Nothing of this name is defined.')
  })
})
