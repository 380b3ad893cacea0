/** What operators see of calls of tools: the line in the log and the labels of the histogram. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Documents } from '../../src/ports/documents.ts'
import { EngineUnavailable } from '../../src/ports/unavailable.ts'
import { call, frame, modern, post, result } from '../attacks/mcp-frames.ts'
import { type Serving, send, serve } from '../http/serving.ts'
import type { Caller } from '../support/http.ts'

let serving: Serving
let caller: Caller
/** What reads of records throw. */
let fault: Error | undefined
beforeAll(async () => {
  serving = await serve({
    around(documents: Documents) {
      const find: Documents['find'] = (collection, query) =>
        fault !== undefined && collection.name === 'records' ? Promise.reject(fault) : documents.find(collection, query)
      return { ...documents, find }
    },
  })
  caller = { url: serving.url, key: await serving.key(['context:read', 'context:write']) }
})
afterAll(() => serving.stop())
beforeEach(() => {
  fault = undefined
})

/** The line of the log about the only request of `work`. */
async function lineOf(work: () => Promise<unknown>): Promise<Record<string, unknown>> {
  const before = serving.logged.length
  await work()
  const lines = serving.logged.slice(before).map((line) => JSON.parse(line) as Record<string, unknown>)
  const [line, ...more] = lines.filter(({ path }) => path === '/api/v2/mcp')
  expect(more).toEqual([])
  return line as Record<string, unknown>
}

async function counted(status: string, tool?: string): Promise<number> {
  const { body } = await send(serving.url, 'GET', '/metrics', { key: serving.adminKey })
  const labels = `method="POST",route="/api/v2/mcp",status="${status}"${tool === undefined ? '' : `,tool="${tool}"`}`
  const line = body.split('\n').find((one: string) => one.startsWith(`precedent_request_seconds_count{${labels}} `))
  return line === undefined ? 0 : Number(line.split(' ').at(-1))
}

/** The line, after a check that the histogram has counted the request under these labels and no others of the tool. */
async function observed(work: () => Promise<unknown>, status: string, tool?: string) {
  const all = ['2xx', '4xx', '5xx']
  const counts = async () =>
    Object.fromEntries(await Promise.all(all.map(async (one) => [one, await counted(one, tool)])))
  const before = await counts()
  const line = await lineOf(work)
  expect(await counts()).toEqual({ ...before, [status]: before[status] + 1 })
  return line
}

const id = '00000000-0000-7000-8000-00000000dead'

describe('a call of a tool', () => {
  it('that succeeds has its name, and that of its receipt if it writes', async () => {
    const read = await observed(() => result(caller, 'get_brief', {}), '2xx', 'get_brief')
    expect(read).toMatchObject({ level: 'info', tool: 'get_brief', status: 200, method: 'POST' })
    expect(Object.keys(read)).not.toContain('problem')
    let receipt = ''
    const remember = async () => {
      const { structuredContent } = await result(caller, 'remember', { kind: 'fact', content: 'Logs are kept.' })
      receipt = structuredContent.receipt_id
    }
    const write = await observed(remember, '2xx', 'remember')
    expect(write).toMatchObject({ tool: 'remember', receipt })
  })

  it('that fails has the code of its problem, and counts as 4xx although its answer is a result', async () => {
    const missing = await observed(() => result(caller, 'get_record', { id }), '4xx', 'get_record')
    expect(missing).toMatchObject({ level: 'info', tool: 'get_record', problem: 'not_found', status: 200 })
    const { body, headers } = modern('tools/call', { name: 'remember', arguments: { kind: 'fact' } })
    const wrong = await observed(() => post(caller, body, headers), '4xx', 'remember')
    expect(wrong).toMatchObject({ level: 'info', tool: 'remember', problem: 'invalid_request', status: 200 })
  })

  it('without its scope counts as 4xx of the tool', async () => {
    const reader = { url: serving.url, key: await serving.key(['context:read']) }
    const line = await observed(() => post(reader, call('remember')), '4xx', 'remember')
    expect(line).toMatchObject({ tool: 'remember', status: 403 })
  })

  it('of an unknown name is called unknown, so that callers make no labels', async () => {
    for (const name of ['remembr', 'x'.repeat(10_000), 'a"}\n', '__proto__', 'search']) {
      const line = await observed(() => result(caller, name, {}), '4xx', 'unknown')
      expect(line).toMatchObject({ tool: 'unknown', problem: 'invalid_request' })
    }
    const { body } = await send(serving.url, 'GET', '/metrics', { key: serving.adminKey })
    expect(body).not.toMatch(/remembr|xxxx|__proto__/)
  })

  it('that has a fault is logged with the cause, and told without it', async () => {
    fault = new TypeError('password is hunter2 at /srv/inside.ts')
    const asks = [
      () => result(caller, 'get_record', { id }),
      async () => {
        const { body, headers } = modern('tools/call', { name: 'get_record', arguments: { id } })
        return (await post(caller, body, headers)).body.result
      },
    ]
    for (const ask of asks) {
      let told = ''
      const work = async () => {
        const { isError, content, _meta } = await ask()
        expect([isError, content[0].text.split(':')[0]]).toEqual([true, 'internal_error'])
        told = JSON.stringify({ content, _meta })
      }
      const line = await observed(work, '5xx', 'get_record')
      expect(line).toMatchObject({
        level: 'error',
        msg: 'request failed',
        tool: 'get_record',
        problem: 'internal_error',
      })
      expect(line.err).toMatchObject({ message: 'password is hunter2 at /srv/inside.ts' })
      expect(told).not.toMatch(/hunter2|inside|TypeError/)
    }
  })

  it('whose engine is away is told that it may succeed later', async () => {
    fault = new EngineUnavailable('documents', 'disk I/O error on /srv/data')
    let text = ''
    const work = async () => {
      text = (await result(caller, 'get_record', { id })).content[0].text
    }
    const line = await observed(work, '5xx', 'get_record')
    expect(line).toMatchObject({ level: 'error', problem: 'unavailable' })
    expect(JSON.stringify(line.err)).toContain('disk I/O error')
    expect(text).toMatch(/^unavailable: .*\nThe same call may succeed later\.$/s)
    expect(text).not.toContain('/srv/data')
  })
})

describe('a message that calls no tool', () => {
  it('has no tool, and a fault of a resource or prompt is told without its cause', async () => {
    expect(await observed(() => post(caller, frame('tools/list')), '2xx')).not.toHaveProperty('tool')
    fault = new TypeError('password is hunter2 at /srv/inside.ts')
    const asks = [
      frame('resources/read', { uri: `precedent://memories/${id}` }),
      frame('prompts/get', { name: 'brief_me', arguments: { topic: 'anything new' } }),
    ]
    for (const body of asks) {
      let told = ''
      const work = async () => {
        const answer = await post(caller, body)
        expect(answer.body.error.code).toBe(-32603)
        told = JSON.stringify(answer.body)
      }
      const line = await observed(work, '5xx')
      expect(line).toMatchObject({ level: 'error', problem: 'internal_error' })
      expect(JSON.stringify(line.err)).toContain('hunter2')
      expect(told).toContain('internal_error')
      expect(told).not.toMatch(/hunter2|inside|TypeError/)
    }
  })
})
