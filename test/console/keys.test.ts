/** The pages for admins in a browser. They need `npm run build`, which `npm test` runs first. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Body, type Serving, send } from '../http/serving.ts'
import { noChromium } from '../support/chromium.ts'
import { skipIf } from '../support/skip.ts'
import { headingIs, openConsole, type Reader } from './reader.ts'

describe('the pages for admins', skipIf(noChromium), () => {
  let serving: Serving
  let page: Reader
  let close: () => Promise<void>
  beforeAll(async () => {
    ;({ serving, page, close } = await openConsole())
  })
  afterAll(() => close?.())

  const keys = async (): Promise<Body[]> =>
    (await send(serving.url, 'GET', '/admin/keys', { key: serving.adminKey })).body.items
  const press = (selector: string) => page.evaluate(`document.querySelector(${JSON.stringify(selector)}).click()`)

  it('creates a key, and shows its secret until the page is left', async () => {
    const name = '<img src=x onerror="window.ran = 1">'
    await page.visit('keys', 'Keys')
    await page.click('New key')
    await page.type('[name=name]', name)
    await press('[name="context:read"]')
    await press('[name="repos:read"]')
    await page.type('[name=user]', 'ann')
    await page.type('[name=until]', '2099-12-31')
    await page.click('Create the key')
    await page.until("document.querySelector('.secret')")
    const secret = await page.text('.secret')
    expect((await send(serving.url, 'GET', '/v1/context/brief', { key: secret })).status).toBe(200)
    expect((await keys())[0]).toMatchObject({
      name,
      scopes: ['context:read', 'repos:read'],
      user: 'ann',
      expires_at: '2100-01-01T00:00:00.000Z',
    })
    expect(await page.evaluate('document.activeElement.textContent')).toContain(secret)
    expect(await page.evaluate('window.ran === undefined')).toBe(true)

    await page.click('Search')
    await page.until(headingIs('Search'))
    await page.evaluate('history.back()')
    await page.until(`${headingIs('Keys')} && document.querySelector('.key')`)
    expect(await page.evaluate('document.documentElement.outerHTML')).not.toContain(secret)
    const kept = '[sessionStorage, localStorage].flatMap((one) => Object.values(one)).join()'
    expect(await page.evaluate(kept)).not.toContain(secret)
  })

  it('keeps what is typed of a key while other pages are shown', async () => {
    await page.visit('keys', 'Keys')
    await page.click('New key')
    await page.type('[name=name]', 'Half typed')
    await press('[name="tasks:read"]')
    await page.click('Search')
    await page.until(headingIs('Search'))
    await page.click('Keys')
    await page.until("document.querySelector('[name=name]')?.value === 'Half typed'")
    expect(await page.evaluate('document.querySelector(\'[name="tasks:read"]\').checked')).toBe(true)
  })

  it('revokes a key once the reader has confirmed it', async () => {
    const key = await serving.key(['context:read'], { user: 'ben' })
    const isValid = async () => (await keys()).find(({ user }) => user === 'ben')?.revoked_at === null
    await page.visit('keys?', 'Keys')
    await page.until("document.querySelector('.key dd')?.textContent === 'context:read'")
    await press('.key button')
    await page.until("document.querySelector('.key .asks')")
    await page.press('Escape')
    await page.until("document.querySelector('.key .asks') === null")
    expect(await isValid()).toBe(true)
    await press('.key button')
    await page.until("document.querySelector('.key .asks')")
    await press('.key .asks button')
    await page.until(
      "[...document.querySelectorAll('main [role=status]')].some((one) => /is revoked/.test(one.textContent))",
    )
    expect(await isValid()).toBe(false)
    await page.until("![...document.querySelectorAll('.key')].some((one) => one.textContent.includes('the user ben'))")
    expect(key).toMatch(/^svc_sk_/)
    await page.visit('keys?show=all', 'Keys')
    await page.until("[...document.querySelectorAll('.key')].some((one) => one.textContent.includes('the user ben'))")
  })

  it('shows whether the service works, and rebuilds the search index once the reader has confirmed it', async () => {
    await send(serving.url, 'POST', '/v1/context/memories', {
      key: serving.adminKey,
      headers: { 'idempotency-key': 'a-record-to-index', prefer: 'wait=30' },
      body: { kind: 'fact', content: 'The index holds this record.' },
    })
    const rebuilds = async () =>
      (await send(serving.url, 'GET', '/admin/reindex', { key: serving.adminKey })).body.items
    await page.visit('operations', 'Operations')
    await page.until("document.querySelector('#rebuilds button') && document.querySelector('#work tr')")
    expect(await page.text('main .standing')).toBe('Reads and writes work. No problem is known.')
    expect(await page.text('#work')).toMatch(/Workspaces with writes that have not ended\s+0/)
    await press('#rebuilds button')
    await page.until("document.querySelector('#rebuilds .asks')")
    expect(await rebuilds()).toHaveLength(0)
    await press('#rebuilds .asks button')
    await page.until("document.querySelector('#rebuilds li')")
    expect(await rebuilds()).toHaveLength(1)
  })

  it('says once that a key is none of an admin', async () => {
    await page.use(await serving.key(['context:read']))
    await page.visit('operations?', 'Operations')
    await page.until("document.querySelector('[role=alert]')")
    const alerts = "[...document.querySelectorAll('[role=alert]')].map((one) => one.innerText)"
    expect(await page.evaluate(alerts)).toEqual(['Your key lacks the scope admin. Sign in with a key that has it.'])
    expect(await page.text('.standing')).toContain('Reads and writes work.')
    await page.visit('keys', 'Keys')
    await page.until("document.querySelector('[role=alert]')")
    expect(await page.evaluate(alerts)).toEqual(['Your key lacks the scope admin. Sign in with a key that has it.'])
  })
})
