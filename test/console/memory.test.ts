import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { applied, type Body, type Serving, send, write } from '../http/serving.ts'
import { noChromium } from '../support/chromium.ts'
import { skipIf } from '../support/skip.ts'
import { headingIs, openConsole, type Reader } from './reader.ts'

describe('the page of a memory', skipIf(noChromium), () => {
  let serving: Serving
  let page: Reader
  let close: () => Promise<void>
  beforeAll(async () => {
    ;({ serving, page, close } = await openConsole())
  })
  afterAll(() => close?.())

  it('corrects the memory for those who saw it, leads to the correction, and shows the chain on both pages', async () => {
    const old = await remember({ content: 'The cluster has three nodes.', visibility: { scope: 'private' } })
    await page.visit(`memories/${old}`, 'The cluster has three nodes.')
    expect(await page.allText()).toMatch(/It is seen by only you|seen by only you/i)
    expect(await page.evaluate("document.querySelector('[name=content]').value")).toBe('The cluster has three nodes.')
    await page.type('[name=content]', 'The cluster has four nodes.')
    await page.click('Record the correction')
    await page.until(headingIs('The cluster has four nodes.'))
    expect(await page.allText()).toMatch(/The correction is recorded.*In force.*Its corrections.*three nodes/)

    const made = await page.evaluate<string>("location.pathname.split('/').at(-1)")
    const { body } = await send(serving.url, 'GET', `/v1/context/memories/${made}`, { key: serving.adminKey })
    expect(body).toMatchObject({ kind: 'correction', corrects_memory_id: old, visibility: { scope: 'private' } })
    await page.visit(`memories/${old}`, 'The cluster has three nodes.')
    expect(await page.evaluate("document.querySelector('.standing').textContent")).toMatch(
      /^Superseded by “The cluster has four nodes.” on /,
    )
    expect(await page.evaluate("document.querySelector('[name=content]')")).toBeNull()
  })

  it('keeps the text if the memory was corrected meanwhile', async () => {
    const id = await remember({ content: 'Backups run at two.' })
    await page.visit(`memories/${id}`, 'Backups run at two.')
    await remember({ kind: 'correction', corrects_memory_id: id, content: 'Backups run at three.' })
    await page.type('[name=content]', 'Backups run at four.')
    await page.click('Record the correction')
    await page.until("document.querySelector('#correct [role=alert]')")
    expect(await page.allText()).toContain('This memory was corrected before.')
    expect(await page.evaluate("document.querySelector('[name=content]').value")).toBe('Backups run at four.')
    // the next page is opened without the question whether to leave this one
    await page.type('[name=content]', 'Backups run at two.')
  })

  it('lists its open questions, and after the answer says what no longer holds', async () => {
    const doubtful = 'I think the export still runs from the old host vm-17 every night.'
    const id = await remember({
      title: 'Exports',
      content: `Exports are Parquet files. ${doubtful} Customers fetch them by SFTP.`,
    })
    const question = await questionAbout(id)
    await page.visit(`memories/${id}`, 'Exports')
    await page.until("document.querySelector('main a[href*=questions]')")
    expect(await page.evaluate("decodeURIComponent(document.querySelector('main a[href*=questions]').pathname)")).toBe(
      `/questions/${question}`,
    )
    await applied(
      write(serving.url, '/v1/context/resolve', {
        key: serving.adminKey,
        body: { question_id: question, resolution: 'correct', note: 'The export runs from vm-40.' },
        headers: { prefer: 'wait=30' },
      }),
    )
    await page.visit(`memories/${id}`, 'Exports')
    await page.until("document.querySelector('main s')")
    expect(await page.evaluate("document.querySelector('main s').textContent")).toBe(doubtful)
    expect(await page.allText()).toMatch(/In force, except for .*Replaced by “The export runs from vm-40.”/)
    expect(await page.allText()).toMatch(/Answers to former questions.*Corrected by .*The export runs from vm-40\./)
  })

  it('runs nothing that a memory contains', async () => {
    const hostile = '<img src=x onerror="window.ran = 1"> and [x](javascript:window.ran=1)'
    const id = await remember({ title: hostile, content: `# ${hostile}\n\n${hostile}`, topics: [hostile] })
    await page.visit(`memories/${id}`, hostile)
    const bad = 'document.querySelectorAll(\'main :is(img, [onerror], [href^="javascript" i])\').length'
    expect(await page.evaluate(bad)).toBe(0)
    expect(await page.evaluate('window.ran === undefined')).toBe(true)
    expect(page.complaints()).toEqual([])
  })

  it('marks a link to another site, which may look like one to a record', async () => {
    const content = '[Decision 7](https://example.org/decisions/7)'
    const sources = [{ type: 'mail', id: 'm', title: 'Memory 7', url: 'https://example.org/memories/7' }]
    const id = await remember({ title: 'Links', content, sources })
    await page.visit(`memories/${id}`, 'Links')
    const outside = "[...document.querySelectorAll('main a')].filter((one) => one.origin !== location.origin)"
    expect(
      await page.evaluate(`${outside}.map((one) => one.textContent + getComputedStyle(one, '::after').content)`),
    ).toEqual([expect.stringMatching(/^Decision 7.*↗/), expect.stringMatching(/^Memory 7.*↗/)])
  })

  async function remember(body: Body): Promise<string> {
    const receipt = await applied(
      write(serving.url, '/v1/context/memories', {
        key: serving.adminKey,
        body: { kind: 'fact', ...body },
        headers: { prefer: 'wait=30' },
      }),
    )
    return receipt.entity.id
  }

  /** Questions are raised after the write. */
  async function questionAbout(id: string): Promise<string> {
    for (;;) {
      const { body } = await send(serving.url, 'GET', '/v1/context/questions', { key: serving.adminKey })
      const found = body.items.find(({ records }: Body) => records.some((one: Body) => one.id === id))
      if (found) return found.question_id
      await new Promise((then) => setTimeout(then, 50))
    }
  }
})
