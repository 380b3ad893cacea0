import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import Koa from 'koa'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type Shares, sharesOf } from '../../src/http/admission/shares.ts'
import { compress } from '../../src/http/middleware/compress.ts'
import { type Serving, send, serve, write } from './serving.ts'

const KiB = 1024

describe('an answer of the service', () => {
  let serving: Serving
  let large: string
  let small: string
  beforeAll(async () => {
    serving = await serve()
    const made = async (content: string) => {
      const body = { kind: 'fact', content }
      const headers = { prefer: 'wait=20' }
      const answer = await write(serving.url, '/v1/context/memories', { key: serving.adminKey, body, headers })
      return `/v1/context/memories/${answer.body.entity.id}`
    }
    large = await made('Compression pays for long memories. '.repeat(1_000))
    small = await made('This one is short.')
  })
  afterAll(() => serving.stop())

  const get = (path: string, encodings: string, etag?: string) =>
    send(serving.url, 'GET', path, {
      key: serving.adminKey,
      headers: { 'accept-encoding': encodings, ...(etag === undefined ? {} : { 'if-none-match': etag }) },
    })
  const encodingOf = ({ headers }: { headers: Headers }) => headers.get('content-encoding')

  it('is compressed if it is large and the client accepts gzip, and is the same otherwise', async () => {
    const plain = await get(large, 'identity')
    const zipped = await get(large, 'gzip')
    expect([encodingOf(plain), encodingOf(zipped)]).toEqual([null, 'gzip'])
    expect(zipped.body).toEqual(plain.body)
    const length = ({ headers }: { headers: Headers }) => Number(headers.get('content-length'))
    expect(length(zipped)).toBeLessThan(length(plain) / 5)
    for (const { headers } of [plain, zipped]) {
      expect(headers.get('vary')).toMatch(/Accept-Encoding/i)
      expect(headers.get('content-type')).toMatch(/^application\/json/)
    }
  })

  it('is sent as it is if it is small, if gzip is refused, or if no encoding is named', async () => {
    expect(encodingOf(await get(small, 'gzip'))).toBeNull()
    expect(encodingOf(await get(large, 'gzip;q=0'))).toBeNull()
    expect(encodingOf(await get(large, 'br'))).toBeNull()
  })

  it('has a weak ETag if it is compressed, with which a client gets 304', async () => {
    const { headers } = await get(large, 'gzip')
    expect(headers.get('etag')).toMatch(/^W\/"/)
    expect((await get(large, 'gzip', headers.get('etag') as string)).status).toBe(304)
    expect((await get(large, 'identity')).headers.get('etag')).toMatch(/^"/)
  })
})

describe('compressing', () => {
  let server: Server
  afterEach(() => server.close())

  async function answer(shares: Shares, bytes: number): Promise<Response> {
    const app = new Koa()
    app.use(compress(shares))
    app.use((ctx) => {
      ctx.body = { text: 'x'.repeat(bytes) }
    })
    server = createServer(app.callback()).listen(0, '127.0.0.1')
    await once(server, 'listening')
    return fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  }
  const room = (all: number) => sharesOf({ all, workspace: all, credential: all })

  it('counts towards the bytes of the caller until it is done', async () => {
    const shares = room(1024 * KiB)
    const response = await answer(shares, 100 * KiB)
    expect(response.headers.get('content-encoding')).toBe('gzip')
    expect(await response.json()).toEqual({ text: 'x'.repeat(100 * KiB) })
    expect(shares.taken()).toBe(0)
  })

  it.each([
    ['the caller has no room left', room(50 * KiB), 100 * KiB],
    ['the answer is so large that it would take long', room(64 * 1024 * KiB), 9 * 1024 * KiB],
  ])('is left out if %s', async (_, shares, bytes) => {
    const response = await answer(shares, bytes)
    expect(response.headers.get('content-encoding')).toBeNull()
    expect(await response.text()).toHaveLength(bytes + '{"text":""}'.length)
    expect(shares.taken()).toBe(0)
  })
})
