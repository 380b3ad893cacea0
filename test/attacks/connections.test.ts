/** Headers that contradict each other, and connections that waste resources: idle, pipelined, never read. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { problemResponse } from '../../src/http/base/problem.ts'
import type { PageRoute } from '../../src/http/base/route.ts'
import { type Serving, send, serve } from '../http/serving.ts'
import { attack, bearer, closeAll, head, json, length, statusOf } from './sockets.ts'

const MiB = 1024 * 1024
const large: PageRoute = {
  kind: 'page',
  method: 'GET',
  path: '/test/large',
  summary: 'Answers 8 MiB.',
  show(ctx) {
    ctx.body = 'x'.repeat(8 * MiB)
  },
}
const held: PageRoute = {
  kind: 'page',
  method: 'GET',
  path: '/test/held',
  summary: 'Answers after a while.',
  async show(ctx) {
    await new Promise((resolve) => setTimeout(resolve, 300))
    ctx.body = 'held'
  },
}

let serving: Serving
const limits = {
  connections: 40,
  pipelined: 4,
  bytes: { all: 64 * MiB, workspace: 32 * MiB, credential: 20 * MiB },
  rateWindow: 500,
  longestReading: 1_500,
}
beforeAll(async () => {
  serving = await serve({ work: false, routes: [large, held], limits })
})
afterEach(closeAll)
afterAll(() => serving.stop())

/** Everything received until the connection ends. */
const answerTo = async (bytes: string) => (await attack(serving.port, bytes)).ended
const bodyOf = (answer: string) => problemResponse.parse(JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4)))
const close = 'Connection: close'
const livez = head('GET /livez HTTP/1.1')

describe('headers', () => {
  it.each([
    ['Authorization', [bearer('a'), 'authorization: Bearer b']],
    ['Host', ['host: y']],
    ['Idempotency-Key', ['Idempotency-Key: first-of-two', 'IDEMPOTENCY-KEY: second-of-two']],
    ['Content-Type', [json, 'Content-Type: application/x-ndjson']],
  ])('are refused if %s is given twice', async (name, headers) => {
    const answer = await answerTo(head('POST /v1/context/memories HTTP/1.1', ...headers, close))
    expect(statusOf(answer)).toBe(400)
    expect(bodyOf(answer).details).toEqual({ issues: [{ path: name, message: 'is given twice: send it once' }] })
  })

  it.each([
    ['two lengths', [length(1), length(1)]],
    ['a length and an encoding', [length(3), 'Transfer-Encoding: chunked']],
    ['two encodings', ['Transfer-Encoding: chunked', 'Transfer-Encoding: gzip']],
    ['a length that is no number', ['Content-Length: +1']],
  ])('are refused with %s, and the answer names them', async (_, headers) => {
    const answer = await answerTo(head('POST /v1/context/memories HTTP/1.1', ...headers))
    expect(statusOf(answer)).toBe(400)
    expect(bodyOf(answer).detail).toContain('Content-Length, Transfer-Encoding')
  })

  it('a request with more than 100 headers is refused, and no header is silently dropped', async () => {
    const many = Array.from({ length: 3000 }, (_, at) => `X-${at}: y`)
    const answer = await answerTo(head('GET /livez HTTP/1.1', ...many, close))
    expect(bodyOf(answer).detail).toContain('100 headers at most')
    expect(statusOf(await answerTo(head('GET /livez HTTP/1.1', ...many.slice(0, 98), close)))).toBe(200)
  })

  it('an Upgrade header is ignored, and CONNECT is refused', async () => {
    const upgrade = head('GET /livez HTTP/1.1', 'Connection: Upgrade, close', 'Upgrade: websocket')
    expect(statusOf(await answerTo(upgrade))).toBe(200)
    expect(statusOf(await answerTo('GET /livez HTTP/1.0\r\n\r\n'))).toBe(200)
    expect(await answerTo(head('CONNECT example.com:443 HTTP/1.1'))).toBe('')
  })
})

describe('connections', () => {
  it('a connection answers the request before garbage, and refuses the garbage', async () => {
    const answers = await answerTo(`${head('GET /test/held HTTP/1.1')}garbage\r\n\r\n`)
    expect(answers.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 400'])
  })

  it('a few pipelined requests are answered in order', async () => {
    const answers = await answerTo(livez.repeat(3) + head('GET /nowhere HTTP/1.1', close))
    expect(answers.match(/HTTP\/1\.1 \d+/g)).toEqual([...Array(3).fill('HTTP/1.1 200'), 'HTTP/1.1 404'])
  })

  it('a connection ends with the first pipelined request beyond the limit', async () => {
    const answers = await answerTo(head('GET /test/held HTTP/1.1').repeat(20))
    expect(answers.match(/HTTP\/1\.1 \d+/g)).toEqual([...Array(4).fill('HTTP/1.1 200'), 'HTTP/1.1 429'])
    expect(answers).toContain('One connection may have 4 requests under way')
    await answerTo(head('GET /test/held HTTP/1.1').repeat(10_000))
    expect((await send(serving.url, 'GET', '/livez')).status).toBe(200)
  })

  it('idle connections are closed for new ones, the longest idle first', async () => {
    const idle = await Promise.all(Array.from({ length: 40 }, () => attack(serving.port)))
    const busy = idle[0]
    busy?.send(head('GET /test/held HTTP/1.1', close))
    const later = await Promise.all(Array.from({ length: 60 }, () => attack(serving.port, livez)))
    expect((await Promise.all(later.slice(-20).map((one) => one.until(/ok|live|\}/)))).map(statusOf)).toEqual(
      Array(20).fill(200),
    )
    expect(statusOf((await busy?.ended) ?? '')).toBe(200)
    // before headersTimeout would have ended them
    await expect.poll(() => idle.every((one) => one.socket.closed), { timeout: 10_000 }).toBe(true)
  })

  it('a connection ends if its caller does not read the answer in time', async () => {
    const lazy = await attack(serving.port)
    lazy.socket.pause()
    lazy.send(head('GET /test/large HTTP/1.1'))
    await new Promise((resolve) => setTimeout(resolve, 2_000))
    lazy.socket.resume()
    expect((await lazy.ended).length).toBeLessThan(8 * MiB)
  })

  it('a connection ends at once if its caller leaves too many bytes unread', async () => {
    const other = await serve({ work: false, routes: [large], limits: { bytes: limits.bytes } })
    const lazy = await Promise.all(Array.from({ length: 12 }, () => attack(other.port)))
    for (const one of lazy) {
      one.socket.pause()
      one.send(head('GET /test/large HTTP/1.1', close))
    }
    await new Promise((resolve) => setTimeout(resolve, 500))
    for (const one of lazy) one.socket.resume()
    const answers = await Promise.all(lazy.map((one) => one.ended))
    const whole = answers.filter((answer) => answer.length > 8 * MiB).length
    // the system buffers a part of each answer, so the rest of two fits into the share
    expect(whole).toBeGreaterThan(0)
    expect(whole).toBeLessThan(12)
    await other.stop()
  })
})
