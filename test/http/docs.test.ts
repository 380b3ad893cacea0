/** The pages of the documentation. They need `npm run build`, which `npm test` runs first. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { nameOf } from '../../src/http/base/route.ts'
import { documents } from '../../src/http/routes.ts'
import { noChromium, openPage, type Page } from '../support/chromium.ts'
import { skipIf } from '../support/skip.ts'
import { publicUrl, type Serving, send, serve } from './serving.ts'

let serving: Serving
beforeAll(async () => {
  serving = await serve()
})
afterAll(() => serving.stop())

const assetsOf = (body: string) => [...body.matchAll(/(?:src|href)="([^"]*docs\/viewer\/[^"]+)"/g)].map(([, at]) => at)

describe('/docs', () => {
  it('allows scripts and styles from its own origin only', async () => {
    const { headers } = await send(serving.url, 'GET', '/docs')
    const policy = headers.get('content-security-policy')
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self';")
    expect(policy).not.toMatch(/unsafe|http|\*/)
  })

  it('links to every document if the browser runs no scripts', async () => {
    const { body } = await send(serving.url, 'GET', '/docs')
    const without = body.split('<noscript>')[1]?.split('</noscript>')[0]
    for (const { path } of documents) expect(without).toContain(`href="${path.slice(1)}"`)
  })

  it.each(['/docs', '/docs/'])('at %s names files that exist and never change', async (path) => {
    const { body } = await send(serving.url, 'GET', path)
    const addresses = assetsOf(body)
    expect(addresses).toHaveLength(6)
    for (const address of addresses) {
      const { pathname } = new URL(address as string, serving.url + path)
      const { status, headers } = await send(serving.url, 'GET', pathname)
      expect({ status, encoding: headers.get('content-encoding') }, pathname).toEqual({ status: 200, encoding: 'gzip' })
      expect(headers.get('content-type')).toMatch(/^text\/(css|javascript)/)
      expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
      const etag = headers.get('etag') as string
      expect((await send(serving.url, 'GET', pathname, { headers: { 'if-none-match': etag } })).status).toBe(304)
    }
  })

  it('sends the same script without compression if the client does not accept gzip, and only its size to HEAD', async () => {
    const address = `/${assetsOf((await send(serving.url, 'GET', '/docs')).body).find((one) => one?.includes('bundle'))}`
    const zipped = await send(serving.url, 'GET', address)
    const plain = await send(serving.url, 'GET', address, { headers: { 'accept-encoding': 'identity' } })
    expect(plain.headers.get('content-encoding')).toBeNull()
    expect(plain.body === zipped.body).toBe(true)
    const head = await send(serving.url, 'HEAD', address)
    expect(head.headers.get('content-length')).toBe(zipped.headers.get('content-length'))
  })

  it('answers 404 for a file of an older build', async () => {
    expect((await send(serving.url, 'GET', '/docs/viewer/0123456789abcdef-start.js')).status).toBe(404)
    expect((await send(serving.url, 'GET', '/docs/viewer/..%2F..%2Fpackage.json')).status).toBe(404)
  })
})

describe.each(documents)('the introduction of $name', ({ path }) => {
  it('has commands that work when they are pasted', async () => {
    const { info } = (await send(serving.url, 'GET', path)).body
    const blocks = [...info.description.matchAll(/^```sh\n(.*?)^```/gms)].map(([, block]) => block as string)
    expect(blocks.length).toBeGreaterThan(0)
    const script = blocks.join('\necho\n').replaceAll(publicUrl, serving.url)
    const env = { PATH: process.env.PATH, PRECEDENT_API_KEY: serving.adminKey }
    const { stdout, stderr } = await promisify(execFile)('bash', ['--norc', '-eo', 'pipefail', '-c', script], { env })
    expect(stderr).toBe('')
    const answers = stdout
      .trim()
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line))
    expect(answers).toHaveLength(blocks.length)
    for (const answer of answers) expect(answer, JSON.stringify(answer)).not.toHaveProperty('code')
    if (path === '/openapi.json') expect(answers.at(-1)).toMatchObject({ state: 'applied' })
  })
})

