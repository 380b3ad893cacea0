import { createServer } from 'node:net'
import { afterAll, describe, expect, it } from 'vitest'
import { call, type ReceiptBody, syncAll, write } from '../support/http.ts'
import { adminKey, removeData, type Started, startService } from '../support/service.ts'

const times = process.env.FAULTS === 'full' ? 50 : 10
const writers = 16
/** What the protocol promises after whatever died. */
const recovery = 90_000

interface Acknowledged {
  receipt: string
  title: string
}

describe('SIGKILL under load', () => {
  let dataDir: string | undefined
  afterAll(() => dataDir && removeData(dataDir))

  it(`loses and doubles nothing that was acknowledged, ${times} times`, { timeout: times * 120_000 }, async () => {
    const port = await freePort()
    let service = await startService({ port })
    dataDir = service.dataDir
    const caller = { url: service.url, key: adminKey }
    const acknowledged = new Map<string, Acknowledged>()
    let slowest = 0

    for (let round = 0; round < times; round++) {
      const load = underLoad(caller, `round-${round}`, acknowledged)
      await sleep(150 + Math.random() * 1200)
      await service.kill()
      const unanswered = await load.stop()
      const killed = Date.now()
      service = await startService({ port, dataDir })
      // what got no answer is sent again with its key, as callers do
      for (const { path, key, body } of unanswered) note(acknowledged, key, body, await write(caller, path, key, body))
      await allApplied(caller, acknowledged, killed + recovery)
      slowest = Math.max(slowest, Date.now() - killed)
    }
    await eachOnce(caller, acknowledged)
    await service.stop()
    console.log(`${times} kills, ${acknowledged.size} writes acknowledged, slowest recovery ${slowest} ms`)
  })

  it('answers what it took and ends in order on SIGTERM', { timeout: 120_000 }, async () => {
    const service: Started = await startService()
    const caller = { url: service.url, key: adminKey }
    const acknowledged = new Map<string, Acknowledged>()
    const load = underLoad(caller, 'term', acknowledged)
    await sleep(700)
    const ended = service.stop()
    await load.stop()
    expect(await ended).toBe(0)
    expect(service.log()).toContain('precedent has stopped')
    expect(acknowledged.size).toBeGreaterThan(0)
    const again = await startService({ dataDir: service.dataDir })
    await allApplied({ url: again.url, key: adminKey }, acknowledged, Date.now() + recovery)
    await again.stop()
    removeData(service.dataDir)
  })
})

interface Sent {
  path: string
  key: string
  body: { title: string }
}

/** Writers that send one write after another until they are stopped or the service is gone. */
function underLoad(caller: { url: string; key: string }, name: string, acknowledged: Map<string, Acknowledged>) {
  let going = true
  const unanswered: Sent[] = []
  const all = Array.from({ length: writers }, async (_, writer) => {
    for (let number = 0; going; number++) {
      const sent = writeOf(`${name}-${writer}-${number}`)
      try {
        note(acknowledged, sent.key, sent.body, await write(caller, sent.path, sent.key, sent.body))
      } catch {
        // cut off: the caller doesn't know whether it was taken
        unanswered.push(sent)
        return
      }
    }
  })
  return {
    async stop(): Promise<Sent[]> {
      going = false
      await Promise.all(all)
      return unanswered
    },
  }
}

function writeOf(name: string): Sent {
  const decision = name.endsWith('3') || name.endsWith('7')
  const body = decision
    ? { title: name, judgment: `We choose ${name}.`, external_id: `ext/${name}` }
    : { kind: 'fact', title: name, content: `The fact named ${name} holds.` }
  return {
    path: decision ? '/v1/decisions' : '/v1/context/memories',
    key: `key-of-${name}`,
    body: body as Sent['body'],
  }
}

function note(
  acknowledged: Map<string, Acknowledged>,
  key: string,
  body: { title: string },
  answer: { status: number; body: ReceiptBody },
): void {
  // while it shuts down it takes nothing more, and says so
  if (answer.status === 503) return
  expect([200, 202]).toContain(answer.status)
  const before = acknowledged.get(key)
  if (before) expect(answer.body.receipt_id).toBe(before.receipt)
  acknowledged.set(key, { receipt: answer.body.receipt_id, title: body.title })
}

const appliedBefore = new WeakMap<Map<string, Acknowledged>, Set<string>>()

async function allApplied(
  caller: { url: string; key: string },
  acknowledged: Map<string, Acknowledged>,
  deadline: number,
): Promise<void> {
  const known = appliedBefore.get(acknowledged) ?? new Set<string>()
  appliedBefore.set(acknowledged, known)
  for (const { receipt } of acknowledged.values()) {
    if (known.has(receipt)) continue
    const left = Math.max(0, Math.min(30, Math.floor((deadline - Date.now()) / 1000)))
    const { status, body } = await call<ReceiptBody>(caller, 'GET', `/v1/receipts/${receipt}?wait=${left}`)
    expect(status, JSON.stringify(body)).toBe(200)
    expect(body.state, JSON.stringify(body)).toBe('applied')
    known.add(receipt)
  }
}

async function eachOnce(caller: { url: string; key: string }, acknowledged: Map<string, Acknowledged>): Promise<void> {
  const times = new Map<string, number>()
  for (const change of await syncAll(caller)) times.set(change.title, (times.get(change.title) ?? 0) + 1)
  for (const { title } of acknowledged.values()) expect(times.get(title), title).toBe(1)
}

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })
}
