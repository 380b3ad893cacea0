/** Opens a page in headless Chromium, over the DevTools protocol on a pipe: no driver and no port is needed. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { temporaryFolder } from './clean-up.ts'

const program = ['chromium', 'chromium-browser', 'google-chrome'].find(
  (name) => spawnSync(name, ['--version']).status === 0,
)
/** Why no page can be opened; undefined: it can. */
export const noChromium = program === undefined ? 'no Chromium is installed' : undefined

type Json = Record<string, unknown>
// biome-ignore lint/suspicious/noExplicitAny: events of the protocol have any shape
type Event = { method: string; params: any }

export interface Page {
  open(url: string): Promise<void>
  /** The value of an expression in the page. */
  evaluate<Value>(expression: string): Promise<Value>
  /** Resolves when the expression is true. */
  until(expression: string): Promise<void>
  /** Presses a key as a person does: `j`, `Enter`, `Tab`, `Escape`. */
  press(key: string): Promise<void>
  /** Makes the screen this wide, in CSS pixels. */
  resize(width: number): Promise<void>
  /** Gives files or a folder of this machine to a file input. */
  choose(selector: string, paths: readonly string[]): Promise<void>
  /** Drops files or a folder of this machine on the page. */
  drop(paths: readonly string[]): Promise<void>
  /** Addresses that the page requested from the network. */
  requested(): string[]
  /** Errors and warnings of the console, and violations of the Content-Security-Policy. */
  complaints(): string[]
  close(): Promise<void>
}

/** `colors`: what the page learns about the reader's preference. */
export async function openPage(colors: 'light' | 'dark' = 'light'): Promise<Page> {
  // removed after the file: chromium also leaves folders next to its profile, and writes into both until it has ended
  const temporary = temporaryFolder('precedent-chromium-')
  const profile = join(temporary, 'profile')
  const child = spawn(
    program as string,
    [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--window-size=1300,1400',
      '--remote-debugging-pipe',
      `--user-data-dir=${profile}`,
    ],
    {
      stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
      detached: true,
      env: { ...process.env, TMPDIR: temporary },
    },
  )
  const close = async () => {
    const ended = once(child, 'exit')
    // its helper processes too: they still write into the profile
    const group = -(child.pid as number)
    process.kill(group, 'SIGKILL')
    await ended
    // not for ever: a container may have no process that removes them once they have ended
    for (let n = 0; n < 250 && isRunning(group); n++) await new Promise((then) => setTimeout(then, 20))
  }
  const call = caller(child.stdio[3] as Writable, child.stdio[4] as Readable)
  try {
    return await pageOf(call, colors, close)
  } catch (error) {
    await close()
    throw error
  }
}

/** Whether one of these processes is left. */
function isRunning(group: number): boolean {
  try {
    process.kill(group, 0)
    return true
  } catch {
    return false
  }
}

