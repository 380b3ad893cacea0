import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { problemResponse } from '../../src/http/base/problem.ts'
import type { PageRoute } from '../../src/http/base/route.ts'
import { explanations } from '../../src/http/docs/explanations.ts'
import type { Documents } from '../../src/ports/documents.ts'
import { EngineUnavailable } from '../../src/ports/unavailable.ts'
import { type ProblemCode, problems } from '../../src/problem.ts'
import { runners } from '../../src/runs/stored/runner.ts'
import { newRepository } from '../adapters/git/repositories.ts'
import { temporaryFolder } from '../support/clean-up.ts'
import { type Answer, publicUrl, type Serving, send, serve, write } from './serving.ts'

const throwing = (path: string, error: Error): PageRoute => ({
  kind: 'page',
  method: 'GET',
  path,
  summary: 'Fails.',
  show() {
    throw error
  },
})

let serving: Serving
let documents: Documents
beforeAll(async () => {
  const shop = newRepository()
  shop.commit({ 'README.md': '# Shop\n' })
  const config = join(temporaryFolder(), 'precedent.yaml')
  const connect = [
    { name: 'acme/shop', url: shop.path },
    { name: 'acme/empty', url: newRepository().path },
  ]
  // JSON is YAML
  writeFileSync(config, JSON.stringify({ repositories: { poll: '1s', connect } }))
  serving = await serve({
    env: { PRECEDENT_CONFIG: config },
    routes: [
      throwing('/test/fault', new TypeError('password is hunter2 at /srv/inside.ts')),
      throwing('/test/away', new EngineUnavailable('documents', 'disk I/O error on /srv/data')),
      throwing('/test/searchless', new EngineUnavailable('elasticsearch', 'connect ECONNREFUSED 10.0.0.7:9200')),
    ],
    around: (opened) => {
      documents = opened
      return opened
    },
  })
  // a run of it awaits approval, because there is no policy and it can't plan
  const executors = [{ name: 'robot', plans: false, repeatable: false, capacity: 1 }]
  await documents.insert(runners, { id: 'worker', seen_at: new Date().toISOString(), executors })
})
afterAll(() => serving.stop())

const post = (path: string, body: object) =>
  send(serving.url, 'POST', path, { key: serving.adminKey, body, headers: { prefer: 'wait=20' } })

/** The path of a new task. */
async function newTask(fields: object = {}): Promise<string> {
  const { body } = await post('/api/v2/tasks', { name: 'Paint', ...fields })
  return `/api/v2/tasks/${body.entity.id}`
}

/** The path of a run that awaits approval without a plan. */
async function newRun(): Promise<string> {
  const path = `${await newTask()}/run`
  await post(path, {})
  return path
}

const treeOf = (path: string) => send(serving.url, 'GET', `/api/v2/repos/${path}`, { key: serving.adminKey })

const fact = { kind: 'fact', content: 'Deploys happen on Tuesdays.' }

/** A request that causes each code that requests can cause. */
const ways: Partial<Record<ProblemCode, () => Promise<Answer>>> = {
  invalid_request: () => write(serving.url, '/v1/context/memories', { key: serving.adminKey, body: { kind: 'fact' } }),
  malformed_json: () => write(serving.url, '/v1/context/memories', { key: serving.adminKey, body: '{"kind": fact}' }),
  authentication_required: () => write(serving.url, '/v1/context/memories', { body: fact }),
  insufficient_scope: async () =>
    write(serving.url, '/v1/context/memories', { key: await serving.key(['context:read']), body: fact }),
  origin_not_allowed: () =>
    write(serving.url, '/api/v2/mcp', { key: serving.adminKey, body: {}, headers: { origin: 'https://evil.example' } }),
  not_found: () => send(serving.url, 'GET', '/v1/receipts/nothing', { key: serving.adminKey }),
  method_not_allowed: () => send(serving.url, 'PUT', '/v1/context/memories', { key: serving.adminKey, body: fact }),
  async idempotency_conflict() {
    const headers = { 'idempotency-key': 'the-same-key' }
    await write(serving.url, '/v1/context/memories', { key: serving.adminKey, body: fact, headers })
    const other = { ...fact, content: 'Deploys happen on Mondays.' }
    return write(serving.url, '/v1/context/memories', { key: serving.adminKey, body: other, headers })
  },
  async not_decided() {
    const key = serving.adminKey
    const proposal = { title: 'Maybe', judgment: 'Perhaps.', status: 'proposed' }
    const { body } = await write(serving.url, '/v1/decisions', { key, body: proposal, headers: { prefer: 'wait=20' } })
    const path = `/api/v2/decisions/${body.entity.id}/outcome`
    return send(serving.url, 'PATCH', path, { key, body: { outcome_status: 'success' } })
  },
  task_closed: async () => post(`${await newTask({ status: 'done' })}/run`, {}),
  run_active: async () => post(await newRun(), {}),
  async run_ended() {
    const path = `${await newRun()}/cancel`
    await post(path, {})
    return post(path, {})
  },
  plan_changed: async () => post(`${await newRun()}/approve`, { plan_revision: 1 }),
  self_approval: async () => post(`${await newRun()}/approve`, { plan_revision: 0 }),
  ref_not_indexed: () =>
    vi.waitFor(
      async () => {
        const answer = await treeOf('acme/shop/tree?ref=develop')
        expect(answer.body.code).not.toBe('repository_not_ready')
        return answer
      },
      { timeout: 60_000, interval: 200 },
    ),
  repository_not_ready: () => treeOf('acme/empty/tree'),
  payload_too_large: () =>
    write(serving.url, '/v1/context/memories', { key: serving.adminKey, body: ' '.repeat(8 * 1024 * 1024 + 1) }),
  unsupported_media_type: () =>
    write(serving.url, '/v1/context/memories', {
      key: serving.adminKey,
      body: 'kind=fact',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    }),
  async rate_limited() {
    const limited = await serve({ rateLimit: 1 })
    const answers = await Promise.all(
      // more than the burst
      Array.from({ length: 20 }, () => send(limited.url, 'GET', '/v1/receipts', { key: limited.adminKey })),
    )
    await limited.stop()
    return answers.find(({ status }) => status !== 200) as Answer
  },
  internal_error: () => send(serving.url, 'GET', '/test/fault'),
  unavailable: () => send(serving.url, 'GET', '/test/away'),
}

