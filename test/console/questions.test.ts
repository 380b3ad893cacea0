/** The pages of open questions in a browser: answering by keyboard and in bulk, closed questions, hostile text. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Body, type Serving, send, serve } from '../http/serving.ts'
import {
  answering,
  decided,
  decision,
  eventually,
  memory,
  type Person,
  person,
  remembered,
} from '../questions/resolving.ts'
import { noChromium } from '../support/chromium.ts'
import { skipIf } from '../support/skip.ts'
import { openReader, type Reader } from './reader.ts'

describe('the pages of questions', skipIf(noChromium), () => {
  let serving: Serving
  let ann: Person
  let bob: Person
  let page: Reader
  beforeAll(async () => {
    serving = await serve()
    ann = await person(serving, 'ann')
    bob = await person(serving, 'bob')
    page = await openReader()
    await page.enter(`${serving.url}/`, 'questions', ann.key)
  })
  afterAll(async () => {
    await page.close()
    await serving.stop()
  })

  /** `shown`: an expression that is true once the page is shown. */
  const opened = async (path: string, shown: string) => {
    await page.open('about:blank')
    await page.until("location.href === 'about:blank'")
    await page.open(serving.url + path)
    await page.until(shown)
  }
  const listed = async (query = ''): Promise<Body[]> =>
    (await send(serving.url, 'GET', `/v1/context/questions?limit=200${query}`, { key: ann.key })).body.items
  const cards = "document.querySelectorAll('article[data-question]').length"
  const press = async (...keys: string[]) => {
    for (const key of keys) await page.press(key)
  }

  it('keeps the older claim of a contradiction, by keyboard alone', async () => {
    const older = await remembered(ann, 'Invoices are kept for 3 years.', { occurred_at: '2024-01-02T00:00:00Z' })
    const sources = [{ type: 'mail', id: 'm1', title: 'A mail of the auditor' }]
    const newer = await remembered(ann, 'Invoices are kept for 7 years.', {
      occurred_at: '2025-06-02T00:00:00Z',
      sources,
    })
    const [asked] = await eventually(async () => {
      const found = await listed('&reason=contradiction')
      return found.length === 1 ? found : Promise.reject(new Error('not asked yet'))
    })
    await opened('/questions?reason=contradiction', `${cards} === 1`)
    await press('j', 'Enter')
    await page.until("/A mail of the auditor[\\s\\S]*No source/.test(document.querySelector('article').innerText)")
    const sides = await page.evaluate<string[]>("[...document.querySelectorAll('.side')].map((one) => one.innerText)")
    expect(sides).toEqual([
      expect.stringMatching(/^Newer: Memory 2025-06-02[\s\S]*for 7 years[\s\S]*A mail of the auditor/),
      expect.stringMatching(/^Older: Memory 2024-01-02[\s\S]*for 3 years[\s\S]*No source/),
    ])
    // the key alone answers nothing
    await press('2')
    expect(await page.text(':focus')).toContain('The older holds')
    expect(await listed('&reason=contradiction')).toEqual([asked])
    await press('Enter')
    await page.until("document.querySelector('.last-ended').innerText !== ''")
    expect(await page.text('.last-ended')).toContain(
      'The older claim holds. It replaces the newer one. Invoices are kept for 3',
    )
    expect(await page.evaluate(cards)).toBe(0)
    expect(await page.evaluate('document.activeElement.id')).toBe('questions-end')
    expect(await memory(ann, older)).toMatchObject({ in_force: true })
    expect(await memory(ann, newer)).toMatchObject({ in_force: false, superseded_by: [{ id: older }] })
  })

  it('dismisses several questions after asking once, and tells which were closed already', async () => {
    for (const what of ['ash', 'elm', 'fir', 'oak']) await remembered(ann, `Open question: who cuts the ${what}?`)
    await opened('/questions?reason=explicit_question', `${cards} === 4`)
    const [closed, , kept] = await listed('&reason=explicit_question')
    await answering(bob, { question_id: closed.question_id, resolution: 'dismiss' })
    // all but the third
    await press('a', 'j', 'j', 'j', 'x', 'b')
    // an open question needs a text, so it can't be confirmed
    expect(await page.evaluate('document.querySelector("[data-bulk=confirm]").disabled')).toBe(true)
    await press('Enter')
    await page.until("document.querySelector('[data-bulk-answer]')")
    expect(await page.text('.bulk')).toContain('Dismiss 3 questions?')
    expect(await listed('&reason=explicit_question')).toHaveLength(3)
    await press('Enter')
    await page.until("document.querySelector('#bulk-told').innerText !== ''")
    expect(await page.text('#bulk-told')).toBe('2 questions answered. 1 question had been closed already.')
    expect((await listed('&reason=explicit_question')).map((one) => one.question_id)).toEqual([kept.question_id])
    expect(await page.evaluate(cards)).toBe(1)
    const ended = await page.evaluate<string>("document.querySelector('.ended').textContent")
    expect(ended).toMatch(/it was dismissed by bob at/)
    // while somebody types, the keys are letters
    await press('j', '1', 'Enter', 'd', 'x')
    expect(await page.evaluate("document.querySelector('textarea').value")).toBe('dx')
    expect(await page.evaluate("document.querySelector('[data-select]').checked")).toBe(false)
  })

  it('keeps the text of an answer that was refused, and does not leave the question', async () => {
    const id = await decided(ann, 'Plant quinces', 'We plant quinces.', { status: 'proposed' })
    const reader = await serving.key(['context:read'], { user: 'rea' })
    await page.use(reader)
    await opened(`/questions/judgment:${id}`, `${cards} === 1`)
    await press('4', 'Enter', 'W', 'e')
    await page.evaluate("document.querySelector('form').requestSubmit()")
    await page.until("document.querySelector('.refusal')")
    expect(await page.text('.refusal')).toContain('context:write')
    expect(await page.evaluate("document.querySelector('textarea').value")).toBe('We')
    await page.use(ann.key)
  })

  it('accepts a proposal on the page of its question, which then says that it is not open', async () => {
    const id = await decided(ann, 'Plant medlars', 'We plant medlars.', { status: 'proposed' })
    await opened(`/questions/judgment:${id}`, `${cards} === 1`)
    expect(await page.text('article h2')).toBe('Accept or reject “Plant medlars”?')
    await press('c', 'Enter')
    await page.until("document.querySelector('main').innerText.includes('Accepted. It is in force. Plant medlars')")
    expect(await decision(ann, id)).toMatchObject({ status: 'accepted', in_force: true })
    await opened(`/questions/judgment:${id}`, "document.body?.innerText.includes('No question')")
    expect(await page.text('main')).toContain('No question with this id is open.')
  })

  it('shows hostile text as text', async () => {
    const hostile = '<img src=x onerror=globalThis.hacked=1> [click](javascript:globalThis.hacked=2)'
    const sources = [{ type: 'mail', id: 'm', title: hostile, url: 'javascript:globalThis.hacked=3' }]
    const id = await remembered(ann, `I think that ${hostile} is right.`, { sources })
    await decided(ann, `${hostile} as a title`, `We choose ${hostile}.`, { status: 'proposed' })
    await opened('/questions?reason=low_confidence&reason=pending_judgment', `${cards} >= 2`)
    await page.evaluate("document.querySelectorAll('[data-toggle]').forEach((one) => one.click())")
    await page.until(`document.querySelectorAll('.opened').length === ${cards}`)
    await page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true })")
    expect(await page.text('main')).toContain('<img src=x onerror=globalThis.hacked=1>')
    const links = await page.evaluate<string[]>("[...document.querySelectorAll('a')].map((one) => one.href)")
    expect(links).toContain(`${serving.url}/memories/${id}`)
    expect(links.filter((link) => !link.startsWith(`${serving.url}/`))).toEqual([])
    expect(await page.evaluate("document.querySelectorAll('main img').length")).toBe(0)
    expect(await page.evaluate('typeof globalThis.hacked')).toBe('undefined')
  })

  // after the others: about everything that they did
  it('leaves no complaint in the console of the browser', () => {
    // the browser notes each answer that is refused
    const refused = /Failed to load resource: the server responded with a status of (403|409)/
    expect(page.complaints().filter((one) => !refused.test(one))).toEqual([])
  })
})
