import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { jobKinds } from '../../../src/ports/queue.ts'
import { type Serving, send, serve, write } from '../serving.ts'

let serving: Serving
beforeAll(async () => {
  serving = await serve()
})
afterAll(() => serving.stop())

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
const traceparent = `00-${traceId}-00f067aa0ba902b7-01`
const fact = (content: string) => ({ kind: 'fact', content })
const metrics = async () => (await send(serving.url, 'GET', '/metrics', { key: serving.adminKey })).body as string
const lines = () => serving.logged.map((line) => JSON.parse(line) as Record<string, unknown>)

/** The value of the sample whose name and labels these are. */
function sample(text: string, name: string): number | undefined {
  const line = text.split('\n').find((one) => one.startsWith(`${name} `))
  return line === undefined ? undefined : Number(line.slice(name.length))
}

describe('/metrics', () => {
  it('answers admins of the first workspace only', async () => {
    expect((await send(serving.url, 'GET', '/metrics')).status).toBe(401)
    const reader = await serving.key(['context:read', 'context:write'])
    expect((await send(serving.url, 'GET', '/metrics', { key: reader })).status).toBe(403)
    const answer = await send(serving.url, 'GET', '/metrics', { key: serving.adminKey })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
  })

  it('counts requests by the route that answered them and the class of their status, never by their path', async () => {
    await send(serving.url, 'GET', '/v1/receipts/00000000-0000-7000-8000-00000000dead', { key: serving.adminKey })
    await send(serving.url, 'GET', '/nowhere/secret-path')
    const text = await metrics()
    const of = (route: string) =>
      sample(text, `precedent_request_seconds_count{method="GET",route="${route}",status="4xx"}`)
    expect(of('/v1/receipts/:id')).toBe(1)
    expect(of('none')).toBe(1)
    expect(text).not.toMatch(/dead|secret-path/)
  })

  it('counts how each operation ended, and measures the time since it was accepted', async () => {
    const key = serving.adminKey
    const headers = { prefer: 'wait=20' }
    await write(serving.url, '/v1/context/memories', { key, body: fact('Zebras graze.'), headers })
    const made = await write(serving.url, '/v1/context/memories', { key, body: fact('Lions hunt.'), headers })
    const correction = { kind: 'correction', content: 'They sleep.', corrects_memory_id: made.body.entity.id }
    for (const content of ['They sleep.', 'They roar.']) {
      const body = { ...correction, content }
      await write(serving.url, '/v1/context/memories', { key, body, headers })
    }
    const text = await metrics()
    const ended = (outcome: string) =>
      sample(text, `precedent_operation_seconds_count{operation="context.remember",outcome="${outcome}"}`)
    // the second correction of one memory fails: it has a successor already
    expect([ended('applied'), ended('failed')]).toEqual([3, 1])
    expect(sample(text, 'precedent_changes_total')).toBeGreaterThanOrEqual(3)
  })

  it('shows how far workers are behind, how much work waits, and which engines work', async () => {
    const text = await metrics()
    for (const lane of ['interactive', 'import']) {
      expect(sample(text, `precedent_oldest_open_receipt_seconds{lane="${lane}"}`)).toBe(0)
    }
    for (const stage of ['projected', 'indexed']) {
      for (const over of ['most', 'sum']) {
        expect(sample(text, `precedent_journal_lag_entries{stage="${stage}",over="${over}"}`)).toBe(0)
      }
    }
    for (const kind of jobKinds) {
      expect(sample(text, `precedent_queue_jobs{kind="${kind}",state="waiting"}`)).toBe(0)
    }
    for (const port of ['documents', 'queue', 'search']) {
      expect(sample(text, `precedent_engine_well{port="${port}"}`)).toBe(1)
    }
    for (const trouble of ['lost', 'older', 'newer']) {
      expect(sample(text, `precedent_outdated_indexes{trouble="${trouble}"}`)).toBe(0)
    }
    expect(text).toContain('process_cpu_seconds_total')
  })
})

describe('the age of waiting work', () => {
  it('grows for a receipt that no worker applies', async () => {
    const idle = await serve({ work: false })
    try {
      await write(idle.url, '/v1/context/memories', { key: idle.adminKey, body: fact('Nobody comes.') })
      const metrics = async () => (await send(idle.url, 'GET', '/metrics', { key: idle.adminKey })).body
      const age = async () => sample(await metrics(), 'precedent_oldest_open_receipt_seconds{lane="interactive"}')
      // 0 in the millisecond of its acceptance
      await expect.poll(age).toBeGreaterThan(0)
      const body = await metrics()
      expect(sample(body, 'precedent_oldest_open_receipt_seconds{lane="import"}')).toBe(0)
      expect(sample(body, 'precedent_open_workspaces')).toBe(1)
      expect(sample(body, 'precedent_queue_jobs{kind="apply",state="waiting"}')).toBe(1)
    } finally {
      await idle.stop()
    }
  })
})

describe('one trace from a request to the workers', () => {
  it('has the trace id of the caller’s traceparent', async () => {
    const { body } = await write(serving.url, '/v1/context/memories', {
      key: serving.adminKey,
      body: fact('Traces are followed.'),
      headers: { traceparent, prefer: 'wait=20' },
    })
    const all = lines()
    expect(all.find(({ receipt }) => receipt === body.receipt_id)).toMatchObject({ trace: traceId, msg: 'request' })
    for (const msg of ['entry appended', 'receipts applied']) {
      const line = all.find((one) => one.msg === msg && (one.receipts as string[]).includes(body.receipt_id))
      expect(line?.traces).toEqual([traceId])
    }
  })

  it.each(['', '00-xyz', `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`, `ff-${traceId}-00f067aa0ba902b7-01`])(
    'is new if the traceparent is missing or invalid: %s',
    async (header) => {
      const { body, headers } = await write(serving.url, '/v1/context/memories', {
        key: serving.adminKey,
        body: fact(`Begins ${header}.`),
        headers: { ...(header === '' ? {} : { traceparent: header }), prefer: 'wait=20' },
      })
      const line = lines().find(({ receipt }) => receipt === body.receipt_id)
      expect(line?.trace).toBe(headers.get('x-request-id')?.replaceAll('-', ''))
    },
  )

  it('is the same for all decisions of an import', async () => {
    const decisions = ['a', 'b'].map((id) => ({ title: id, judgment: id, external_id: `traced/${id}` }))
    await write(serving.url, '/v1/decisions/batch', {
      key: serving.adminKey,
      body: { decisions },
      headers: { traceparent: traceparent.replace('4bf9', '5bf9') },
    })
    // writes of the service itself may be applied after it
    await expect
      .poll(() =>
        lines()
          .filter((one) => one.msg === 'receipts applied')
          .map(({ traces }) => traces),
      )
      .toContainEqual([traceId.replace('4bf9', '5bf9')])
  })
})