describe('every problem', () => {
  it.each(Object.entries(ways))('answers %s as problem+json', async (code, meet) => {
    const answer = await meet()
    const row = problems[code as ProblemCode]
    expect(answer.body.code, JSON.stringify(answer.body)).toBe(code)
    expect(answer.status).toBe(row.status)
    expect(answer.headers.get('content-type')).toMatch(/^application\/problem\+json/)
    expect(problemResponse.parse(answer.body)).toMatchObject({
      type: `${publicUrl}/docs/problems#${code}`,
      title: row.title,
      status: row.status,
      retryable: row.retryable,
      instance: `urn:uuid:${answer.headers.get('x-request-id')}`,
    })
  })

  it('can be caused by a request of this test, or occurs only in receipts', () => {
    const reserved: ProblemCode[] = ['revision_conflict']
    const met = Object.entries(problems).filter(([, { status }]) => status !== 200)
    expect(met.map(([code]) => code).sort()).toEqual([...Object.keys(ways), ...reserved].sort())
  })

  it('is explained at the address that its type gives', async () => {
    const { body, headers } = await send(serving.url, 'GET', '/docs/problems')
    expect(headers.get('content-type')).toMatch(/^text\/html/)
    for (const code of Object.keys(problems) as ProblemCode[]) {
      const section = body.split(`<section id="${code}">`)[1]?.split('</section>')[0]
      expect(section, code).toBeDefined()
      expect(section).toContain(`${publicUrl}/docs/problems#${code}`)
      const { meaning, remedy } = explanations[code]
      // the example has the details that the text speaks of
      if (remedy.includes('details')) expect(section, code).toContain('&quot;details&quot;')
      for (const text of [meaning, remedy]) expect(unescaped(section)).toContain(text)
    }
  })

  it('says what the client can do: how to authenticate, which methods exist, when to retry', async () => {
    expect((await ways.authentication_required?.())?.headers.get('www-authenticate')).toMatch(/^Bearer/)
    expect((await ways.method_not_allowed?.())?.headers.get('allow')).toBe('OPTIONS, POST')
    expect(Number((await ways.unavailable?.())?.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(Number((await ways.rate_limited?.())?.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await ways.insufficient_scope?.())?.body.details).toEqual({ required_scope: 'context:write' })
    expect((await ways.idempotency_conflict?.())?.body.receipt_id).toMatch(/^[0-9a-f-]{36}$/)
    expect((await ways.malformed_json?.())?.body.details).toEqual({ position: 9, line: 1, column: 10 })
  })

  it('says whether the store or the search is unavailable', async () => {
    expect((await ways.unavailable?.())?.body.detail).toMatch(/^The store can’t be reached/)
    const { status, body } = await send(serving.url, 'GET', '/test/searchless')
    expect([status, body.code]).toEqual([503, 'unavailable'])
    expect(body.detail).toBe(
      'Search is not available now. Send it again later. Writes, and reads without q, work meanwhile.',
    )
  })

  it('hides internal details, which are in the log under the same request id', async () => {
    for (const path of ['/test/fault', '/test/away', '/test/searchless']) {
      const { body } = await send(serving.url, 'GET', path)
      expect(JSON.stringify(body)).not.toMatch(/hunter2|srv|TypeError|disk|ECONNREFUSED/)
      const id = body.instance.slice('urn:uuid:'.length)
      expect(serving.logged.find((line) => line.includes(id))).toMatch(/hunter2|disk I\/O|10\.0\.0\.7/)
    }
  })
})

function unescaped(html: string): string {
  return html
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
}
