/** Calls of the service that several measurements use. */
import assert from 'node:assert/strict'
import type { ReceiptBody } from '../support/http.ts'
import { type Client, get, openClient, post, sendAll, successful, type Target } from './client.ts'
import { decisionText, memoryText } from './texts.ts'

/** Decisions in one POST /v1/decisions/batch. */
const batchSize = 1000
/** Concurrent batches: as many as the importer sends, and as the service accepts. */
const batchesAtOnce = 2

export const memoriesPath = '/v1/context/memories'

export function memoryRequests(target: Target, first: number, count: number): string[] {
  return Array.from({ length: count }, (_, n) => {
    const body = JSON.stringify({ kind: 'fact', content: memoryText(first + n) })
    return post(target, memoriesPath, body, { 'Idempotency-Key': `memory-${first + n}` })
  })
}

/** Milliseconds from the first request until all of them are applied. */
export async function writeMemories(target: Target, requests: readonly string[], callers: number): Promise<number> {
  const began = performance.now()
  const answers = await sendAll(target, requests, callers)
  const newest = answers.slice(-3 * callers).map(({ body }) => (JSON.parse(body) as ReceiptBody).receipt_id)
  return (await untilApplied(target, requests.length, newest)) - began
}

/** Milliseconds from the first batch until all decisions are applied. The time to make the texts is not included. */
export async function importDecisions(target: Target, first: number, count: number): Promise<number> {
  return postBatches(
    target,
    Array.from({ length: count }, (_, n) => decisionText(first + n)),
    `decisions-${first}`,
  )
}

/** Milliseconds from the first batch of these inputs until all of them are applied. */
export async function postBatches(target: Target, decisions: readonly object[], key = 'decisions'): Promise<number> {
  const lines = decisions.map((decision) => JSON.stringify(decision))
  const requests = Array.from({ length: Math.ceil(lines.length / batchSize) }, (_, batch) =>
    post(target, '/v1/decisions/batch', lines.slice(batch * batchSize, (batch + 1) * batchSize).join('\n'), {
      'Content-Type': 'application/x-ndjson',
      'Idempotency-Key': `${key}-${batch}`,
    }),
  )
  const began = performance.now()
  const answers = await sendAll(target, requests, batchesAtOnce)
  const newest = answers.slice(-2 * batchesAtOnce).flatMap(({ body }) => {
    const { receipts, refused } = JSON.parse(body) as { receipts: { receipt: ReceiptBody }[]; refused: unknown[] }
    assert.deepEqual(refused, [])
    return receipts.slice(-1).map(({ receipt }) => receipt.receipt_id)
  })
  return (await untilApplied(target, lines.length, newest)) - began
}

export interface Asked {
  target: Target
  q: string
}

/** Milliseconds of each query at the client, sequentially on one connection. Leaves out the first `warmUp`. */
export async function searchTimes(asked: readonly Asked[], warmUp: number): Promise<number[]> {
  const client = await openClient((asked[0] as Asked).target)
  const times: number[] = []
  for (const [n, { target, q }] of asked.entries()) {
    const request = post(target, '/v1/context/search', JSON.stringify({ q }))
    const began = performance.now()
    successful(await client.send(request))
    if (n >= warmUp) times.push(performance.now() - began)
  }
  client.close()
  return times
}

/**
 * When the last of the newest `count` receipts was applied (performance.now). Waits for the receipts accepted last, and
 * then checks all others. The time of the check counts only if it finds an open receipt.
 */
async function untilApplied(target: Target, count: number, newest: readonly string[]): Promise<number> {
  const client = await openClient(target)
  for (const id of newest) await ended(client, target, id)
  let last = performance.now()
  let cursor = ''
  for (let seen = 0; seen < count; ) {
    const { body } = successful(await client.send(get(target, `/v1/receipts?limit=200${cursor}`)))
    const { items, next_cursor } = JSON.parse(body) as { items: ReceiptBody[]; next_cursor?: string }
    for (const { receipt_id, state } of items) {
      if (state === 'applied') continue
      await ended(client, target, receipt_id)
      last = performance.now()
    }
    seen += items.length
    assert(seen >= count || next_cursor !== undefined, `${count} receipts, not ${seen}`)
    cursor = `&cursor=${next_cursor}`
  }
  client.close()
  return last
}

async function ended(client: Client, target: Target, id: string): Promise<void> {
  for (let state = ''; state !== 'applied'; ) {
    const { body } = successful(await client.send(get(target, `/v1/receipts/${id}?wait=30`)))
    state = (JSON.parse(body) as ReceiptBody).state
    assert(['accepted', 'processing', 'applied'].includes(state), body)
  }
}
