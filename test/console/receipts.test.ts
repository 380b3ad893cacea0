/** The pages of receipts in a browser. They need `npm run build`, which `npm test` runs first. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { applied, type Body, type Serving, send, serve, write } from '../http/serving.ts'
import { noChromium } from '../support/chromium.ts'
import { skipIf } from '../support/skip.ts'
import { headingIs, openReader, type Reader } from './reader.ts'

describe('the pages of receipts', skipIf(noChromium), () => {
  let serving: Serving
  let page: Reader
  let ann: string
  let ben: string

  beforeAll(async () => {
    serving = await serve()
    ann = await serving.key(['context:read', 'context:write'], { user: 'ann' })
    ben = await serving.key(['context:read', 'context:write'], { user: 'ben' })
    page = await openReader()
    await page.enter(`${serving.url}/`, '', ann)
  })

  afterAll(async () => {
    await page?.close()
    await serving?.stop()
  })

  const items = () =>
    page.evaluate<string[]>(
      "[...document.querySelectorAll('.receipt')].map((one) => one.innerText.replace(/\\s+/g, ' '))",
    )

  it('shows what a batch has written, what it refused, and why', async () => {
    const { batch_id } = await batch([
      { external_id: 'a/1', title: 'Bake bread', judgment: 'We bake bread.' },
      {
        external_id: 'a/2',
        title: 'Key of the oven',
        judgment: `The key is ghp_${'a1B2c3D4e5F6g7H8i9J0'.repeat(2).slice(0, 36)}.`,
      },
    ])
    await page.visit(`receipts?batch=${batch_id}`, 'Receipts')
    await page.until("document.querySelector('main progress')?.value === 2")
    expect(await page.text('main .card')).toMatch(
      /All 2 writes of this batch have ended\.[\s\S]*Applied: 1[\s\S]*Rejected: 1/,
    )
    const shown = (await items()).sort()
    expect(shown[0]).toMatch(/^Applied Import a decision accepted .* Wrote the decision Bake bread$/)
    expect(shown[1]).toMatch(
      /^Rejected Import a decision .*credential.* secret_detected\. Sent again unchanged, it will be refused again\.$/,
    )

    await page.click('Rejected: 1')
    await page.until("document.querySelectorAll('.receipt').length === 1")
    expect(await page.evaluate('location.search')).toBe(`?state=rejected&batch=${batch_id}`)
    expect(await page.evaluate("document.querySelector('main select').value")).toBe('rejected')
    await page.click('All states')
    await page.click('Bake bread')
    await page.until(headingIs('Bake bread'))
  })

  it('leads from page to page of the list, and to what nobody else sees', async () => {
    const said = Array.from({ length: 60 }, (_, at) => `Loaf ${at + 1} is sold.`)
    for (const content of said.slice(0, -1)) await remember(content, {})
    const { receipt_id } = await remember(said.at(-1) as string, { prefer: 'wait=30' })
    await page.visit('receipts?operation=context.remember', 'Receipts')
    await page.until("document.querySelectorAll('.receipt').length === 50")
    await page.click('Show more')
    await page.until("document.querySelectorAll('.receipt').length === 60")

    await page.visit(`receipts/${receipt_id}`, 'A receipt')
    await page.until("document.querySelector('dl')")
    expect(await page.allText()).toContain('Loaf 60 is sold.')
    await page.use(ben)
    await page.visit(`receipts/${receipt_id}`, 'There is no such receipt')
    await page.visit('receipts', 'Receipts')
    await page.until("document.querySelector('main [role=status]:not(.hint)')")
    expect(await page.allText()).toContain('You have written nothing yet')
    await page.visit('receipts?state=nothing', 'Receipts')
    await page.until("document.querySelector('[role=alert]')")
    expect(await page.text('[role=alert]')).toContain('state')
    await page.use(ann)
  })

  async function batch(decisions: readonly Body[]): Promise<Body> {
    const { body } = await write(serving.url, '/v1/decisions/batch', { key: ann, body: { decisions } })
    for (const { receipt } of body.receipts)
      await send(serving.url, 'GET', `/v1/receipts/${receipt.receipt_id}?wait=30`, { key: ann })
    return body
  }

  async function remember(content: string, headers: Record<string, string>): Promise<Body> {
    const sent = write(serving.url, '/v1/context/memories', { key: ann, body: { kind: 'fact', content }, headers })
    return headers.prefer === undefined ? (await sent).body : applied(sent)
  }
})
