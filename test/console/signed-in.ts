/** A browser in which a key is already entered, and what a person does on a page. */

import type { Serving } from '../http/serving.ts'
import { openPage, type Page } from '../support/chromium.ts'

export interface SignedIn extends Page {
  /** Opens the page at this path of the console, and waits for its heading. */
  visit(path: string, heading: string): Promise<void>
  /** Types into the field with this name. */
  type(name: string, text: string): Promise<void>
  /** Clicks the button or the summary with this text. */
  press(text: string): Promise<void>
  /** What the page says, also in what is closed. */
  text(): Promise<string>
}

export async function signedIn(serving: Serving): Promise<SignedIn> {
  const page = await openPage()
  await page.open(serving.url)
  await page.until("document.querySelector('input[name=key]')")
  await page.evaluate(`sessionStorage.setItem('precedent.key', ${JSON.stringify(serving.adminKey)})`)
  return {
    ...page,
    async visit(path, heading) {
      await page.open(`${serving.url}/${path}`)
      await page.until(`location.pathname === ${JSON.stringify(`/${path}`)} && ${headingIs(heading)}`)
    },
    async type(name, text) {
      await page.evaluate(`(() => {
        const field = document.querySelector('[name=${name}]')
        field.value = ${JSON.stringify(text)}
        field.dispatchEvent(new Event('input', { bubbles: true }))
      })()`)
    },
    async press(text) {
      const found = `[...document.querySelectorAll('button, summary')].find((one) => one.textContent === ${JSON.stringify(text)})`
      await page.until(found)
      await page.evaluate(`${found}.click()`)
    },
    text: () => page.evaluate("document.querySelector('main').textContent"),
  }
}

export const headingIs = (heading: string) => `document.querySelector('h1')?.textContent === ${JSON.stringify(heading)}`
