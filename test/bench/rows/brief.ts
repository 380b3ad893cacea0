/** Measures sequential briefs over HTTP with 10,000 and 100,000 records: new ones, and cached ones. */
import { importDecisions, memoriesPath, memoryRequests, writeMemories } from '../calls.ts'
import { type Client, get, openClient, post, successful, type Target } from '../client.ts'
import { withService } from '../processes.ts'
import { median, percentile, type Row, row } from '../row.ts'
import { memoryText, queryOf } from '../texts.ts'

const small = 10_000
const large = 100_000
/** The share of memories; the other records are decisions. */
const memoryShare = 0.1
const queries = 300
/** Briefs without a query, with and without the lens. A write before each makes the cached brief unusable. */
const writes = 60
/** Requests before the measurement, so that V8 has compiled the hot code. */
const warmUp = 200
const callers = 50

const goals = { cold: { at_most: 60 }, warm: { at_most: 3 } }

export async function* brief(): AsyncIterable<Row> {
  yield* await withService(async (service) => {
    await fill(service, 0, small)
    const atSmall = await rowsAt('10k', service, small)
    await fill(service, small, large - small)
    return [...atSmall, ...(await rowsAt('100k', service, large))]
  })
}

async function fill(target: Target, first: number, count: number): Promise<void> {
  const memories = Math.round(count * memoryShare)
  await importDecisions(target, first, count - memories)
  await writeMemories(target, memoryRequests(target, first, memories), callers)
}

async function rowsAt(size: string, target: Target, records: number): Promise<Row[]> {
  const client = await openClient(target)
  const decisions = Math.round(records * (1 - memoryShare))
  const paths = Array.from({ length: warmUp + queries }, (_, n) => {
    return `/v1/context/brief?query=${encodeURIComponent(`${queryOf(records + n, 0, decisions)} ${n}`)}`
  })
  const cold = await timesOf(client, target, paths)
  const written = await afterWrites(client, target, records)
  const kept = ['/v1/context/brief', '/v1/context/brief?lens=handoff', ...paths.slice(-18)]
  const warm = await timesOf(client, target, kept.concat(...Array.from({ length: 24 }, () => kept)))
  client.close()
  return [
    ...rowsOf(`brief_cold_query_${size}`, cold.slice(warmUp), goals.cold),
    ...rowsOf(`brief_cold_now_${size}`, written, goals.cold),
    // without the first of each, which was not cached
    ...rowsOf(`brief_warm_${size}`, warm.slice(kept.length), goals.warm),
  ]
}

async function afterWrites(client: Client, target: Target, first: number): Promise<number[]> {
  const times: number[] = []
  for (let n = 0; n < writes; n++) {
    const body = JSON.stringify({ kind: 'fact', content: `${memoryText(first + n)} meanwhile` })
    const key = { 'Idempotency-Key': `meanwhile-${first}-${n}`, Prefer: 'wait=30' }
    successful(await client.send(post(target, memoriesPath, body, key)))
    const lens = n % 2 === 0 ? '' : '?lens=handoff'
    times.push(...(await timesOf(client, target, [`/v1/context/brief${lens}`])))
  }
  return times
}

async function timesOf(client: Client, target: Target, paths: readonly string[]): Promise<number[]> {
  const times: number[] = []
  for (const path of paths) {
    const request = get(target, path)
    const began = performance.now()
    successful(await client.send(request))
    times.push(performance.now() - began)
  }
  return times
}

function rowsOf(name: string, times: readonly number[], goal: { at_most: number }): Row[] {
  return [row(`${name}_p95`, percentile(times, 95), 'ms', goal), row(`${name}_median`, median(times), 'ms', null)]
}
