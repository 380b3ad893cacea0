/** The page of changes in a browser. It needs `npm run build`, which `npm test` runs first. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { applied, type Body, type Serving, serve, write } from '../http/serving.ts'
import { noChromium } from '../support/chromium.ts'
import { skipIf } from '../support/skip.ts'
import { openReader, type Reader } from './reader.ts'

describe('the page of changes', skipIf(noChromium), () => {
  let serving: Serving
  let page: Reader
  let ann: string

  beforeAll(async () => {
    serving = await serve()
    ann = await serving.key(['context:read', 'context:write', 'tasks:read', 'tasks:write'], { user: 'ann' })
    page = await openReader()
    await page.enter(`${serving.url}/`, '', ann)
  })

  afterAll(async () => {
    await page?.close()
    await serving?.stop()
  })

  const shown = () =>
    page.evaluate<string[]>("[...document.querySelectorAll('.changes li div > a')].map((one) => one.textContent)")
  const status = () => page.text('main [role=status]')
  const isRead = "/changed since/.test(document.querySelector('main [role=status]')?.textContent)"

  async function create(path: string, body: Body): Promise<Body> {
    return (await applied(write(serving.url, path, { key: ann, body, headers: { prefer: 'wait=30' } }))).entity
  }

  it('shows the newest change first, with what replaced what', async () => {
    const older = await create('/v1/decisions', { title: 'Trains run hourly', judgment: 'Trains run hourly.' })
    await create('/api/v2/tasks', { name: 'Print the timetable' })
    await create('/v1/decisions', {
      title: 'Trains run twice an hour',
      judgment: 'Trains run twice an hour.',
      supersedes: [older.id],
      supersession_reason: 'More people travel.',
    })
    await page.visit('changes', 'Changes')
    await page.until(isRead)
    const today = new Date().toISOString().slice(0, 10)
    expect(await page.text('main h2')).toBe(today)
    const all = await shown()
    expect(all).toHaveLength(3)
    expect(all.at(-1)).toBe('Print the timetable')
    expect([...all].sort()).toEqual(['Print the timetable', 'Trains run hourly', 'Trains run twice an hour'])
    const text = await page.text('main')
    expect(text).toMatch(/supersedes Trains run hourly/)
    expect(text).toMatch(/superseded\s*by Trains run twice an hour\s*More people travel\./)

    await page.click('Print the timetable')
    await page.until("document.querySelector('h1').textContent === 'Print the timetable'")
  })

  it('shows only what an address asks for', async () => {
    await page.visit('changes?records=work', 'Changes')
    await page.until(isRead)
    expect(await shown()).toEqual(['Print the timetable'])
    await page.visit('changes?change=superseded', 'Changes')
    await page.until(isRead)
    expect(await shown()).toEqual(['Trains run hourly'])
    await page.visit('changes?since=2099-01-01', 'Changes')
    await page.until(isRead)
    expect(await status()).toBe('Nothing of this kind has changed since 2099-01-01.')
  })

  it('marks what has changed since the reader last looked', async () => {
    await page.visit('changes', 'Changes')
    await page.until(isRead)
    expect(await status()).not.toContain('since you last looked')
    await create('/v1/context/memories', { kind: 'fact', content: 'The station has two platforms.' })
    await page.visit('changes?records=', 'Changes')
    await page.until(isRead)
    expect(await status()).toContain('1 since you last looked.')
    expect(await page.evaluate("document.querySelectorAll('.changes .tag.good').length")).toBe(1)
    // another key in this tab has not looked yet
    await page.click('Sign out')
    expect(await page.evaluate('Object.keys(sessionStorage).length + Object.keys(localStorage).length')).toBe(0)
  })

  it('starts anew if its place in the feed no longer holds', async () => {
    await page.enter(`${serving.url}/`, 'changes', ann)
    await page.until(isRead)
    const day = { at: '2020-01-01T00:00:00.000Z', cursor: 'made-by-nobody' }
    await page.evaluate(
      `sessionStorage.setItem('precedent.key#places of changes', ${JSON.stringify(JSON.stringify([day]))})`,
    )
    await page.visit('changes?records=work', 'Changes')
    await page.until(isRead)
    expect(await shown()).toEqual(['Print the timetable'])
  })

  it('says which scope a key lacks', async () => {
    await page.use(await serving.key(['tasks:read']))
    await page.visit('changes?change=', 'Changes')
    await page.until("document.querySelector('main [role=alert]')")
    expect(await page.text('main [role=alert]')).toBe(
      'Your key lacks the scope context:read. Sign in with a key that has it.',
    )
  })
})
