/** Logs and metrics of several processes. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { applied } from '../../support/http.ts'
import { adminKey, newDataDir, removeData, type Started, startService } from '../../support/service.ts'

const kinds = ['web', 'apply', 'index', 'maintain'] as const
const dataDir = newDataDir()
const processes = {} as Record<(typeof kinds)[number], Started>
beforeAll(async () => {
  const env = { PRECEDENT_HEALTH_PORT: '0' }
  const started = await Promise.all(kinds.map((kind) => startService({ kind, dataDir, env })))
  for (const [at, kind] of kinds.entries()) processes[kind] = started[at] as Started
}, 120_000)
afterAll(async () => {
  await Promise.all(Object.values(processes).map((one) => one.stop()))
  await removeData(dataDir)
})

const traceId = '0af7651916cd43dd8448eb211c80319c'

it('the log lines of web, apply and index for one write share a trace id', async () => {
  const body = { kind: 'fact', content: 'Three processes tell of one write.' }
  const answer = await fetch(`${processes.web.url}/v1/context/memories`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${adminKey}`,
      'content-type': 'application/json',
      'idempotency-key': 'traced-write',
      prefer: 'wait=30',
      traceparent: `00-${traceId}-b7ad6b7169203331-01`,
    },
    body: JSON.stringify(body),
  })
  expect(answer.status).toBe(200)
  for (const kind of ['web', 'apply', 'index'] as const) {
    await expect.poll(() => processes[kind].log(), { timeout: 10_000 }).toContain(traceId)
  }
})

it('workers serve their metrics on the health port, and web serves them only with a key', async () => {
  await applied({ url: processes.web.url, key: adminKey }, '/v1/context/memories', 'counted-write', {
    kind: 'fact',
    content: 'Workers count what they did.',
  })
  const metricsOf = async (kind: (typeof kinds)[number]) => {
    const answer = await fetch(`${processes[kind].url}/metrics`)
    return { status: answer.status, text: await answer.text() }
  }
  expect((await metricsOf('web')).status).toBe(401)
  const apply = await metricsOf('apply')
  expect(apply.text).toMatch(/^precedent_entries_total [1-9]/m)
  expect(apply.text).toMatch(/^precedent_journal_lag_entries\{stage="projected",over="most"\} 0$/m)
  expect(apply.text).toMatch(/^precedent_engine_well\{port="search"\} 1$/m)
  const index = await metricsOf('index')
  expect(index.text).toMatch(
    /precedent_operation_seconds_count\{operation="context.remember",outcome="applied"\} [1-9]/,
  )
  expect((await metricsOf('maintain')).status).toBe(200)
  // a worker serves no other route
  expect((await fetch(`${processes.apply.url}/v1/receipts`)).status).toBe(404)
})
