/** Callers that send slowly, announce much, or send much at once: none of them stops another. */
import { afterEach, describe, expect, it } from 'vitest'
import { limitsOf } from '../../src/http/limits.ts'
import { type Serving, type ServingOptions, send, serve, write } from '../http/serving.ts'
import { attack, bearer, closeAll, head, json, length, statusOf } from './sockets.ts'

const KiB = 1024
const MiB = 1024 * KiB
const search = 'POST /v1/context/search HTTP/1.1'
const batch = 'POST /v1/decisions/batch HTTP/1.1'
const decisions = [{ external_id: 'one', title: 'T', judgment: 'J', context: 'C' }]

/** ms. Far beyond what it takes, for a machine that is busy. */
const patient = { timeout: 20_000 }

let serving: Serving
async function served(options: ServingOptions = {}): Promise<Serving> {
  serving = await serve({ work: false, ...options })
  return serving
}
afterEach(async () => {
  closeAll()
  await serving.stop()
})

/** A batch whose body goes on and never ends. */
async function dripper(key: string, name: string) {
  const one = await attack(serving.port, head(batch, bearer(key), json, length(MiB), `Idempotency-Key: ${name}`))
  one.send('{')
  return one
}

/** Searches that announce a body of `announced` bytes, or none at all, and send `bytes` of it. */
function searches(key: string, count: number, bytes: number, announced?: number) {
  const chunk = `${bytes.toString(16)}\r\n${' '.repeat(bytes)}\r\n`
  const [body, part] =
    announced === undefined ? ['Transfer-Encoding: chunked', chunk] : [length(announced), ' '.repeat(bytes)]
  return Promise.all(
    Array.from({ length: count }, async () => {
      const one = await attack(serving.port, head(search, bearer(key), json, body))
      one.send(part)
      return one
    }),
  )
}

describe('slow senders', () => {
  it('do not delay the import of another credential, however many drip', async () => {
    await served()
    const drippers = await Promise.all([1, 2, 3, 4].map((at) => dripper(serving.adminKey, `dripping-${at}`)))
    const key = await serving.key(['context:write'])
    const answer = await write(serving.url, '/v1/decisions/batch', { key, body: { decisions } })
    expect(answer.status, JSON.stringify(answer.body)).toBe(202)
    // they drip on: the import did not wait until they were refused
    expect(drippers.map((one) => one.got())).toEqual(['', '', '', ''])
  })

  it('are refused and hung up on when a window brought too little', async () => {
    await served({ limits: { rateWindow: 200, leastBytesPerSecond: 10 * KiB } })
    const slow = await dripper(serving.adminKey, 'dripping-1')
    const dripping = setInterval(() => slow.send(' '), 20)
    const answer = await slow.ended
    clearInterval(dripping)
    expect(statusOf(answer)).toBe(400)
    expect(answer).toContain('less than 10240 bytes a second')
  })

  it('are refused if they ask to be told to go on and then say nothing', async () => {
    await served({ limits: { rateWindow: 200 } })
    const asks = head(search, bearer(serving.adminKey), json, length(100), 'Expect: 100-continue')
    const answer = await (await attack(serving.port, asks)).ended
    expect(answer).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 400 /)
  })

  it('are served if they are slow and steady', async () => {
    await served({ limits: { rateWindow: 200, leastBytesPerSecond: 20 } })
    const body = JSON.stringify({ decisions }).padEnd(120)
    const request = head(batch, bearer(serving.adminKey), json, length(body.length), 'Idempotency-Key: steady-1')
    const steady = await attack(serving.port, request)
    for (let at = 0; at < body.length; at += 10) {
      steady.send(body.slice(at, at + 10))
      await new Promise((resolve) => setTimeout(resolve, 40))
    }
    expect(statusOf(await steady.until(/"batch_id"/))).toBe(202)
  })
})

