/**
 * Measures how a flood of writes affects others. 60 callers write to one workspace as fast as they can. Meanwhile, a
 * caller in another workspace and one in the flooded workspace make single writes. The baseline is without the flood.
 */
import assert from 'node:assert/strict'
import type { ReceiptBody } from '../../support/http.ts'
import { memoriesPath } from '../calls.ts'
import { type Client, get, openClient, post, successful, type Target } from '../client.ts'
import { withService } from '../processes.ts'
import { median, percentile, type Row, row } from '../row.ts'
import { makeTenantsOfCallers } from '../tenants.ts'
import { memoryText } from '../texts.ts'

const callers = 60
/** Writes of each quiet caller in each phase, and ms between two of them. */
const writes = 40
const pause = 25
/** Phases alternate between idle and flooded, so that other load on the machine affects both. */
const rounds = 3
/** ms until the flood has filled every queue, and until the queues are empty again. */
const settles = 1_500
const goal = { at_most: 3 }

export async function* fairness(): AsyncIterable<Row> {
  let keys: string[][] = []
  const prepare = async (folder: string) => {
    keys = await makeTenantsOfCallers({ PRECEDENT_DATA_DIR: folder }, 2, 2)
  }
  // without a limit on callers, which would slow the flood down
  const measured = await withService((service) => measure(service, keys), {
    prepare,
    env: { PRECEDENT_RATE_LIMIT: '0' },
  })
  const { idle, flooded } = measured
  yield row('fairness_workspace', median(flooded.workspace), 'ms', goal, median(idle.workspace))
  yield row('fairness_caller', median(flooded.caller), 'ms', null, median(idle.caller))
  yield row('fairness_workspace_p95', percentile(flooded.workspace, 95), 'ms', null, percentile(idle.workspace, 95))
  yield row('fairness_caller_p95', percentile(flooded.caller, 95), 'ms', null, percentile(idle.caller, 95))
  // how long a request waits for the HTTP thread; the workers cannot change that
  yield row('fairness_read', median(flooded.read), 'ms', null, median(idle.read))
}

interface Times {
  workspace: number[]
  caller: number[]
  read: number[]
}

async function measure({ url }: { url: string }, keys: string[][]) {
  const [[floodKey, callerKey], [quietKey]] = keys as [[string, string], [string]]
  const quiet = { workspace: await open({ url, key: quietKey }), caller: await open({ url, key: callerKey }) }
  const idle: Times = { workspace: [], caller: [], read: [] }
  const flooded: Times = { workspace: [], caller: [], read: [] }
  await phase(quiet, { workspace: [], caller: [], read: [] })
  for (let round = 0; round < rounds; round++) {
    await phase(quiet, idle)
    const stop = flood({ url, key: floodKey })
    await sleep(settles)
    await phase(quiet, flooded)
    await stop()
    await sleep(settles)
  }
  for (const { client } of Object.values(quiet)) client.close()
  return { idle, flooded }
}

interface Caller {
  client: Client
  target: Target
}

async function open(target: Target): Promise<Caller> {
  return { client: await openClient(target), target }
}

let made = 0

async function phase(quiet: { workspace: Caller; caller: Caller }, times: Times): Promise<void> {
  for (let n = 0; n < writes; n++) {
    for (const name of ['workspace', 'caller'] as const) {
      const { receipt, ms } = await timedWrite(quiet[name])
      times[name].push(ms)
      if (name === 'workspace') times.read.push(await timedRead(quiet.workspace, receipt))
      await sleep(pause)
    }
  }
}

async function timedWrite({ client, target }: Caller): Promise<{ receipt: string; ms: number }> {
  const request = writeOf(target, { Prefer: 'wait=30' })
  const began = performance.now()
  const { body } = successful(await client.send(request))
  const ms = performance.now() - began
  const { receipt_id, state } = JSON.parse(body) as ReceiptBody
  assert.equal(state, 'applied')
  return { receipt: receipt_id, ms }
}

async function timedRead({ client, target }: Caller, receipt: string): Promise<number> {
  const began = performance.now()
  successful(await client.send(get(target, `/v1/receipts/${receipt}`)))
  return performance.now() - began
}

/** Writes until the returned function is called. */
function flood(target: Target): () => Promise<void> {
  let isOn = true
  const all = Array.from({ length: callers }, async () => {
    const client = await openClient(target)
    while (isOn) successful(await client.send(writeOf(target)))
    client.close()
  })
  return async () => {
    isOn = false
    await Promise.all(all)
  }
}

function writeOf(target: Target, headers: Record<string, string> = {}): string {
  made += 1
  const body = JSON.stringify({ kind: 'fact', content: memoryText(made) })
  return post(target, memoriesPath, body, { 'Idempotency-Key': `fairness-${made}`, ...headers })
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
