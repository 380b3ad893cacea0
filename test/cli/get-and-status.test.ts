import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it } from 'vitest'
import type { BriefOutput } from '../../src/context/brief/schema.ts'
import { call } from '../support/http.ts'
import { run, runJson } from './run.ts'
import { serving } from './serving.ts'

const serves = serving()

describe('precedent get', () => {
  it('shows a memory, a decision and a receipt by their ids', async () => {
    const memory = await serves.written('remember', 'The quay opens at six.', '--topic', 'quay')
    const shown = await run(serves.caller, 'get', memory)
    expect(shown.stdout).toContain('The quay opens at six.\n')
    expect(shown.stdout).toMatch(/State +fact, in force\n/)
    expect(shown.stdout).toMatch(/Topics +quay\n/)
    const decision = await serves.written('decide', 'Ship by rail', '--judgment', 'Crates go by rail.', '--by', 'Ada')
    const decided = await run(serves.caller, 'get', decision)
    expect(decided.stdout).toMatch(
      /^Ship by rail\n\n {4}Crates go by rail\.\n.*State +accepted, in force, revision 1\n/s,
    )
    const { body } = await runJson(serves.caller, 'get', decision)
    expect(body).toMatchObject({ type: 'decision', id: decision, judgment: 'Crates go by rail.' })
    const written = await runJson(serves.caller, 'remember', 'The quay closes at nine.')
    const receipt = String(written.body.receipt_id)
    expect((await runJson(serves.caller, 'get', receipt)).body).toMatchObject({ type: 'receipt', receipt_id: receipt })
  })

  it('names the successor of a record that was replaced', async () => {
    const old = await serves.written('remember', 'The crane lifts 3 tons.')
    const newer = await serves.written('remember', 'The crane lifts 5 tons.', '--corrects', old)
    expect((await run(serves.caller, 'get', old)).stdout).toContain(`replaced by memory ${newer}`)
  })

  it('shows any open question with its answers, not only the ten most urgent, and fails if it is not open', async () => {
    const cranes = Array.from({ length: 11 }, (_, at) => `Buy crane ${at}`)
    const proposals = await Promise.all(
      cranes.map((title) => serves.written('decide', title, '--judgment', 'We buy it.', '--status', 'proposed')),
    )
    const { body } = await call<BriefOutput>(serves.service, 'GET', '/v1/context/brief')
    const listed = body.open_questions.map(({ question_id }) => question_id)
    const unlisted = proposals.map((id) => `judgment:${id}`).filter((id) => !listed.includes(id))
    expect(unlisted).toHaveLength(1)
    const shown = await run(serves.caller, 'get', unlisted[0] as string)
    expect(shown.stdout).toContain(`precedent resolve ${unlisted[0]}`)
    const none = await runJson(serves.caller, 'get', 'clarification:0')
    expect(none).toMatchObject({ code: 1, body: { error: { code: 'not_found' } } })
  })

  it('fails with exit code 1 if no record has the id, and with 2 if the id is invalid', async () => {
    expect((await run(serves.caller, 'get', '01890000-0000-7000-8000-00000000dead')).code).toBe(1)
    expect((await run(serves.caller, 'get', 'adr/12')).code).toBe(2)
  })
})

describe('precedent status', () => {
  it('names the engines and the backlog of a service that is ready', async () => {
    const { code, stdout } = await run(serves.caller, 'status')
    expect(code).toBe(0)
    expect(stdout).toMatch(/^Ready: http/)
    expect(stdout).toMatch(/documents +ok\n/)
    expect(stdout).toMatch(/\nBacklog: /)
    const { body } = await runJson(serves.caller, 'status')
    expect(body).toMatchObject({ ready: true, problems: [], backlog: { open_workspaces: expect.any(Number) } })
  })

  it('needs no key to show the engines', async () => {
    const { code, stdout } = await run({ ...serves.caller, key: '' }, 'status')
    expect(code).toBe(0)
    expect(stdout).toContain('Backlog: unknown. It needs an admin key of the first workspace.')
  })

  it.each([
    [401, 'unknown. It needs an admin key of the first workspace.'],
    [403, 'unknown. It needs an admin key of the first workspace.'],
    [503, 'unknown while the store is unavailable.'],
    // the service leaves the metrics of the store out while it is unavailable
    [200, 'unknown while the store is unavailable.'],
    [429, 'unknown. The service answered with status 429.'],
  ])('says why the backlog is unknown if the metrics answer %i', async (metrics, backlog) => {
    const engines = { documents: 'mongodb: unreachable', queue: null, search: null }
    const server = createServer((request, response) => {
      const isReadiness = request.url === '/readyz'
      response.writeHead(isReadiness ? 503 : metrics, { 'content-type': 'application/json' })
      response.end(isReadiness ? JSON.stringify({ ready: false, engines, problems: [] }) : '')
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    expect((await run({ ...serves.caller, url }, 'status')).stdout).toContain(`\nBacklog: ${backlog}\n`)
    expect((await runJson({ ...serves.caller, url }, 'status')).body).toMatchObject({ ready: false, backlog: null })
    await new Promise((resolve) => server.close(resolve))
  })

  it('ends with 1 if the service is not ready, and with 3 if it cannot be reached', async () => {
    const notReady = { ready: false, engines: { documents: 'mongodb: unreachable', queue: null, search: null } }
    const server = createServer((request, response) => {
      response.writeHead(request.url === '/readyz' ? 503 : 401, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ ...notReady, problems: ['documents: mongodb: unreachable'] }))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const { code, stdout } = await run({ ...serves.caller, url }, 'status')
    expect(code).toBe(1)
    expect(stdout).toMatch(/^Not ready: .*\n +documents +mongodb: unreachable\n/)
    await new Promise((resolve) => server.close(resolve))
    expect((await run({ ...serves.caller, url }, 'status')).code).toBe(3)
  })

  it('tells that entries are not compared yet, also if every write is applied', async () => {
    const lag = (entries: number) => `precedent_journal_lag_entries{stage="compared",over="sum"} ${entries}`
    const applied = ['precedent_open_workspaces 0', 'precedent_journal_lag_entries{stage="indexed",over="sum"} 0']
    const comparing = 'Backlog: 12 entries are not compared yet, so questions may be missing. Every write is applied.'
    expect(await statusWith([...applied, lag(12)])).toContain(comparing)
    expect(await statusWith([...applied, lag(0)])).toContain('Backlog: none. Every write is applied.')
  })

  it('describes the backlog in a sentence', async () => {
    const stdout = await statusWith([
      'precedent_oldest_open_receipt_seconds{lane="interactive"} 12.4',
      'precedent_oldest_open_receipt_seconds{lane="import"} 0',
      'precedent_open_workspaces 2',
      'precedent_journal_lag_entries{stage="indexed",over="most"} 30',
      'precedent_journal_lag_entries{stage="indexed",over="sum"} 40',
      'precedent_journal_lag_entries{stage="compared",over="sum"} 1',
    ])
    expect(stdout).toContain(
      'Backlog: 2 workspaces have open writes; the oldest interactive write has waited 12 s; 40 entries are not searchable yet; 1 entry is not compared yet, so questions may be missing.',
    )
  })

  async function statusWith(metrics: readonly string[]): Promise<string> {
    const ready = { ready: true, engines: { documents: null, queue: null, search: null }, problems: [] }
    const server = createServer((request, response) =>
      response.end(request.url === '/metrics' ? metrics.join('\n') : JSON.stringify(ready)),
    )
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const { stdout } = await run({ ...serves.caller, url }, 'status')
    await new Promise((resolve) => server.close(resolve))
    return stdout
  }
})