describe('bytes under way', () => {
  const limits = { bytes: { all: 6 * MiB, workspace: 4 * MiB, credential: 2 * MiB } }

  it('of 150 dripping searches are refused beyond the share of their credential, and given back', async () => {
    await served({ limits })
    const all = await searches(serving.adminKey, 150, 200 * KiB)
    await expect.poll(() => all.filter((one) => one.got() !== '').length, patient).toBeGreaterThanOrEqual(110)
    const refused = all.filter((one) => one.got() !== '')
    expect(new Set(refused.map((one) => statusOf(one.got())))).toEqual(new Set([503]))
    expect(refused[0]?.got()).toMatch(/\r\nRetry-After: \d+\r\n/i)
    closeAll()
    const body = `{"q": "x"${' '.repeat(2 * MiB - 10)}}`
    const later = () => send(serving.url, 'POST', '/v1/context/search', { key: serving.adminKey, body })
    await expect.poll(async () => (await later()).status, patient).toBe(200)
  })

  it('of one credential leave room for another, and those of one workspace for another', async () => {
    await served({ limits })
    const ben = await serving.key(['context:read'])
    const cleo = await serving.key(['context:read'])
    const body = JSON.stringify({ q: 'x' }).padEnd(100 * KiB)
    const status = async (key: string): Promise<number> => {
      const answer = await send(serving.url, 'POST', '/v1/context/search', { key, body })
      return answer.status
    }
    const fill = async (key: string) => {
      const [large] = await searches(key, 1, 2 * MiB - 10, 2 * MiB)
      await expect.poll(async () => large?.got() !== '' || (await status(key)) === 503, patient).toBe(true)
      // the small one came first, and left no room for the large one
      if (large?.got() !== '') await fill(key)
    }
    await fill(serving.adminKey)
    expect(await status(ben)).toBe(200)
    await fill(ben)
    // the workspace has taken its share
    expect(await status(cleo)).toBe(503)
  })

  it('are those that arrived, not those that were announced', async () => {
    await served({ limits })
    await searches(serving.adminKey, 10, 10, 2 * MiB)
    const body = JSON.stringify({ q: 'x' }).padEnd(MiB)
    const { status } = await send(serving.url, 'POST', '/v1/context/search', { key: serving.adminKey, body })
    expect(status).toBe(200)
  })

  it('are not kept as they come: chunks of one byte cost no more than one large chunk', async () => {
    await served()
    const open = head(search, bearer(serving.adminKey), json, 'Transfer-Encoding: chunked')
    const one = await attack(serving.port, open)
    const before = memory()
    const bytes = 500_000
    one.send('1\r\n \r\n'.repeat(bytes))
    one.send('A\r\n{"q": "x"}\r\n0\r\n\r\n')
    expect(statusOf(await one.until(/"items"/))).toBe(200)
    // kept one by one they took 300 bytes each: 150 MB
    expect(memory() - before).toBeLessThan(60 * MiB)
  })

  it('of callers that are not known are hardly read, and their connections end', async () => {
    await served()
    const stranger = await attack(serving.port, head(search, json, length(64 * MiB)))
    expect(statusOf(await stranger.until(/authentication_required/))).toBe(401)
    const part = Buffer.alloc(MiB, ' ')
    const taken = () => new Promise((resolve) => stranger.socket.write(part, resolve))
    let count = 0
    for (; count < 60 && !stranger.socket.destroyed; count += 1) await Promise.race([taken(), stranger.ended])
    await stranger.ended
    // 1 MiB is thrown away, and the system buffers up to 10 MiB that are not read
    expect(count).toBeLessThan(15)
  })
})

describe('requests under way', () => {
  it('of one credential are bounded, and leave room for another', async () => {
    await served({ limits: { requests: { all: 30, workspace: 20, credential: 10 } } })
    const key = await serving.key(['context:read', 'context:write'])
    const { body } = await write(serving.url, '/v1/context/memories', { key, body: { kind: 'fact', content: 'Open.' } })
    const poll = () => attack(serving.port, head(`GET /v1/receipts/${body.receipt_id}?wait=30 HTTP/1.1`, bearer(key)))
    const polls = await Promise.all(Array.from({ length: 25 }, poll))
    await expect.poll(() => polls.filter((one) => one.got() !== '').length, patient).toBe(15)
    expect(
      new Set(
        polls
          .map((one) => one.got())
          .filter(Boolean)
          .map(statusOf),
      ),
    ).toEqual(new Set([429]))
    expect((await send(serving.url, 'GET', '/v1/receipts', { key: serving.adminKey })).status).toBe(200)
  })
})

it('gives production a third of the memory to one credential, and room in it for the largest batch', () => {
  const { bytes } = limitsOf(192 * MiB)
  expect(bytes).toEqual({ all: 192 * MiB, workspace: 128 * MiB, credential: 64 * MiB })
})

function memory(): number {
  return process.memoryUsage().external + process.memoryUsage().heapUsed
}
