import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { applied, type Body, type Serving, send, write } from '../http/serving.ts'
import { noChromium } from '../support/chromium.ts'
import { skipIf } from '../support/skip.ts'
import { headingIs, openConsole, type Reader } from './reader.ts'

describe('the page of a decision', skipIf(noChromium), () => {
  let serving: Serving
  let page: Reader
  let close: () => Promise<void>
  beforeAll(async () => {
    ;({ serving, page, close } = await openConsole())
  })
  afterAll(() => close?.())

  it('supersedes the decision, leads to the new one, and tells of the old one that it is superseded', async () => {
    const old = await decide({ title: 'Keep logs for a year', judgment: 'Logs are kept for a year.' })
    await page.visit(`decisions/${old}`, 'Keep logs for a year')
    await page.type('[name=title]', 'Keep logs for a month')
    await page.type('[name=judgment]', 'Logs are kept for a month.')
    await page.type('[name=rationale]', 'Nobody reads older ones.')
    await page.click('Record the new decision')
    await page.until(headingIs('Keep logs for a month'))
    expect(await page.allText()).toMatch(
      /The decision is recorded.*In force.*Nobody reads older ones.*Keep logs for a year/,
    )

    const made = await page.evaluate<string>('location.pathname')
    await page.visit(`decisions/${old}`, 'Keep logs for a year')
    const standing = "document.querySelector('.standing')"
    expect(await page.evaluate(`${standing}.textContent`)).toMatch(/^Superseded by “Keep logs for a month” on /)
    expect(await page.evaluate(`${standing}.querySelector('a').pathname`)).toBe(made)
    expect(await page.evaluate("document.querySelector('[name=judgment]')")).toBeNull()
  })

  it('keeps what was typed if the service refuses it, and says why', async () => {
    const id = await decide({ title: 'Write in English', judgment: 'All texts are English.' })
    await page.visit(`decisions/${id}`, 'Write in English')
    await page.type('[name=title]', 'x'.repeat(301))
    await page.type('[name=judgment]', 'All texts are English or German.')
    await page.click('Record the new decision')
    await page.until("document.querySelector('#supersede [role=alert]')")
    expect(await page.evaluate("document.querySelector('#supersede [role=alert]').textContent")).toContain('title')
    expect(await page.evaluate("document.querySelector('[name=judgment]').value")).toBe(
      'All texts are English or German.',
    )
    // the next page is opened without the question whether to leave this one
    for (const name of ['title', 'judgment']) await page.type(`[name=${name}]`, '')
  })

  it('records an outcome and shows it', async () => {
    const id = await decide({ title: 'Deploy on Fridays', judgment: 'We deploy every day.' })
    await page.visit(`decisions/${id}`, 'Deploy on Fridays')
    await page.evaluate("document.querySelectorAll('[name=outcome_status]')[2].click()")
    await page.type('[name=outcome_notes]', 'A weekend was lost.')
    await page.click('Record the outcome')
    await page.until("document.querySelector('.outcome')")
    expect(await page.allText()).toMatch(/Failure, observed on .*A weekend was lost\..*The outcome is recorded\./)
    const { body } = await send(serving.url, 'GET', `/v1/decisions/${id}`, { key: serving.adminKey })
    expect(body.outcome).toMatchObject({ outcome_status: 'failure', outcome_notes: 'A weekend was lost.' })
  })

  it('accepts a proposal, also a revision beside the one in force', async () => {
    const texts = { title: 'Back up at night', external_id: 'backups' }
    const id = await decide({ ...texts, judgment: 'Backups run at 2.', status: 'proposed' })
    await page.visit(`decisions/${id}`, 'Back up at night')
    await page.click('Accept')
    await page.until("document.querySelector('.standing').textContent.startsWith('In force.')")
    expect(await page.text('#decide [role=status]')).toBe('Accepted. It is in force.')
    expect(await page.evaluate("document.querySelector('#decide button')")).toBeNull()

    await decide({ ...texts, judgment: 'Backups run at 3.', status: 'proposed' })
    await page.visit(`decisions/${id}`, 'Back up at night')
    expect(await page.text('#decide h2')).toBe('Decide revision 2')
    await page.click('Reject, and say why …')
    await page.type('#decide textarea', 'The report needs them at 2.')
    await page.click('Send')
    await page.until("document.querySelector('#decide [role=status]').textContent === 'Rejected.'")
    const { body } = await send(serving.url, 'GET', `/v1/decisions/${id}`, { key: serving.adminKey })
    expect(body).toMatchObject({ judgment: 'Backups run at 2.', in_force: true })
    expect(body.answers[0]).toMatchObject({ resolution: 'dismiss', note: 'The report needs them at 2.' })
  })

  it('keeps what was typed while the reader looks at another page, until it is sent or the reader signs out', async () => {
    const id = await decide({ title: 'Lunch at noon' })
    const typed = "document.querySelector('#supersede')?.open && document.querySelector('[name=title]').value"
    await page.visit(`decisions/${id}`, 'Lunch at noon')
    await page.type('[name=title]', 'Lunch at one')
    await page.type('[name=judgment]', 'We eat at one.')
    await page.click('Search')
    await page.until("document.querySelector('[name=q]')")
    await page.evaluate('history.back()')
    await page.until(`${headingIs('Lunch at noon')} && ${typed} === 'Lunch at one'`)
    await page.click('Record the new decision')
    await page.until(headingIs('Lunch at one'))

    await page.visit(`decisions/${id}`, 'Lunch at noon')
    const newer = await page.evaluate<string>("document.querySelector('.standing a').pathname")
    await page.click('Lunch at one')
    await page.until(headingIs('Lunch at one'))
    await page.type('[name=title]', 'Lunch at two')
    await page.click('Sign out')
    await page.type('.sign-in [name=key]', serving.adminKey)
    await page.click('Sign in')
    await page.until(`location.pathname === '${newer}' && ${headingIs('Lunch at one')}`)
    expect(await page.evaluate(typed)).toBe(false)
  })

  it('draws the newer above the older, crosses out what is superseded, and leads to it by keyboard', async () => {
    const first = await decide({ title: 'Queue in memory' })
    const second = await decide({ title: 'Queue in Redis', supersedes: [first] })
    const third = await decide({ title: 'Queue in Postgres', supersedes: [second, first] })
    await page.visit(`decisions/${second}`, 'Queue in Redis')
    await page.until("document.querySelectorAll('.graph a').length === 3")
    const nodes = await page.evaluate<[string, string, number][]>(`[...document.querySelectorAll('.graph a')].map(
      (node) => [node.dataset.id, node.getAttribute('class'), node.getBoundingClientRect().top])`)
    // the order in the page is that of the tab key
    expect(nodes.map(([id, look]) => [id, look])).toEqual([
      [third, 'holds'],
      [second, 'old root'],
      [first, 'old'],
    ])
    expect(nodes.map(([, , top]) => top)).toEqual(nodes.map(([, , top]) => top).sort((one, other) => one - other))

    const shown = "document.querySelector('.graph > svg').getAttribute('viewBox')"
    const before = await page.evaluate(shown)
    await page.evaluate(
      "document.querySelector('.graph').dispatchEvent(new KeyboardEvent('keydown', { key: '+', bubbles: true }))",
    )
    await page.until(`${shown} !== ${JSON.stringify(before)}`)
    await page.evaluate(
      "document.querySelector('.graph a').dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true }))",
    )
    await page.until(headingIs('Queue in Postgres'))
  })

  it('marks the words that a revision changed', async () => {
    const texts = { title: 'Rotate keys', external_id: 'keys' }
    const id = await decide({ ...texts, judgment: 'Keys are rotated every year.' })
    await decide({ ...texts, judgment: 'Keys are rotated every month.' })
    await page.visit(`decisions/${id}`, 'Rotate keys')
    await page.click('What changed: judgment')
    await page.until("document.querySelector('.difference')")
    expect(await page.evaluate("document.querySelector('.difference').innerHTML")).toBe(
      'Keys are rotated every <del>year</del><ins>month</ins>.',
    )
  })

  it('says what an id is that names no decision', async () => {
    const id = '018f0000-0000-7000-8000-000000000000'
    await page.visit(`decisions/${id}`, 'There is no such decision')
    await page.visit('decisions/nothing', 'There is no such decision')
    const memory = await applied(
      write(serving.url, '/v1/context/memories', {
        key: serving.adminKey,
        body: { kind: 'fact', content: 'The office is in Oslo.' },
        headers: { prefer: 'wait=30' },
      }),
    )
    await page.visit(`decisions/${memory.entity.id}`, 'There is no such decision')
    expect(await page.evaluate("document.querySelector('main a').pathname")).toBe(`/memories/${memory.entity.id}`)
  })

  it('runs nothing that a record contains', async () => {
    const hostile =
      '<img src=x onerror="window.ran = 1"> <script>window.ran = 1</script> [x](javascript:window.ran=1) ![y](https://elsewhere.test/y.png)'
    const id = await decide({
      title: hostile,
      judgment: hostile,
      rationale: hostile,
      context: { summary: hostile, alternatives: [{ title: hostile, why_not: hostile }] },
      entities: [{ type: hostile.slice(0, 100), name: hostile }],
      sources: [{ type: 'document', title: hostile, url: 'javascript:window.ran=1' }],
    })
    const newer = await decide({ title: `${hostile} 2`, supersedes: [id], supersession_reason: hostile })
    for (const one of [id, newer]) {
      await page.visit(`decisions/${one}`, one === id ? hostile : `${hostile} 2`)
      await page.until("document.querySelectorAll('.graph a').length === 2")
      const bad =
        'document.querySelectorAll(\'main :is(img, script:not([src]), [onerror], [href^="javascript" i])\').length'
      expect(await page.evaluate(bad)).toBe(0)
    }
    expect(await page.evaluate('window.ran === undefined')).toBe(true)
    expect(page.requested().filter((url) => !url.startsWith(`${serving.url}/`))).toEqual([])
  })

  // after the others: about everything that they did. An id that is unknown, and a title that is too long, are refused
  it('breaks no rule of its Content-Security-Policy', () => {
    expect(page.complaints().filter((text) => !/status of 4\d\d/.test(text))).toEqual([])
  })

  async function decide(body: Body): Promise<string> {
    const receipt = await applied(
      write(serving.url, '/v1/decisions', {
        key: serving.adminKey,
        body: { judgment: `${body.title}.`, ...body },
        headers: { prefer: 'wait=30' },
      }),
    )
    return receipt.entity.id
  }
})
