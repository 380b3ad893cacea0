/** The page of imports in a browser. It needs `npm run build`, which `npm test` runs first. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Documents } from '../../src/ports/documents.ts'
import { receipts } from '../../src/receipt.ts'
import { runJson } from '../cli/run.ts'
import { type Body, type Serving, send, serve } from '../http/serving.ts'
import { noChromium } from '../support/chromium.ts'
import { temporaryFolder } from '../support/clean-up.ts'
import { skipIf } from '../support/skip.ts'
import { openReader, type Reader } from './reader.ts'

const hostile = '<img src=x onerror="window.ran = 1">'

const bakery = {
  'adr/0001-bake-at-night.md':
    '# Bake at night\n\nStatus: Superseded by [ADR 2](2024-05-16-bake-at-noon.md)\n\nDate: 2024-01-02\n\n## Decision\n\nWe bake at night.\n',
  'adr/2024-05-16-bake-at-noon.md':
    '# Bake at noon\n\nStatus: Accepted\n\n## Context\n\nNobody sleeps.\n\n## Considered Options\n\n* Bake at noon\n* Bake at dawn\n\n## Decision\n\nChosen option: Bake at noon, because of the noise.\n',
  'adr/0003-undated.md': `# ${hostile}\n\nStatus: Maybe\n\n## Decision\n\nWe bake ${hostile}.\n`,
  'adr/0004-key.md': `# The key of the oven\n\nStatus: Accepted\n\nDate: 2024-02-03\n\n## Decision\n\nIt is ghp_${'a1B2c3D4e5F6g7H8i9J0'.repeat(2).slice(0, 36)}.\n`,
  'adr/0005-sell-bread.rst':
    'Sell bread\n==========\n\n:Status: Accepted\n:Date: 2024-03-04\n\nDecision\n--------\n\nWe sell **bread**.\n',
  'adr/README.md': '# Our decisions\n\nThey are here.\n',
  'adr/0006-other.org': '= Other\n',
  '.git/config': '[remote "origin"]\n\turl = git@github.com:acme/bakery.git\n',
}

describe('the page of imports', skipIf(noChromium), () => {
  let serving: Serving
  let page: Reader
  let gate: { left: number; opened: Promise<void>; open(): void } | undefined

  beforeAll(async () => {
    serving = await serve({ around: gated })
    page = await openReader()
    await page.enter(`${serving.url}/`, '', serving.adminKey)
  })
  beforeEach(() => page.visit('import', 'Import'))
  afterAll(async () => {
    await page?.close()
    await serving?.stop()
  })

  /** Each write of its own waits at the gate, once those are through that it lets through. */
  function gated(documents: Documents): Documents {
    const insert: Documents['insert'] = async (collection, document) => {
      if (collection.name === receipts.name && gate && gate.left-- <= 0) await gate.opened
      return documents.insert(collection, document)
    }
    return new Proxy(documents, {
      get(target, name) {
        if (name === 'insert') return insert
        const value: unknown = Reflect.get(target, name)
        return typeof value === 'function' ? value.bind(target) : value
      },
    })
  }

  it('shows every field that it found in a folder, and sends nothing', async () => {
    await page.choose('[name=folder]', [folderOf('bakery', bakery)])
    await page.until("document.querySelector('.found')")
    const facts = await page.text('main dl')
    expect(facts).toMatch(/Source\s+acme\/bakery\s+Decisions\s+5\s+Superseding links\s+1/)
    expect(facts).toMatch(/3 from the text, 1 from names, 1 without a date/)
    const shown = await records()
    expect(shown[0]).toMatch(/^Bake at night superseded 2024-01-02 adr\/0001-bake-at-night\.md:1 We bake at night\./)
    expect(shown.find((one) => one.startsWith('Bake at noon'))).toMatch(
      /accepted 2024-05-16 \(from the name of the file or its folder\).*Supersedes acme\/bakery\/adr\/0001-bake-at-night\.md.*Alternatives Bake at dawn.*Nobody sleeps\./,
    )
    expect(shown.find((one) => one.startsWith('Undated'))).toMatch(
      /proposed no date: it counts from this import.*We bake <img src=x.*a browser does not know the git history.*Line 3: the status "Maybe" is not a known one/,
    )
    expect(shown.find((one) => one.startsWith('The key'))).toMatch(/Line 9: holds a credential \(github\)/)
    expect(shown.find((one) => one.startsWith('Sell bread'))).toContain('We sell **bread**.')
    expect(await page.allText()).toMatch(
      /adr\/0006-other\.org not read: only Markdown, reStructuredText and AsciiDoc are/,
    )
    expect(await page.allText()).toContain('adr/README.md readme')
    expect(await page.evaluate('window.ran === undefined')).toBe(true)
    expect(page.complaints()).toEqual([])
    expect(await writes('decision.import')).toEqual([])
  })

  it('imports what is dropped, says what was refused and why, and leads to the receipts', async () => {
    const folder = folderOf('bakery', bakery)
    await page.drop([folder])
    await page.click('Import 5 records')
    await page.until("document.querySelector('.standing')")
    expect(await page.text('main dl')).toMatch(/New or changed\s+4\s+Already recorded\s+0\s+Refused\s+1/)
    expect(await page.text('main .refusal')).toMatch(
      /^adr\/0004-key\.md:9\s+Line \d+ of \w+ holds a credential \(github\)/,
    )
    await page.click('of this import')
    await page.until("document.querySelectorAll('.receipt').length === 5")
    expect(await page.text('main .card')).toMatch(/Applied: 4\s+Rejected: 1/)

    // the command reads the same
    const { body } = await runJson<Body>(caller(), 'import', folder)
    expect(body).toMatchObject({ decisions: 5, imported: 0, unchanged: 4, refused: [{ file: 'adr/0004-key.md' }] })

    // the page still shows the end of the import. Imported once more, nothing changes
    await page.click('Import')
    await page.click('Import something else')
    await page.until("document.querySelector('.drop')")
    await page.drop([folder])
    await page.click('Import 5 records')
    await page.until("document.querySelector('.standing')")
    expect(await page.text('main dl')).toMatch(/New or changed\s+0\s+Already recorded\s+4\s+Refused\s+1/)
  })

  it('continues an import whose tab was closed, without writing anything twice', async () => {
    const said = Array.from({ length: 40 }, (_, at) => ({ kind: 'session_outcome', content: `Baked tray ${at}.` }))
    const decided = Array.from({ length: 300 }, (_, at) => ({ title: `Shelf ${at}`, judgment: `Shelf ${at} is full.` }))
    const file = fileOf('shop.jsonl', [...decided, ...said].map((row) => JSON.stringify(row)).join('\n'))
    const importIt = async () => {
      await page.choose('[name=files]', [file])
      await page.click('Import 340 records')
    }
    const before = (await writes('decision.import')).length
    const closed = closedGate(15)
    gate = closed
    await importIt()
    while (closed.left > 0) await new Promise((then) => setTimeout(then, 20))
    await page.visit('receipts', 'Receipts')
    gate = undefined
    closed.open()
    expect(await page.allText()).toContain('Remember')

    await page.visit('import', 'Import')
    await importIt()
    await page.until("document.querySelector('.standing')")
    expect(await page.text('.standing')).toContain('continued an import that was interrupted')
    expect(await page.text('main dl')).toMatch(/Refused\s+0/)
    expect(await writes('context.remember')).toHaveLength(40)
    expect((await writes('decision.import')).length - before).toBe(300)
  })

  it('stays usable while it reads thousands of files, and can be stopped', async () => {
    const files = Array.from({ length: 5_000 }, (_, at) => {
      const text = `# Loaf ${at}\n\nStatus: Accepted\n\nDate: 2024-01-02\n\n## Decision\n\n${'We bake it. '.repeat(40)}\n`
      return [`adr/${String(at).padStart(4, '0')}-loaf.md`, text]
    })
    const folder = folderOf('loaves', Object.fromEntries(files))
    await page.choose('[name=folder]', [folder])
    await page.until("/Reading: [1-9][\\d,]* of 5,000 files/.test(document.querySelector('main').innerText)")
    await page.click('Stop')
    await page.until("document.querySelector('.drop')")
    await page.choose('[name=folder]', [folder])
    await page.until("document.querySelector('.found')")
    expect(await page.text('main dl')).toMatch(/Decisions\s+5,000/)
    expect(await records()).toHaveLength(50)
    await page.click('Show more (4,950 left)')
    await page.until("document.querySelectorAll('.found').length === 100")
  })

  it('says which scope a key lacks, and what can’t be imported', async () => {
    // the page that is open keeps its key
    await page.visit('receipts', 'Receipts')
    await page.use(await serving.key(['context:read'], { user: 'ann' }))
    await page.visit('import', 'Import')
    await page.choose('[name=files]', [fileOf('one.csv', 'title,judgment\nOne,Yes\nTwo\n')])
    await page.until("document.querySelector('.found')")
    expect(await page.text('main dl')).toMatch(/Source\s+files\s+Decisions\s+1\s+Not understood\s+1 lines/)
    expect(await page.allText()).toContain('one.csv:3 the row was not imported: it has 1 cell')
    await page.click('Import 1 record')
    await page.until("document.querySelector('[role=alert]')")
    expect(await page.text('[role=alert]')).toContain('scope context:write')
    await page.click('Choose something else')
    await page.until("document.querySelector('.drop')")
    await page.choose('[name=files]', [fileOf('picture.png', 'no text')])
    await page.until("document.querySelector('[role=alert]')")
    expect(await page.text('[role=alert]')).toContain('Choose a folder, or .md, .rst, .adoc, .jsonl or .csv files.')
  })

  /** What is seen of each record, with all of its fields. */
  const records = () =>
    page.evaluate<string[]>(`[...document.querySelectorAll('.found')].map((one) => {
      one.querySelector('details').open = true
      return one.innerText.replace(/\\s+/g, ' ')
    })`)

  const caller = () => ({ url: serving.url, key: serving.adminKey, state: temporaryFolder() })

  /** The receipts of an operation. */
  async function writes(operation: string): Promise<Body[]> {
    const found: Body[] = []
    for (let more = ''; ; ) {
      const path = `/v1/receipts?operation=${operation}&limit=200${more}`
      const { body } = await send(serving.url, 'GET', path, { key: serving.adminKey })
      found.push(...body.items)
      if (body.next_cursor === undefined) return found
      more = `&cursor=${encodeURIComponent(body.next_cursor)}`
    }
  }
})

function closedGate(left: number) {
  let open = () => {}
  const opened = new Promise<void>((then) => {
    open = then
  })
  return { left, opened, open: () => open() }
}

function folderOf(name: string, files: Readonly<Record<string, string>>): string {
  const folder = join(temporaryFolder(), name)
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  return folder
}

function fileOf(name: string, text: string): string {
  return join(folderOf('files', { [name]: text }), name)
}
