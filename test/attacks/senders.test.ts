/** Callers that send slowly, announce large bodies, or send much at once do not stop other callers. */
import { afterEach, describe, expect, it } from 'vitest'
import { limitsOf } from '../../src/http/base/limits.ts'
import { type Serving, type ServingOptions, send, serve, write } from '../http/serving.ts'
import { attack, bearer, closeAll, head, json, length, statusOf } from './sockets.ts'

const KiB = 1024
const MiB = 1024 * KiB
const search = 'POST /v1/context/search HTTP/1.1'
const batch = 'POST /v1/decisions/batch HTTP/1.1'
const decisions = [{ external_id: 'one', title: 'T', judgment: 'J', context: 'C' }]

/** ms. Far longer than needed, for a busy machine. */
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

/** A batch whose body never ends. */
async function dripper(key: string, name: string) {
  const one = await attack(serving.port, head(batch, bearer(key), json, length(MiB), `Idempotency-Key: ${name}`))
  one.send('{')
  return one
}

/** Searches that announce a body of `announced` bytes, or no length, and send `bytes` of it. */
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
  it('slow senders do not delay the import of another credential', async () => {
    await served()
    const drippers = await Promise.all([1, 2, 3, 4].map((at) => dripper(serving.adminKey, `dripping-${at}`)))
    const key = await serving.key(['context:write'])
    const answer = await write(serving.url, '/v1/decisions/batch', { key, body: { decisions } })
    expect(answer.status, JSON.stringify(answer.body)).toBe(202)
    // the slow senders still send, so the import did not wait for their end
    expect(drippers.map((one) => one.got())).toEqual(['', '', '', ''])
  })

  it('a sender that sends too little within a window is refused, and its connection is closed', async () => {
    await served({ limits: { rateWindow: 200, leastBytesPerSecond: 10 * KiB } })
    const slow = await dripper(serving.adminKey, 'dripping-1')
    const dripping = setInterval(() => slow.send(' '), 20)
    const answer = await slow.ended
    clearInterval(dripping)
    expect(statusOf(answer)).toBe(400)
    expect(answer).toContain('less than 10240 bytes a second')
  })

  it('a sender that expects 100-continue and then sends nothing is refused', async () => {
    await served({ limits: { rateWindow: 200 } })
    const asks = head(search, bearer(serving.adminKey), json, length(100), 'Expect: 100-continue')
    const answer = await (await attack(serving.port, asks)).ended
    expect(answer).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 400 /)
  })

  it('a slow and steady sender is served', async () => {
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

describe('bytes of bodies in memory', () => {
  const limits = { bytes: { all: 6 * MiB, workspace: 4 * MiB, credential: 2 * MiB } }

  it('slow searches beyond the memory share of their credential are refused, and the memory is released', async () => {
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

  it('bodies of one credential leave memory for others, and those of one workspace for other workspaces', async () => {
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
      // the small one came first, so the large one did not fit
      if (large?.got() !== '') await fill(key)
    }
    await fill(serving.adminKey)
    expect(await status(ben)).toBe(200)
    await fill(ben)
    // the workspace has used its share
    expect(await status(cleo)).toBe(503)
  })

  it('only bytes that have arrived count, not announced ones', async () => {
    await served({ limits })
    await searches(serving.adminKey, 10, 10, 2 * MiB)
    const body = JSON.stringify({ q: 'x' }).padEnd(MiB)
    const { status } = await send(serving.url, 'POST', '/v1/context/search', { key: serving.adminKey, body })
    expect(status).toBe(200)
  })

  it('a body in chunks of one byte takes no more memory than one large chunk', async () => {
    await served()
    const open = head(search, bearer(serving.adminKey), json, 'Transfer-Encoding: chunked')
    const one = await attack(serving.port, open)
    const before = memory()
    const bytes = 500_000
    one.send('1\r\n \r\n'.repeat(bytes))
    one.send('A\r\n{"q": "x"}\r\n0\r\n\r\n')
    expect(statusOf(await one.until(/"items"/))).toBe(200)
    // separate chunks would take 300 bytes each, 150 MB in all
    expect(memory() - before).toBeLessThan(60 * MiB)
  })

  it('bodies of unknown callers are hardly read, and their connections are closed', async () => {
    await served()
    const stranger = await attack(serving.port, head(search, json, length(64 * MiB)))
    expect(statusOf(await stranger.until(/authentication_required/))).toBe(401)
    const part = Buffer.alloc(MiB, ' ')
    const taken = () => new Promise((resolve) => stranger.socket.write(part, resolve))
    let count = 0
    for (; count < 60 && !stranger.socket.destroyed; count += 1) await Promise.race([taken(), stranger.ended])
    await stranger.ended
    // the service discards 1 MiB, and the system buffers up to 10 MiB
    expect(count).toBeLessThan(15)
  })
})

describe('concurrent requests', () => {
  it('concurrent requests of one credential are limited, and another credential is served', async () => {
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

it('by default a credential gets a third of the memory, which is enough for the largest batch', () => {
  const { bytes } = limitsOf(192 * MiB)
  expect(bytes).toEqual({ all: 192 * MiB, workspace: 128 * MiB, credential: 64 * MiB })
})

function memory(): number {
  return process.memoryUsage().external + process.memoryUsage().heapUsed
}