describe('/docs in a browser', skipIf(noChromium), () => {
  let page: Page
  beforeAll(async () => {
    page = await openPage('dark')
  })
  afterAll(() => page.close())

  it('shows every call of the document that the reader chooses', async () => {
    await page.open(`${serving.url}/docs`)
    for (const [at, { path, routes }] of documents.entries()) {
      if (at > 0) {
        await page.evaluate(`(() => {
          const choice = document.querySelector('.topbar select')
          choice.selectedIndex = ${at}
          choice.dispatchEvent(new Event('change', { bubbles: true }))
        })()`)
      }
      await page.until(`document.querySelector('.info a.link')?.href.endsWith('${path}')`)
      // a stream is shown with the read of its path
      const calls = new Set(routes.map((route) => `${route.method} ${route.path}`))
      await page.until(`document.querySelectorAll('.opblock').length === ${calls.size}`)
      const text = await page.evaluate<string>('document.body.innerText')
      for (const route of routes) expect(text).toContain(route.path.replaceAll(/:(\w+)/g, '{$1}'))
    }
  })

  it('shows the introduction, in the colors that the reader prefers', async () => {
    await page.open(`${serving.url}/docs`)
    await page.until("document.querySelector('.info h2')")
    const headings = "[...document.querySelectorAll('.info h2')].map((one) => one.textContent).join()"
    expect(await page.evaluate(headings)).toMatch(/Authentication,Quickstart,Life of a receipt$/)
    expect(await page.evaluate('document.documentElement.className')).toContain('dark-mode')
  })

  it('has no text in a color near that of its background, if the reader prefers dark', async () => {
    await page.open(`${serving.url}/docs`)
    await page.until("document.querySelector('.opblock-summary-control')")
    await page.evaluate(
      "[...document.querySelectorAll('.opblock-summary-control')].slice(0, 2).forEach((one) => one.click())",
    )
    await page.until("document.querySelectorAll('.opblock.is-open table.headers .header-col').length > 2")
    expect(await page.evaluate(lowContrast)).toEqual([])
  })

  it('sends a call with the key of the reader, to the service that served the page', async () => {
    await page.open(`${serving.url}/docs`)
    await page.until("document.querySelector('.opblock-summary-control')")
    await page.evaluate("document.querySelector('.opblock-summary-control').click()")
    await page.until("document.querySelector('.opblock.is-open .try-out__btn')")
    await page.evaluate("document.querySelector('.btn.authorize').click()")
    await page.until("document.querySelector('.auth-container input')")
    await page.evaluate(`(() => {
      const input = document.querySelector('.auth-container input')
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(input, '${serving.adminKey}')
      input.dispatchEvent(new Event('input', { bubbles: true }))
    })()`)
    await page.evaluate("document.querySelector('.auth-btn-wrapper .authorize').click()")
    await page.until("document.querySelector('.auth-btn-wrapper button')?.textContent === 'Logout'")
    await page.evaluate("document.querySelector('.auth-btn-wrapper .btn-done').click()")
    await page.evaluate("document.querySelector('.opblock.is-open .try-out__btn').click()")
    await page.until("document.querySelector('.opblock.is-open .execute')")
    await page.evaluate("document.querySelector('.opblock.is-open .execute').click()")
    await page.until("document.querySelector('.live-responses-table .response-col_status')")
    const status = "document.querySelector('.live-responses-table tbody .response-col_status').textContent"
    expect(await page.evaluate(status)).toContain('200')
    expect(await page.evaluate("document.querySelector('.curl').textContent")).toContain(
      `${publicUrl}/v1/context/brief`,
    )
  })

  // after the others: about everything that they did
  it('requests nothing from elsewhere, and breaks no rule of its Content-Security-Policy', () => {
    expect(page.complaints()).toEqual([])
    expect(page.requested().length).toBeGreaterThan(6)
    expect(page.requested().filter((url) => !url.startsWith(`${serving.url}/`))).toEqual([])
  })
})

/** In the page: texts whose contrast is below 3, the least that WCAG allows for any text. */
const lowContrast = `(() => {
  const parts = (color) => {
    const [red, green, blue, opacity = 1] = color.match(/[\\d.]+/g).map(Number)
    return { rgb: [red, green, blue], opacity }
  }
  const over = ({ rgb, opacity }, under) => rgb.map((one, at) => one * opacity + under[at] * (1 - opacity))
  const backgroundOf = (element) => {
    const layer = parts(getComputedStyle(element).backgroundColor)
    if (layer.opacity === 1) return layer.rgb
    return over(layer, element.parentElement ? backgroundOf(element.parentElement) : [255, 255, 255])
  }
  const luminance = (rgb) => {
    const [red, green, blue] = rgb.map((one) => (one < 10 ? one / 3294 : ((one / 255 + 0.055) / 1.055) ** 2.4))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
  }
  const low = new Set()
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  while (texts.nextNode()) {
    const { textContent, parentElement: element } = texts.currentNode
    if (textContent.trim() === '' || element.closest('script, noscript, option') || !element.checkVisibility()) continue
    const background = backgroundOf(element)
    const both = [luminance(background), luminance(over(parts(getComputedStyle(element).color), background))]
    if ((Math.max(...both) + 0.05) / (Math.min(...both) + 0.05) < 3) low.add(textContent.trim())
  }
  return [...low]
})()`

it.each(documents)('the document $name has no two calls of one name', ({ routes }) => {
  const names = routes.map(nameOf)
  expect(new Set(names).size).toBe(names.length)
})
