/** A caller or workspace that floods the service delays others by a few entries of the journal, not by its backlog. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { load } from '../../config/load.ts'
import { openPorts, type Ports } from '../../src/engines.ts'
import { entries } from '../../src/journal/entry.ts'
import { logger } from '../../src/log/log.ts'
import { receipts } from '../../src/receipt.ts'
import { type Client, get, openClient, post, successful, type Target } from '../bench/client.ts'
import { makeTenantsOfCallers } from '../bench/tenants.ts'
import type { ReceiptBody } from '../support/http.ts'
import { newDataDir, removeData, type Started, startService, storeOf } from '../support/service.ts'

const callers = 60
const quietWrites = 8
/** Entries of the flooded workspace between a quiet write's acceptance and its end: one or two for each step. */
const mostEntries = 8
const batches = 16
const batchSize = 500

describe('while a workspace is flooded', () => {
  const dataDir = newDataDir()
  let service: Started | undefined
  let flooding: Target
  let besideIt: Target
  let elsewhere: Target
  const written: string[] = []
  let shared = ''
  beforeAll(async () => {
    const [[first, second], [other]] = (await makeTenantsOfCallers(await storeOf(dataDir), 2, 2)) as [
      [string, string],
      [string],
    ]
    service = await startService({ dataDir, env: { PRECEDENT_RATE_LIMIT: '0' } })
    flooding = { url: service.url, key: first }
    besideIt = { url: service.url, key: second }
    elsewhere = { url: service.url, key: other }
    await flood()
    await backlog()
    await stop()
  }, 240_000)
  afterAll(async () => {
    // still running if beforeAll failed
    await stop()
    await removeData(dataDir)
  })

  it('a write of a quiet workspace is applied after a few entries of a flooded one', async () => {
    await inStore(async ({ documents }) => {
      const of = await documents.find(receipts, { where: { id: { in: written } }, limit: quietWrites })
      expect(of.map(({ state }) => state)).toEqual(written.map(() => 'applied'))
      const made = await entriesOf(documents, shared)
      const between = of.map(
        ({ accepted_at, ended_at }) => made.filter(({ at }) => at >= accepted_at && at <= (ended_at as string)).length,
      )
      console.log(`entries of the flooded workspace beside each quiet write: ${between.join(', ')}`)
      expect(Math.max(...between)).toBeLessThanOrEqual(mostEntries)
    })
  })

  it('an import of a quiet caller is decided within a few entries while thousands of receipts wait', async () => {
    await inStore(async ({ documents }) => {
      const receipt = await documents.get(receipts, shared)
      const made = await entriesOf(documents, shared)
      const before = made.filter(
        ({ at, number }) => at >= (receipt?.accepted_at ?? '') && number < Number(receipt?.number),
      )
      const after = made.filter(({ number }) => number > Number(receipt?.number))
      console.log(`entries before that of the quiet caller: ${before.length}, after it: ${after.length}`)
      // it was accepted last: in the order of acceptance, no entry would come after it
      expect(after.length).toBeGreaterThan(0)
      expect(before.length).toBeLessThanOrEqual(3)
    })
  })

  /** 60 callers write as fast as they can, and one of another workspace now and then. */
  async function flood(): Promise<void> {
    let isOn = true
    const all = Array.from({ length: callers }, async (_, caller) => {
      const client = await openClient(flooding)
      for (let n = 0; isOn; n++) await send(client, memory(flooding, `flood ${caller}-${n}`))
      client.close()
    })
    try {
      const client = await openClient(elsewhere)
      for (let n = 0; n < quietWrites; n++) {
        const { receipt_id } = await send(client, memory(elsewhere, `quiet ${n}`, { Prefer: 'wait=30' }))
        written.push(receipt_id)
      }
      client.close()
    } finally {
      isOn = false
      await Promise.all(all)
    }
  }

  /** Thousands of decisions by one caller, then one by another, all in the same lane. */
  async function backlog(): Promise<void> {
    const flooder = await openClient(flooding)
    const quiet = await openClient(besideIt)
    for (let n = 0; n < batches; n++) successful(await flooder.send(decisions(flooding, n * batchSize, batchSize)))
    const { body } = successful(await quiet.send(decisions(besideIt, batches * batchSize, 1)))
    shared = (JSON.parse(body) as { receipts: { receipt: ReceiptBody }[] }).receipts[0]?.receipt.receipt_id as string
    // wait until all have ended, so that the entries after it can be counted
    for (let isOpen = true; isOpen; ) {
      const { body: listed } = successful(await flooder.send(get(flooding, '/v1/receipts?limit=1')))
      const newest = (JSON.parse(listed) as { items: ReceiptBody[] }).items[0]?.receipt_id
      const { state } = await send(flooder, get(flooding, `/v1/receipts/${newest}?wait=30`))
      isOpen = state === 'accepted' || state === 'processing'
    }
    flooder.close()
    quiet.close()
  }

  async function stop(): Promise<void> {
    await service?.stop()
    service = undefined
  }

  async function inStore(work: (ports: Ports) => Promise<void>): Promise<void> {
    const ports = await openPorts(load(await storeOf(dataDir)), logger('silent'))
    try {
      await work(ports)
    } finally {
      await ports.close()
    }
  }
})

/** All entries of the workspace of this receipt. */
async function entriesOf(documents: Ports['documents'], receipt: string) {
  const { workspace } = (await documents.get(receipts, receipt)) ?? {}
  if (workspace === undefined) throw new Error(`no receipt ${receipt}`)
  const fields = ['number', 'at'] as const
  return documents.find(entries, { where: { workspace }, sort: [['number', 'asc']], limit: 10_000, fields })
}

async function send(client: Client, request: string): Promise<ReceiptBody> {
  return JSON.parse(successful(await client.send(request)).body) as ReceiptBody
}

function memory(target: Target, name: string, headers: Record<string, string> = {}): string {
  const body = JSON.stringify({ kind: 'fact', content: `The fact of ${name} holds.` })
  return post(target, '/v1/context/memories', body, {
    'Idempotency-Key': `key of ${name}`.replaceAll(' ', '-'),
    ...headers,
  })
}

function decisions(target: Target, first: number, count: number): string {
  const lines = Array.from({ length: count }, (_, n) =>
    JSON.stringify({ external_id: `d-${first + n}`, title: `Decision ${first + n}`, judgment: 'We keep it.' }),
  )
  return post(target, '/v1/decisions/batch', lines.join('\n'), {
    'Content-Type': 'application/x-ndjson',
    'Idempotency-Key': `batch-from-${first}`,
  })
}
