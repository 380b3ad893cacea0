/** The links between the pages of the console, in a browser. It needs `npm run build`, which `npm test` runs first. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { noChromium } from '../support/chromium.ts'
import { skipIf } from '../support/skip.ts'
import { headingIs, openConsole, type Reader } from './reader.ts'

describe('the navigation', skipIf(noChromium), () => {
  let page: Reader
  let close: () => Promise<void>
  beforeAll(async () => {
    ;({ page, close } = await openConsole())
  })
  afterAll(() => close?.())

  const isShown = (selector: string) => `document.querySelector('${selector}').checkVisibility()`
  const fits = 'document.documentElement.scrollWidth <= innerWidth'

  it('shows all links on a wide screen, and marks the page that is shown', async () => {
    await page.resize(1300)
    await page.visit('changes', 'Changes')
    expect(await page.evaluate(isShown('#pages'))).toBe(true)
    expect(await page.evaluate(isShown('.menu'))).toBe(false)
    expect(await page.text('#pages [aria-current=page]')).toBe('Changes')
    expect(await page.evaluate("document.querySelectorAll('#pages a').length")).toBeGreaterThanOrEqual(8)
  })

  it('has all links in one line down to the width at which it becomes a menu', async () => {
    for (let width = 1300; await page.evaluate(isShown('#pages')); width -= 20) {
      await page.resize(width)
      const lines =
        "new Set([...document.querySelectorAll('header a, header button')].filter((one) => one.checkVisibility() && one.className !== 'skip').map((one) => Math.round(one.getBoundingClientRect().top / 12))).size"
      expect({ width, fits: await page.evaluate(fits), lines: await page.evaluate(lines) }).toEqual({
        width,
        fits: true,
        lines: 1,
      })
    }
  })

  it('is a menu on a narrow screen, which a followed link and Escape close', async () => {
    await page.resize(360)
    await page.visit('keys', 'Keys')
    expect(await page.evaluate(isShown('#pages'))).toBe(false)
    expect(await page.text('.menu')).toBe('Menu Keys')
    await page.evaluate("document.querySelector('.menu').click()")
    await page.until(isShown('#pages'))
    expect(await page.evaluate(fits)).toBe(true)
    await page.click('Tasks')
    await page.until(`${headingIs('Tasks')} && !${isShown('#pages')}`)
    await page.evaluate("document.querySelector('.menu').focus()")
    await page.press('Enter')
    await page.until(isShown('#pages'))
    await page.press('Escape')
    await page.until(`!${isShown('#pages')}`)
    expect(await page.evaluate('document.activeElement.className')).toContain('menu')
  })
})
