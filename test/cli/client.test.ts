import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createClient, type Patience } from '../../src/cli/client.ts'
import { exitCodes, type Failure } from '../../src/cli/failure.ts'
import { removeData, type Started, startService } from '../support/service.ts'
import { type Fault, type Spoiler, spoil } from './proxy.ts'

const patient: Patience = { busy: 20_000, away: 20_000 }
const impatient: Patience = { busy: 0, away: 0 }

describe('calls of a service that is away or busy', () => {
  let service: Started
  const open: Spoiler[] = []
  beforeAll(async () => {
    service = await startService()
  })
  afterAll(async () => {
    await Promise.all(open.map((proxy) => proxy.close()))
    await service.stop()
    removeData(service.dataDir)
  })

  async function through(faults: Fault[], patience: Patience = patient, signal = new AbortController().signal) {
    const proxy = await spoil(service.url, (_, number) => faults[number] ?? 'none')
    open.push(proxy)
    return { proxy, client: createClient({ url: `${proxy.url}/`, apiKey: service.key, signal, patience }) }
  }

  const remember = (key: string) =>
    ({
      method: 'POST',
      path: '/v1/context/memories',
      body: { kind: 'session_outcome', content: `outcome of ${key}` },
      idempotencyKey: key,
    }) as const

  it('repeats a write under its key until it is answered, and it is there once', async () => {
    const { client, proxy } = await through(['503', 'cut', 'lost answer', '429', 'none'])
    const receipt = await client.call<{ receipt_id: string }>(remember('many faults'))
    expect(proxy.seen).toHaveLength(5)
    const again = await client.call<{ receipt_id: string }>(remember('many faults'))
    expect(again.receipt_id).toBe(receipt.receipt_id)
  })

  it('never repeats what could be done twice', async () => {
    const { client, proxy } = await through(['lost answer'])
    const make = client.call({ method: 'POST', path: '/admin/keys', body: { name: 'once', scopes: ['context:read'] } })
    await expect(make).rejects.toMatchObject({ exit: exitCodes.unreachable })
    expect(proxy.seen).toEqual(['POST /admin/keys'])
  })

  it('gives up after its patience, and says so', async () => {
    const { client } = await through(['503', '503'], impatient)
    await expect(client.call({ method: 'GET', path: '/v1/receipts' })).rejects.toMatchObject({
      exit: exitCodes.unreachable,
    })
    const nowhere = createClient({
      url: 'http://127.0.0.1:9',
      apiKey: service.key,
      signal: new AbortController().signal,
      patience: impatient,
    })
    const failure = await nowhere.call({ method: 'GET', path: '/v1/receipts' }).catch((error: Failure) => error)
    expect(failure).toMatchObject({ exit: exitCodes.unreachable, code: 'unreachable' })
    expect((failure as Failure).remedy).toContain('PRECEDENT_URL')
  })

  it('ends at once when it is interrupted', async () => {
    const stop = new AbortController()
    const { client } = await through(
      Array.from({ length: 100 }, () => 'cut'),
      patient,
      stop.signal,
    )
    setTimeout(() => stop.abort(), 50)
    await expect(client.call({ method: 'GET', path: '/v1/receipts' })).rejects.toMatchObject({
      exit: exitCodes.interrupted,
    })
  })

  it('tells a key that is not accepted from one that lacks a scope', async () => {
    const { client, proxy } = await through([])
    const stranger = createClient({
      url: proxy.url,
      apiKey: `svc_sk_${'x'.repeat(43)}`,
      signal: new AbortController().signal,
      patience: patient,
    })
    const receipts = { method: 'GET', path: '/v1/receipts' } as const
    await expect(stranger.call(receipts)).rejects.toMatchObject({ exit: exitCodes.unauthorised })
    const body = { name: 'reader', scopes: ['context:read'] }
    const { key } = await client.call<{ key: string }>({ method: 'POST', path: '/admin/keys', body })
    const reader = createClient({
      url: proxy.url,
      apiKey: key,
      signal: new AbortController().signal,
      patience: patient,
    })
    const refused = await reader.call(remember('without the scope')).catch((error: Failure) => error)
    expect(refused).toMatchObject({ exit: exitCodes.unauthorised, code: 'insufficient_scope' })
    expect((refused as Failure).remedy).toContain('--scopes context:write')
  })

  it.each(['ftp://x', 'nothing', 'http://user:word@127.0.0.1', 'http://127.0.0.1?a'])('refuses the url %s', (url) => {
    const signal = new AbortController().signal
    const make = () => createClient({ url, apiKey: 'svc_sk_x', signal, patience: patient })
    expect(make).toThrow(expect.objectContaining({ exit: exitCodes.usage }))
  })
})
