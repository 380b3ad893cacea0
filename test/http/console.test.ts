/** What the server sends for the console. What its pages do is tested in a browser (test/console). */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Serving, send, serve } from './serving.ts'

let serving: Serving
beforeAll(async () => {
  serving = await serve()
})
afterAll(() => serving.stop())

const uuid = '0192d5a0-3c4e-7d10-9a51-0f6b2a7c8e11'
const addresses = [
  '/',
  '/search',
  '/search?q=x',
  '/questions',
  '/questions/clarification%3Aab',
  `/decisions/${uuid}`,
  `/memories/${uuid}`,
  '/changes?since=2026-01-01',
  '/repositories',
  '/repositories/acme/shop?path=src%2Fa.ts',
  '/operations',
  '/keys',
  '/receipts',
  `/receipts/${uuid}`,
  '/import',
]

const filesOf = (body: string) =>
  [...body.matchAll(/(?:src|href)="([^"]*console\/[^"]+)"/g)].map(([, at]) => at as string)

describe('the console', () => {
  it.each(addresses)('is at %s, without a key', async (address) => {
    const { status, headers, body } = await send(serving.url, 'GET', address)
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(body).toContain('<div id="console"')
  })

  it('may run and load nothing but files of the service, and is shown in no frame', async () => {
    const { headers } = await send(serving.url, 'GET', '/')
    const policy = headers.get('content-security-policy') ?? ''
    expect(policy).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; /)
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).not.toMatch(/unsafe|http|\*/)
    expect(headers.get('referrer-policy')).toBe('no-referrer')
  })

  it.each([...addresses, '/questions/', `/decisions/${uuid}/`])(
    'at %s the files and the root are relative, for a folder of a proxy',
    async (address) => {
      const { body } = await send(serving.url, 'GET', address)
      const [, root] = /data-root="([^"]*)"/.exec(body) ?? []
      const at = new URL(`https://proxy.test/folder${address}`)
      expect(new URL(root || './', at).href).toBe('https://proxy.test/folder/')
      expect(filesOf(body)).toHaveLength(2)
      for (const file of filesOf(body)) {
        const { status, headers } = await fetch(new URL(new URL(file, at).pathname.replace('/folder', ''), serving.url))
        expect(status).toBe(200)
        expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
      }
    },
  )

  it('names the scripts of its threads, which may reach nothing but the service either', async () => {
    const { body } = await send(serving.url, 'GET', '/import')
    for (const thread of ['import', 'translate']) {
      const [, file] = new RegExp(`data-${thread}-thread="([^"]+)"`).exec(body) ?? []
      const { status, headers } = await fetch(`${serving.url}/console/${file}`)
      expect(status).toBe(200)
      expect(headers.get('content-security-policy')).toMatch(
        /^default-src 'none'; script-src 'self'; .*connect-src 'self'; /,
      )
    }
  })

  it('sends a file compressed if the browser takes that', async () => {
    const file = filesOf((await send(serving.url, 'GET', '/')).body).find((one) => one.endsWith('.js')) as string
    const plain = await fetch(`${serving.url}/${file}`, { headers: { 'Accept-Encoding': 'identity' } })
    const zipped = await fetch(`${serving.url}/${file}`, { headers: { 'Accept-Encoding': 'gzip' } })
    expect(zipped.headers.get('content-encoding')).toBe('gzip')
    expect(await zipped.text()).toBe(await plain.text())
    expect(plain.headers.get('content-encoding')).toBeNull()
  })

  it.each(['/questions/%', '/decisions/%E0%A4', '//'])(
    'is not at %s, which its script could not read',
    async (address) => {
      const { status, body } = await send(serving.url, 'GET', address)
      expect({ status, code: body.code }).toEqual({ status: 404, code: 'not_found' })
    },
  )

  it('has no other file', async () => {
    const { status, body } = await send(serving.url, 'GET', '/console/..%2F..%2Fpackage.json')
    expect({ status, code: body.code }).toEqual({ status: 404, code: 'not_found' })
  })
})
