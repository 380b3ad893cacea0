/** The home page of the console in a browser. It needs `npm run build`, which `npm test` runs first. */
import { createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { applied, type Serving, send, serve, write } from '../http/serving.ts'
import { noChromium } from '../support/chromium.ts'
import { skipIf } from '../support/skip.ts'
import { openReader, type Reader } from './reader.ts'

let serving: Serving
let root: string
beforeAll(async () => {
  serving = await serve()
  root = `${serving.url}/`
})
afterAll(() => serving.stop())

const record = (path: string, body: object) =>
  applied(write(serving.url, path, { key: serving.adminKey, body, headers: { prefer: 'wait=30' } }))

describe('the home page', skipIf(noChromium), () => {
  let reader: Reader
  beforeEach(async () => {
    reader = await openReader()
  })
  afterEach(() => reader.close())

  it('says how to begin while nothing is recorded, and then shows a question that needs a person', async () => {
    await reader.enter(root, '', serving.adminKey)
    await reader.until("document.querySelector('.brief pre')")
    expect(await reader.text('.brief')).toContain(`export PRECEDENT_URL=${serving.url}\n`)
    expect(await reader.text('.needs')).toContain('Nothing now.')

    await record('/v1/context/memories', { kind: 'fact', content: 'I think the sweep takes nine minutes.' })
    await askedAQuestion()
    // a key that may not read tasks: the page has only the rest
    await reader.use(await serving.key(['context:read']))
    await reader.open(root)
    await reader.until("document.querySelector('.needs a')")
    expect(await reader.text('.needs a')).toContain('I think the sweep takes nine minutes.')
    expect(await reader.evaluate("document.querySelector('[role=alert]')")).toBe(null)
    await reader.evaluate("document.querySelector('.needs a').click()")
    await reader.until("location.pathname.startsWith('/questions/')")
  })

  it('shows the brief of a typed question, and its numbers lead to the records', async () => {
    const { entity } = await record('/v1/decisions', {
      title: 'Invoices are numbered by country',
      judgment: 'Each country has its own sequence of invoice numbers.',
    })
    await reader.enter(root, '', serving.adminKey)
    await reader.type('input[name=q]', 'How are invoices numbered?')
    await reader.click('Brief me')
    await reader.until("document.querySelector('h1').innerText === 'How are invoices numbered?'")
    await reader.until("document.querySelector('.brief .citation a')")
    expect(await reader.evaluate('location.search')).toBe('?q=How+are+invoices+numbered%3F')
    const brief = await reader.text('.brief')
    expect(brief).toContain('Each country has its own sequence of invoice numbers.')
    // what only programs need
    expect(brief).not.toMatch(/citations|not instructions|by its id/)
    await reader.click('[1]')
    await reader.until(`location.pathname === '/decisions/${entity.id}'`)
    await reader.evaluate('history.back()')
    await reader.until("document.querySelector('input[name=q]')?.value === 'How are invoices numbered?'")
    expect(reader.complaints()).toEqual([])
  })

  it('tells that a key is unknown, and forgets it', async () => {
    await reader.open(root)
    await reader.type('input[name=key]', 'svc_sk_unknown')
    await reader.click('Sign in')
    await reader.until("document.querySelector('[role=alert]')")
    expect(await reader.text('[role=alert]')).toContain('does not know this key')
    expect(await reader.evaluate('sessionStorage.length + localStorage.length')).toBe(0)
  })

  it('works in a folder of a proxy', async () => {
    const proxy = await startProxy('/p')
    try {
      const at = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}/p/`
      await reader.enter(at, '?q=invoices', serving.adminKey)
      await reader.until("document.querySelector('.brief .markdown')")
      await reader.click('Search the records for it')
      await reader.until("document.querySelector('.hit h2 a')")
      expect(await reader.evaluate('location.pathname')).toBe('/p/search')
      await reader.evaluate("document.querySelector('.hit h2 a').click()")
      await reader.until("location.pathname.startsWith('/p/decisions/')")
      expect(reader.requested().filter((url) => !url.startsWith(at))).toEqual([])
      // the proxy joins slashes. A link on a page with two of them would lead to the host `p`
      await reader.open(at.replace('/p/', '//p/search'))
      await reader.until("location.pathname === '/p/search' && document.querySelector('.hit h2 a')")
      expect(reader.complaints()).toEqual([])
    } finally {
      proxy.closeAllConnections()
      await new Promise((then) => proxy.close(then))
    }
  })
})

async function askedAQuestion(): Promise<void> {
  for (;;) {
    const { body } = await send(serving.url, 'GET', '/v1/context/questions', { key: serving.adminKey })
    if (body.items.length > 0) return
    await new Promise((then) => setTimeout(then, 50))
  }
}

/** Serves the service below a folder, and nothing else. */
async function startProxy(folder: string): Promise<Server> {
  const proxy = createServer((asked, answer) => {
    const path = asked.url?.replace(/^\/+/, '/') ?? ''
    if (!path.startsWith(`${folder}/`)) {
      answer.writeHead(404).end()
      return
    }
    const { method, headers } = asked
    const there = request(`${serving.url}${path.slice(folder.length)}`, { method, headers }, (back) => {
      answer.writeHead(back.statusCode ?? 502, back.headers)
      back.pipe(answer)
    })
    asked.pipe(there)
  })
  await new Promise<void>((then) => proxy.listen(0, '127.0.0.1', then))
  return proxy
}
