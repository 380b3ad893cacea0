/** A reader of the console, in a browser. */
import { type Serving, serve } from '../http/serving.ts'
import { openPage, type Page } from '../support/chromium.ts'

export interface Reader extends Page {
  /** Opens an address of the service with a key. Later addresses need no key. */
  enter(root: string, address: string, key: string): Promise<void>
  /** What is read from now on is read with this key. The page that is open keeps its own. */
  use(key: string): Promise<void>
  /** Opens a page of the service that was entered, and waits for its heading. */
  visit(address: string, heading: string): Promise<void>
  /** Types into a field, as the reader would. */
  type(selector: string, text: string): Promise<void>
  /** Follows a link, presses a button, or opens a summary with this text. */
  click(text: string): Promise<void>
  /** What is seen of an element. */
  text(selector: string): Promise<string>
  /** What the page says, also in what is closed. */
  allText(): Promise<string>
}

export async function openReader(): Promise<Reader> {
  const page = await openPage()
  const { open, until, evaluate } = page
  let entered = ''
  // a service in a folder of a proxy has a key of its own
  const use = (key: string) => {
    const name = `precedent.key${new URL(entered).pathname.slice(0, -1)}`
    return evaluate<void>(`sessionStorage.setItem(${JSON.stringify(name)}, ${JSON.stringify(key)})`)
  }
  const exactly = (text: string) =>
    `[...document.querySelectorAll('a, button, summary')].find((one) => one.textContent.trim() === ${JSON.stringify(text)})`
  return {
    ...page,
    async enter(root, address, key) {
      entered = root
      await open(root)
      await until("document.querySelector('.sign-in')")
      await use(key)
      await open(`${root}${address}`)
      await until("document.querySelector('nav')")
    },
    use,
    async visit(address, heading) {
      // the page before may have the same address and heading
      await evaluate('window.isLeft = true')
      await open(entered + address)
      await until(`!window.isLeft && location.href === ${JSON.stringify(entered + address)} && ${headingIs(heading)}`)
    },
    async type(selector, text) {
      const field = `document.querySelector(${JSON.stringify(selector)})`
      await until(field)
      await evaluate(`(() => {
        ${field}.value = ${JSON.stringify(text)}
        ${field}.dispatchEvent(new Event('input', { bubbles: true }))
      })()`)
      // until the page has drawn what it makes of it
      await evaluate('new Promise((then) => requestAnimationFrame(() => setTimeout(then)))')
    },
    async click(text) {
      await until(exactly(text))
      await evaluate(`${exactly(text)}.click()`)
    },
    text: (selector) => evaluate(`document.querySelector(${JSON.stringify(selector)}).innerText`),
    allText: () => evaluate("document.querySelector('main').textContent"),
  }
}

/** A service, and a reader of its console who may do everything. */
export async function openConsole(): Promise<{ serving: Serving; page: Reader; close(): Promise<void> }> {
  const serving = await serve()
  const page = await openReader()
  await page.enter(`${serving.url}/`, '', serving.adminKey)
  const close = async () => {
    await page.close()
    await serving.stop()
  }
  return { serving, page, close }
}

export const headingIs = (heading: string) => `document.querySelector('h1')?.textContent === ${JSON.stringify(heading)}`
