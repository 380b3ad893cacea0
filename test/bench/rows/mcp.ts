/**
 * Measures the processor time of a search by MCP. The baseline is the same search over HTTP, so the difference is what the
 * protocol and its SDK cost.
 */
import assert from 'node:assert/strict'
import { importDecisions } from '../calls.ts'
import { type Client, get, openClient, post, successful, type Target } from '../client.ts'
import { withService } from '../processes.ts'
import { alternately, type Row, row } from '../row.ts'
import { queryOf } from '../texts.ts'

const records = 10_000
const queries = 400
const rounds = 5

/** A request for a search, in the words of one version of the protocol or of HTTP. */
type Ask = (target: Target, q: string) => string

const path = '/api/v2/mcp'
const accept = { Accept: 'application/json, text/event-stream' }
const prefix = 'io.modelcontextprotocol/'
const _meta = {
  [`${prefix}protocolVersion`]: '2026-07-28',
  [`${prefix}clientInfo`]: { name: 'bench', version: '1' },
  [`${prefix}clientCapabilities`]: {},
}

const overHttp: Ask = (target, q) => post(target, '/v1/context/search', JSON.stringify({ q }))

const versions: Record<string, Ask> = {
  mcp_search: (target, q) => {
    const named = { 'Mcp-Protocol-Version': '2026-07-28', 'Mcp-Method': 'tools/call', 'Mcp-Name': 'search_context' }
    return post(target, path, callOf({ name: 'search_context', arguments: { q }, _meta }), { ...accept, ...named })
  },
  mcp_search_2025: (target, q) =>
    post(target, path, callOf({ name: 'search_context', arguments: { q } }), {
      ...accept,
      'Mcp-Protocol-Version': '2025-11-25',
    }),
}

export async function* mcp(): AsyncIterable<Row> {
  yield* await withService(async (service) => {
    await importDecisions(service, 0, records)
    const client = await openClient(service)
    const rows: Row[] = []
    for (const [name, ask] of Object.entries(versions)) {
      const ours = () => processorTime(client, service, ask)
      const theirs = () => processorTime(client, service, overHttp)
      // so that V8 has compiled the hot code, and the queries have been asked before
      for (const warmUp of [ours, theirs, ours, theirs]) await warmUp()
      const [used, baseline] = await alternately(rounds, ours, theirs)
      rows.push(row(name, used, 'ms', null, baseline), row(`${name}_above`, used - baseline, 'ms', { at_most: 1 }))
    }
    client.close()
    return rows
  })
}

/** ms of processor time that the service uses for one of the searches, in all its threads. */
async function processorTime(client: Client, target: Target, ask: Ask): Promise<number> {
  const before = await secondsUsed(client, target)
  for (let n = 0; n < queries; n++) {
    const { body } = successful(await client.send(ask(target, queryOf(n, 0, records))))
    assert(body.includes('"items":[') && !body.includes('"isError":true'), body.slice(0, 500))
  }
  return (((await secondsUsed(client, target)) - before) / queries) * 1000
}

async function secondsUsed(client: Client, target: Target): Promise<number> {
  const { body } = successful(await client.send(get(target, '/metrics')))
  const seconds = /^process_cpu_seconds_total (\S+)/m.exec(body)?.[1]
  assert(seconds !== undefined, 'the metrics lack process_cpu_seconds_total')
  return Number(seconds)
}

function callOf(params: object): string {
  return JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
}
