/** The search page of the console in a browser. It needs `npm run build`, which `npm test` runs first. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { applied, type Serving, serve, write } from '../http/serving.ts'
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

const record = async (path: string, body: object): Promise<string> => {
  const headers = { prefer: 'wait=30' }
  return (await applied(write(serving.url, path, { key: serving.adminKey, body, headers }))).entity.id
}
const remember = (content: string, more = {}) => record('/v1/context/memories', { kind: 'fact', content, ...more })

describe('the search page', skipIf(noChromium), () => {
  let reader: Reader
  beforeEach(async () => {
    reader = await openReader()
  })
  afterEach(() => reader.close())
  const hits = "[...document.querySelectorAll('.hit h2')].map((one) => one.innerText).join('|')"

  it('shows what was in force on a day, and what it is now', async () => {
    const [older, newer] = ['The staging cluster has three nodes.', 'The staging cluster has five nodes.']
    const corrects_memory_id = await remember(older, { occurred_at: '2024-01-05T10:00:00.000Z' })
    await remember(newer, { kind: 'correction', corrects_memory_id, occurred_at: '2025-03-02T00:00:00.000Z' })
    await reader.enter(root, 'search?q=staging+cluster&as_of=2024-01-05', serving.adminKey)
    await reader.until(`${hits} === '${older}'`)
    expect(await reader.text('.hit')).toContain('superseded')
    // a page without TLS has no clipboard
    await reader.evaluate("Object.defineProperty(navigator, 'clipboard', { value: undefined })")
    await reader.click('Copy citation')
    await reader.until("document.querySelector('textarea') && getSelection().toString() !== ''")
    expect(await reader.evaluate('getSelection().toString()')).toBe(
      `[${older}](${root}memories/${corrects_memory_id}) (2024-01-05)`,
    )
    await reader.click('Show what is in force now')
    await reader.until(`${hits} === '${newer}'`)
    expect(await reader.evaluate('location.search')).toBe('?q=staging+cluster')
    expect(await reader.text('.hit .conflict')).toContain(`“${older}” was superseded by “${newer}”`)
    await reader.evaluate('history.back()')
    await reader.until(`${hits} === '${older}'`)
    expect(await reader.evaluate("document.querySelector('input[type=date]').value")).toBe('2024-01-05')
  })

  it('finds decisions by filters, from the first instant of a day on', async () => {
    const decide = (title: string, decided_at: string, category: string) =>
      record('/v1/decisions', { title, judgment: `${title}.`, decided_at, category })
    await decide('Prices are in euros', '2024-05-01T00:00:00.000Z', 'pricing')
    await decide('Prices are in crowns', '2024-04-30T23:00:00.000Z', 'pricing')
    await decide('Salaries are in euros', '2024-05-02T00:00:00.000Z', 'finance')
    await reader.enter(root, 'search', serving.adminKey)
    await reader.until("document.querySelector('.hit')")
    await choose('Kind', 'decisions')
    await choose('Category', 'pricing')
    await reader.evaluate(submit)
    await reader.until(`${hits} === 'Prices are in euros|Prices are in crowns'`)
    await reader.type('input[type=date]', '2024-05-01')
    await reader.evaluate(submit)
    await reader.until(`${hits} === 'Prices are in euros'`)
    expect(await reader.evaluate('location.search')).toBe('?kind=decisions&category=pricing&since=2024-05-01')
    expect(reader.complaints()).toEqual([])
  })

  const submit = "document.querySelector('form button[type=submit]').click()"
  const choose = async (label: string, value: string) => {
    const select = `[...document.querySelectorAll('label')].find((one) => one.innerText.startsWith('${label}'))?.control`
    await reader.until(select)
    await reader.evaluate(`(() => {
      const select = ${select}
      select.value = '${value}'
      select.dispatchEvent(new Event('change', { bubbles: true }))
    })()`)
  }

  it('runs nothing of a record, loads nothing that it names, and shows texts that are costly to parse', async () => {
    await remember(hostile)
    await remember(`Hostile quotes\n\n${'> '.repeat(9_000)}end of the quotes`)
    await remember(`Hostile stars ${'**a '.repeat(2_500)}${' a**'.repeat(2_500)}`)
    await reader.enter(root, 'search?q=hostile&kind=memories', serving.adminKey)
    await reader.until("document.querySelectorAll('.hit').length === 3")
    const inHits = (selector: string) => reader.evaluate(`document.querySelectorAll('.hits ${selector}').length`)
    expect(await inHits(':is(img, script, iframe, svg, style, form)')).toBe(0)
    expect(await inHits(':is([onerror], [onclick], [style])')).toBe(0)
    const links = "[...document.querySelectorAll('.hits a')].map((one) => one.href)"
    const addresses = await reader.evaluate<string[]>(links)
    expect(addresses).toContain('https://example.org/')
    const others = addresses.filter((url) => !url.startsWith(`${root}memories/`))
    expect(others.filter((url) => !/^https?:\/\/[a-z.]*example/.test(url))).toEqual([])
    expect(await reader.evaluate('window.hacked')).toBe(undefined)
    expect(await reader.text('.hits')).toMatch(/<img src=/)
    expect(await inHits('.passage ul ul li')).toBe(1)
    expect(await inHits('td strong')).toBe(1)
    expect(reader.requested().filter((url) => !url.startsWith(root))).toEqual([])
    expect(reader.complaints()).toEqual([])
  })
})

const hostile = `# Hostile <script>window.hacked = 1</script>

<img src="http://evil.example/x.png" onerror="window.hacked = 2"> ![image](http://evil.example/y.png)
[a](javascript:window.hacked=3) [b](data:text/html,<script>window.hacked=4</script>) [c](vbscript:x)
<javascript:window.hacked=5> [d](//evil.other/) [e](java&#x73;cript:window.hacked=6) [f][] [ok](https://example.org/)

[f]: javascript:window.hacked=7

- one
  - two [99]

| a | b |
|---|--:|
| \`x\` | **y** |
`
