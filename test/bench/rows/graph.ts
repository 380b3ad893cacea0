/**
 * Measures GET /api/v2/decisions/graph over HTTP at 100,000 records: of one in a long chain, of one with 2,000
 * successors, and of a diamond. The baseline follows the same supersessions with recursive queries of SQLite.
 */
import assert from 'node:assert/strict'
import { postBatches } from '../calls.ts'
import { get, openClient, successful, type Target } from '../client.ts'
import { withGraphs, withService } from '../processes.ts'
import { alternately, median, percentile, type Row, row } from '../row.ts'
import { olderThan, type Shape, shaped, shapes } from '../shapes.ts'
import { decisionText } from '../texts.ts'

const records = 100_000
const depth = 20
const queries = 60
const rounds = 3
/** Requests before the measurement, so that V8 has compiled the hot code. */
const warmUp = 20
const goal = { at_most: 300 }
/** ms. */
const minute = 60_000

export async function* graph(): AsyncIterable<Row> {
  yield* await withService((service) =>
    withGraphs(records, async (baseline) => {
      await postBatches(
        service,
        Array.from({ length: records }, (_, n) => decisionOf(n)),
      )
      const rows: Row[] = []
      for (const shape of shapes) rows.push(...(await rowsOf(shape, service, baseline)))
      return rows
    }),
  )
}

/** Each decision is newer than those that it supersedes. */
function decisionOf(n: number) {
  const supersedes = n < shaped ? olderThan(n).map((older) => decisionText(older).external_id) : []
  return { ...decisionText(n), decided_at: decidedAt(n), supersedes }
}

function decidedAt(n: number): string {
  return new Date(Date.UTC(2019, 0, 1) + n * minute).toISOString()
}

async function rowsOf({ name, root }: Shape, service: Target, baseline: Target): Promise<Row[]> {
  const id = await idOf(root, service)
  const paths = [`/api/v2/decisions/graph?root=${id}&depth=${depth}`, `/graph/${root}?depth=${depth}`] as const
  const [ours, theirs] = [await timesOf(service, paths[0], warmUp), await timesOf(baseline, paths[1], warmUp)]
  assert.equal(ours.nodes, theirs.nodes, `${name}: both find the same nodes`)
  const all: number[] = []
  const [middle, other] = await alternately(
    rounds,
    async () => {
      const { times } = await timesOf(service, paths[0], queries)
      all.push(...times)
      return median(times)
    },
    async () => median((await timesOf(baseline, paths[1], queries)).times),
  )
  return [
    row(`graph_${name}_p95`, percentile(all, 95), 'ms', goal),
    row(`graph_${name}_median`, middle, 'ms', null, other),
  ]
}

async function idOf(n: number, service: Target): Promise<string> {
  const client = await openClient(service)
  const path = `/api/v2/decisions/search?since=${decidedAt(n - 1)}&until=${decidedAt(n)}`
  const { items } = JSON.parse(successful(await client.send(get(service, path))).body) as { items: { id: string }[] }
  client.close()
  assert.equal(items.length, 1)
  return (items[0] as { id: string }).id
}

async function timesOf(target: Target, path: string, count: number): Promise<{ times: number[]; nodes: number }> {
  const client = await openClient(target)
  const times: number[] = []
  let body = ''
  for (let n = 0; n < count; n++) {
    const began = performance.now()
    body = successful(await client.send(get(target, path))).body
    times.push(performance.now() - began)
  }
  client.close()
  return { times, nodes: (JSON.parse(body) as { nodes: unknown[] }).nodes.length }
}