async function pageOf(call: ReturnType<typeof caller>, colors: string, close: () => Promise<void>): Promise<Page> {
  const events = call.events
  const { targetId } = await call('Target.createTarget', { url: 'about:blank' })
  const { sessionId } = await call('Target.attachToTarget', { targetId, flatten: true })
  const inPage = (method: string, params: Json = {}) => call(method, params, sessionId as string)
  // whether to leave a page where something is typed: yes
  call.onEvent(({ method }) => {
    if (method === 'Page.javascriptDialogOpening') void inPage('Page.handleJavaScriptDialog', { accept: true })
  })
  for (const domain of ['Page', 'Network', 'Runtime', 'Log', 'Audits']) await inPage(`${domain}.enable`)
  await inPage('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-color-scheme', value: colors }] })

  const evaluate = async <Value>(expression: string): Promise<Value> => {
    const { result, exceptionDetails } = await inPage('Runtime.evaluate', {
      expression,
      returnByValue: true,
      awaitPromise: true,
    })
    if (exceptionDetails) throw new Error(`${expression}: ${JSON.stringify(exceptionDetails)}`)
    return (result as { value: Value }).value
  }
  const of = (method: string) => events.filter((event) => event.method === method).map(({ params }) => params)

  return {
    async open(url) {
      await inPage('Page.navigate', { url })
    },
    evaluate,
    async until(expression) {
      while (!(await evaluate<boolean>(`Boolean(${expression})`))) await new Promise((then) => setTimeout(then, 50))
    },
    async press(key) {
      const text = key === 'Enter' ? '\r' : key.length === 1 ? key : undefined
      const pressed = { key, windowsVirtualKeyCode: codes[key], ...(text !== undefined && { text }) }
      await inPage('Input.dispatchKeyEvent', { type: 'keyDown', ...pressed })
      await inPage('Input.dispatchKeyEvent', { type: 'keyUp', key })
    },
    async resize(width) {
      const screen = { width, height: 1_000, deviceScaleFactor: 1, mobile: false }
      await inPage('Emulation.setDeviceMetricsOverride', screen)
    },
    async choose(selector, paths) {
      const expression = `document.querySelector(${JSON.stringify(selector)})`
      const { result } = await inPage('Runtime.evaluate', { expression })
      await inPage('DOM.setFileInputFiles', { files: paths, objectId: (result as { objectId: string }).objectId })
    },
    async drop(paths) {
      const data = { items: [], files: paths, dragOperationsMask: 1 }
      for (const type of ['dragEnter', 'dragOver', 'drop'])
        await inPage('Input.dispatchDragEvent', { type, x: 300, y: 300, data })
    },
    requested: () =>
      of('Network.requestWillBeSent')
        .map(({ request }) => request.url as string)
        .filter((url) => !url.startsWith('data:')),
    complaints: () => [
      ...of('Log.entryAdded').map(({ entry }) => `${entry.level}: ${entry.text}`),
      ...of('Runtime.exceptionThrown').map(({ exceptionDetails }) => JSON.stringify(exceptionDetails)),
      ...of('Runtime.consoleAPICalled')
        .filter(({ type }) => ['error', 'warning', 'assert'].includes(type))
        .map(({ args }) => JSON.stringify(args)),
      ...of('Audits.issueAdded')
        .filter(({ issue }) => issue.code === 'ContentSecurityPolicyIssue')
        .map(({ issue }) => JSON.stringify(issue.details)),
    ],
    close,
  }
}

/** Without its code, such a key has no effect of its own. */
const codes: Readonly<Record<string, number>> = { Enter: 13, Tab: 9, Escape: 27 }

/** Messages are JSON with a zero byte after each. */
function caller(to: Writable, from: Readable) {
  const waiting = new Map<number, { resolve(result: Json): void; reject(error: Error): void }>()
  const events: Event[] = []
  let listener: (event: Event) => void = () => {}
  let rest = ''
  // closing kills the browser, which breaks the pipes
  for (const pipe of [to, from]) pipe.on('error', () => {})
  from.setEncoding('utf8').on('data', (chunk: string) => {
    const messages = (rest + chunk).split('\0')
    rest = messages.pop() as string
    for (const message of messages) {
      const { id, result, error, ...event } = JSON.parse(message)
      const call = waiting.get(id)
      waiting.delete(id)
      if (call === undefined) {
        events.push(event as Event)
        listener(event as Event)
      } else if (error) call.reject(new Error(JSON.stringify(error)))
      else call.resolve(result)
    }
  })
  let made = 0
  const call = (method: string, params: Json = {}, sessionId?: string): Promise<Json> =>
    new Promise((resolve, reject) => {
      made += 1
      waiting.set(made, { resolve, reject })
      to.write(`${JSON.stringify({ id: made, method, params, sessionId })}\0`)
    })
  const onEvent = (listen: (event: Event) => void) => {
    listener = listen
  }
  return Object.assign(call, { events, onEvent })
}
