/** A reader of the console, in a browser. */
import type { Page } from '../support/chromium.ts'
import { openPage } from '../support/chromium.ts'

export interface Reader extends Page {
  /** Opens an address of this service with a key. Later ones in the same browser need no key. */
  enter(root: string, address: string, key: string): Promise<void>
  /** Types into a field, as the reader would. */
  type(selector: string, text: string): Promise<void>
  /** Follows a link or presses a button with this text. */
  press(text: string): Promise<void>
  text(selector: string): Promise<string>
}

export async function openReader(): Promise<Reader> {
  const page = await openPage()
  const exactly = (text: string) =>
    `[...document.querySelectorAll('a, button')].find((one) => one.textContent.trim() === ${JSON.stringify(text)})`
  return {
    ...page,
    async enter(root, address, key) {
      await page.open(root)
      await page.until("document.querySelector('.sign-in')")
      await page.evaluate(`sessionStorage.setItem('precedent.key', ${JSON.stringify(key)})`)
      await page.open(`${root}${address}`)
      await page.until("document.querySelector('nav')")
    },
    async type(selector, text) {
      await page.until(`document.querySelector(${JSON.stringify(selector)})`)
      await page.evaluate(`(() => {
        const field = document.querySelector(${JSON.stringify(selector)})
        field.value = ${JSON.stringify(text)}
        field.dispatchEvent(new Event('input', { bubbles: true }))
      })()`)
      // until the page has drawn what it makes of it
      await page.evaluate('new Promise((then) => requestAnimationFrame(() => setTimeout(then)))')
    },
    async press(text) {
      await page.until(exactly(text))
      await page.evaluate(`${exactly(text)}.click()`)
    },
    text: (selector) => page.evaluate<string>(`document.querySelector(${JSON.stringify(selector)}).innerText`),
  }
}
