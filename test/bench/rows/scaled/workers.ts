/**
 * Measures how fast 1, 2 and 4 apply workers apply accepted writes, in many workspaces and in one. The workers are
 * stopped (SIGSTOP) while the writes are accepted, so that neither their start nor the callers are measured.
 */
import assert from 'node:assert/strict'
import type { ReceiptBody } from '../../../support/http.ts'
import { call } from '../../../support/http.ts'
import type { Started } from '../../../support/service.ts'
import { memoriesPath } from '../../calls.ts'
import { post, sendAll } from '../../client.ts'
import { type Row, row } from '../../row.ts'
import { memoryText } from '../../texts.ts'

/** In all workspaces. Few, because the stand-in for MongoDB gets slower with the size of a collection. */
const writes = 800
const callers = 50
const numbers = [1, 2, 4] as const
const look = 20

export interface Cluster {
  web: Started
  /** One key of each workspace. */
  keys: readonly string[]
  /** Starts one more apply worker. */
  startApply(): Promise<Started>
}

export async function* workerRows({ web, keys, startApply }: Cluster): AsyncIterable<Row> {
  const workers: Started[] = []
  const alone = new Map<string, number>()
  let first = 0
  for (const count of numbers) {
    while (workers.length < count) workers.push(await startApply())
    for (const [name, used] of [
      ['many', keys],
      ['one', keys.slice(0, 1)],
    ] as const) {
      const rate = await appliedBy(workers, web, used, first)
      first += writes
      const baseline = alone.get(name) ?? rate
      alone.set(name, baseline)
      yield row(`scaled_apply_${count}_${name}`, rate, 'writes/s', null, baseline)
    }
  }
}

async function appliedBy(workers: readonly Started[], web: Started, keys: readonly string[], first: number) {
  for (const { child } of workers) child.kill('SIGSTOP')
  const newest: { key: string; id: string }[] = []
  await Promise.all(
    keys.map(async (key, at) => {
      const target = { url: web.url, key }
      const count = writes / keys.length
      const requests = Array.from({ length: count }, (_, n) => {
        const number = first + at * count + n
        const body = JSON.stringify({ kind: 'fact', content: memoryText(number) })
        return post(target, memoriesPath, body, { 'Idempotency-Key': `apply-write-${number}` })
      })
      const answers = await sendAll(target, requests, Math.max(1, callers / keys.length))
      for (const { body } of answers) newest.push({ key, id: (JSON.parse(body) as ReceiptBody).receipt_id })
    }),
  )
  for (const { child } of workers) child.kill('SIGCONT')
  const began = performance.now()
  await untilApplied(web, newest)
  return (writes / (performance.now() - began)) * 1000
}

/** Polls the receipts one after another, and goes on once a receipt is applied. */
async function untilApplied(web: Started, open: { key: string; id: string }[]): Promise<void> {
  for (const { key, id } of open.reverse()) {
    for (let state = ''; state !== 'applied'; ) {
      const { body } = await call<ReceiptBody>({ url: web.url, key }, 'GET', `/v1/receipts/${id}`)
      state = body.state
      assert(['accepted', 'processing', 'applied'].includes(state), JSON.stringify(body))
      if (state !== 'applied') await new Promise((resolve) => setTimeout(resolve, look))
    }
  }
}
