/** Callers that open many streams, never read them, or hang up at any step. */
import { afterEach, expect, it } from 'vitest'
import { type Serving, type ServingOptions, send, serve } from '../http/serving.ts'
import { ended, source, subscribe } from '../http/surface/stream.ts'
import { noteId } from '../http/surface/surface.ts'
import { attack, bearer, closeAll, head, statusOf } from './sockets.ts'

const MiB = 1024 * 1024
/** ms. Far longer than needed, for a busy machine. */
const patient = { timeout: 20_000 }
const get = `GET /api/notes/${noteId}/events HTTP/1.1`
const one = { all: 1, workspace: 1, credential: 1 }

let serving: Serving
async function served(options: ServingOptions = {}): Promise<Serving> {
  serving = await serve({ work: false, routes: subscribe, ...options })
  return serving
}
afterEach(async () => {
  closeAll()
  await serving.stop()
  await expect.poll(() => source.open, patient).toBe(0)
  source.reset()
})

const open = (key = serving.adminKey) => attack(serving.port, head(get, bearer(key)))

/** Opens a stream, and gives its place back. Fails if there is no place. */
async function expectPlace(): Promise<void> {
  const next = async () => {
    const stream = await open()
    const status = statusOf(await stream.until(/\r\n\r\n/))
    stream.socket.destroy()
    return status
  }
  await expect.poll(next, patient).toBe(200)
}

/** The source is not asked for more, because the reader has not taken what came before. */
async function untilBlocked(): Promise<void> {
  let before = -1
  const isBlocked = () => {
    const isStill = source.asked > 0 && source.asked === before
    before = source.asked
    return isStill
  }
  await expect.poll(isBlocked, { ...patient, interval: 300 }).toBe(true)
}

it('the streams of a credential are limited, leave room for another credential, and free their places when they end', async () => {
  await served({ limits: { streams: { all: 6, workspace: 5, credential: 3 } } })
  const ben = await serving.key(['context:read'])
  const mine = await Promise.all(Array.from({ length: 5 }, () => open()))
  await expect.poll(() => mine.filter((stream) => stream.got() !== '').length, patient).toBe(5)
  expect(mine.map((stream) => statusOf(stream.got())).sort()).toEqual([200, 200, 200, 429, 429])
  const refused = mine.find((stream) => statusOf(stream.got()) === 429)?.got()
  expect(refused).toMatch(/\r\nRetry-After: \d+\r\n/i)
  const others = await Promise.all(Array.from({ length: 3 }, () => open(ben)))
  await expect.poll(() => others.filter((stream) => stream.got() !== '').length, patient).toBe(3)
  expect(others.map((stream) => statusOf(stream.got())).sort()).toEqual([200, 200, 429])
  // other calls have their own bound
  expect((await send(serving.url, 'GET', '/v1/receipts', { key: serving.adminKey })).status).toBe(200)
  for (const stream of mine) stream.socket.destroy()
  await expectPlace()
})

it('a stream counts as a request of its credential, so that reconnecting in a loop is limited', async () => {
  await served({ rateLimit: 1 })
  const statuses: number[] = []
  for (let n = 0; n < 15; n += 1) {
    const stream = await open()
    statuses.push(statusOf(await stream.until(/\r\n\r\n/)))
    stream.socket.destroy()
  }
  expect(new Set(statuses)).toEqual(new Set([200, 429]))
})

it('a source is asked for no further events while its reader reads nothing', async () => {
  await served({ limits: { streamComment: 20 } })
  const data = 'x'.repeat(256 * 1024)
  source.events = async function* () {
    for (;;) yield { event: 'much', data }
  }
  const lazy = await attack(serving.port)
  lazy.socket.pause()
  lazy.send(head(get, bearer(serving.adminKey)))
  await untilBlocked()
  const asked = source.asked
  // no more than the system buffers for a connection
  expect(asked * 256 * 1024).toBeLessThan(64 * MiB)
  lazy.socket.resume()
  await expect.poll(() => source.asked, patient).toBeGreaterThan(asked)
})

it('a stream ends if its reader would leave more bytes unread than its share', async () => {
  await served({ limits: { bytes: { all: 4 * MiB, workspace: 2 * MiB, credential: MiB } } })
  const data = 'x'.repeat(16 * MiB)
  source.events = async function* (signal) {
    yield { event: 'much', data }
    await ended(signal)
  }
  const lazy = await attack(serving.port)
  lazy.socket.pause()
  lazy.send(head(get, bearer(serving.adminKey)))
  await expect.poll(() => source.asked === 1 && source.open === 0, patient).toBe(true)
  lazy.socket.resume()
  expect((await lazy.ended).length).toBeLessThan(16 * MiB)
})

