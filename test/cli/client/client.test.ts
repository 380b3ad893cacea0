import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createClient, type RetryLimits } from '../../../src/cli/client/client.ts'
import { exitCodes, type Failure } from '../../../src/cli/terminal/failure.ts'
import { removeData, type Started, startService } from '../../support/service.ts'
import { type Fault, type FaultyProxy, startFaultyProxy } from '../proxy.ts'

const manyRetries: RetryLimits = { busy: 20_000, unreachable: 20_000 }
const noRetries: RetryLimits = { busy: 0, unreachable: 0 }

describe('the client, when the service is unreachable or busy', () => {
  let service: Started
  const open: FaultyProxy[] = []
  beforeAll(async () => {
    service = await startService()
  })
  afterAll(async () => {
    await Promise.all(open.map((proxy) => proxy.close()))
    await service.stop()
    await removeData(service.dataDir)
  })

  async function through(faults: Fault[], retries: RetryLimits = manyRetries, signal = new AbortController().signal) {
    const proxy = await startFaultyProxy(service.url, (_, number) => faults[number] ?? 'none')
    open.push(proxy)
    return { proxy, client: createClient({ url: `${proxy.url}/`, apiKey: service.key, signal, retries }) }
  }

  const remember = (key: string) =>
    ({
      method: 'POST',
      path: '/v1/context/memories',
      body: { kind: 'session_outcome', content: `outcome of ${key}` },
      idempotencyKey: key,
    }) as const

  it('a write is retried with its key until it is answered, and is recorded once', async () => {
    const { client, proxy } = await through(['503', 'cut', 'lost answer', '429', 'none'])
    const receipt = await client.call<{ receipt_id: string }>(remember('many faults'))
    expect(proxy.seen).toHaveLength(5)
    const again = await client.call<{ receipt_id: string }>(remember('many faults'))
    expect(again.receipt_id).toBe(receipt.receipt_id)
  })

  it('a call without an idempotency key is not retried after a lost answer', async () => {
    const { client, proxy } = await through(['lost answer'])
    const make = client.call({ method: 'POST', path: '/admin/keys', body: { name: 'once', scopes: ['context:read'] } })
    await expect(make).rejects.toMatchObject({ exit: exitCodes.unreachable })
    expect(proxy.seen).toEqual(['POST /admin/keys'])
  })

  it('the call fails once its retry limit is reached', async () => {
    const { client } = await through(['503', '503'], noRetries)
    await expect(client.call({ method: 'GET', path: '/v1/receipts' })).rejects.toMatchObject({
      exit: exitCodes.unreachable,
    })
    const nowhere = createClient({
      url: 'http://127.0.0.1:9',
      apiKey: service.key,
      signal: new AbortController().signal,
      retries: noRetries,
    })
    const failure = await nowhere.call({ method: 'GET', path: '/v1/receipts' }).catch((error: Failure) => error)
    expect(failure).toMatchObject({ exit: exitCodes.unreachable, code: 'unreachable' })
    expect((failure as Failure).remedy).toContain('PRECEDENT_URL')
  })

  it('retries stop at once when the command is interrupted', async () => {
    const stop = new AbortController()
    const { client } = await through(
      Array.from({ length: 100 }, () => 'cut'),
      manyRetries,
      stop.signal,
    )
    setTimeout(() => stop.abort(), 50)
    await expect(client.call({ method: 'GET', path: '/v1/receipts' })).rejects.toMatchObject({
      exit: exitCodes.interrupted,
    })
  })

  it('an unknown key and a key without the scope give different errors, both with exit code 4', async () => {
    const { client, proxy } = await through([])
    const unknownKey = createClient({
      url: proxy.url,
      apiKey: `svc_sk_${'x'.repeat(43)}`,
      signal: new AbortController().signal,
      retries: manyRetries,
    })
    const receipts = { method: 'GET', path: '/v1/receipts' } as const
    await expect(unknownKey.call(receipts)).rejects.toMatchObject({ exit: exitCodes.unauthorised })
    const body = { name: 'reader', scopes: ['context:read'] }
    const { key } = await client.call<{ key: string }>({ method: 'POST', path: '/admin/keys', body })
    const reader = createClient({
      url: proxy.url,
      apiKey: key,
      signal: new AbortController().signal,
      retries: manyRetries,
    })
    const refused = await reader.call(remember('without the scope')).catch((error: Failure) => error)
    expect(refused).toMatchObject({ exit: exitCodes.unauthorised, code: 'insufficient_scope' })
    expect((refused as Failure).remedy).toContain('--scopes context:write')
  })

  it.each(['ftp://x', 'nothing', 'http://user:word@127.0.0.1', 'http://127.0.0.1?a'])(
    'the URL %s is refused',
    (url) => {
      const signal = new AbortController().signal
      const make = () => createClient({ url, apiKey: 'svc_sk_x', signal, retries: manyRetries })
      expect(make).toThrow(expect.objectContaining({ exit: exitCodes.usage }))
    },
  )
})