it('a reader that reads nothing does not keep the server from stopping', async () => {
  await served()
  const data = 'x'.repeat(256 * 1024)
  source.events = async function* (signal) {
    while (!signal.aborted) yield { event: 'much', data }
  }
  const lazy = await attack(serving.port)
  lazy.socket.pause()
  lazy.send(head(get, bearer(serving.adminKey)))
  await untilBlocked()
  const stopping = serving
  await served()
  expect(await stopping.stop()).toBe(true)
})

it('a source that ignores its end keeps no place, and does not keep the server from stopping', async () => {
  await served({ limits: { streams: one } })
  source.events = async function* () {
    await new Promise((resolve) => setTimeout(resolve, 3_000))
    yield { event: 'late', data: {} }
  }
  const stream = await open()
  await stream.until(/\r\n\r\n/)
  stream.socket.destroy()
  source.events = undefined
  await expectPlace()
})

/** Each function hangs up at another step. */
const steps: Record<string, () => Promise<void>> = {
  async 'before it is authenticated'() {
    const stream = await open()
    stream.socket.destroy()
  },
  async 'while its source is opened'() {
    let release = () => {}
    source.opening = () =>
      new Promise((resolve) => {
        release = resolve
      })
    const stream = await open()
    await expect.poll(() => source.opened.length, patient).toBe(1)
    stream.socket.destroy()
    // nothing is written to it, and its source is not asked for anything
    source.opening = undefined
    release()
  },
  async 'while it waits for its turn'() {
    let release = () => {}
    source.opening = () =>
      new Promise((resolve) => {
        release = resolve
      })
    const ben = await serving.key(['context:read'])
    const holding = await open(ben)
    await expect.poll(() => source.opened.length, patient).toBe(1)
    const waiting = await open()
    // a later request of the same line would be answered first if this one did not wait
    await new Promise((resolve) => setTimeout(resolve, 100))
    waiting.socket.destroy()
    holding.socket.destroy()
    source.opening = undefined
    release()
    await expect.poll(() => source.open, patient).toBe(0)
  },
  async 'while it waits for events'() {
    const stream = await open()
    await stream.until(/hello/)
    stream.socket.destroy()
  },
  async 'while it is written to'() {
    source.events = async function* () {
      for (;;) yield { event: 'much', data: 'x'.repeat(256 * 1024) }
    }
    const stream = await open()
    await stream.until(/much/)
    stream.socket.destroy()
    source.events = undefined
  },
  async 'while it is pipelined behind another answer'() {
    let release = () => {}
    source.opening = () =>
      new Promise((resolve) => {
        release = resolve
      })
    const stream = await attack(serving.port, head(get, bearer(serving.adminKey)).repeat(2))
    await expect.poll(() => source.opened.length, patient).toBeGreaterThan(0)
    stream.socket.destroy()
    source.opening = undefined
    release()
  },
  async 'after it has sent half of a body that a stream does not take'() {
    const stream = await attack(serving.port, head(get, bearer(serving.adminKey), 'Content-Length: 100'))
    stream.send('half')
    await stream.until(/hello/)
    stream.socket.end()
  },
  async 'after it has sent garbage behind its request'() {
    const stream = await attack(serving.port, `${head(get, bearer(serving.adminKey))}garbage\r\n\r\n`)
    await stream.ended
  },
  async 'for sending, though it still reads'() {
    const stream = await open()
    await stream.until(/hello/)
    stream.socket.end()
    await stream.ended
  },
}

it.each(Object.keys(steps))('a client that hangs up %s leaves no place, no turn and no source behind', async (step) => {
  const atWork = { all: Number.POSITIVE_INFINITY, workspace: 1, credential: 1 }
  await served({
    limits: {
      streams: { all: 2, workspace: 2, credential: 1 },
      requests: { all: 2, workspace: 2, credential: 1 },
      atWork,
    },
  })
  await steps[step]?.()
  await expect.poll(() => source.open, patient).toBe(0)
  await expectPlace()
  await expect.poll(() => source.open, patient).toBe(0)
})
