/** Each log line is one short and harmless line of JSON, for any text of a caller or an engine. */
import { afterEach, expect, it } from 'vitest'
import { logger } from '../../src/log/log.ts'
import { longestLine } from '../../src/log/log-line.ts'
import { prettyOn } from '../../src/log/log-pretty.ts'
import { createMetrics } from '../../src/metrics/metrics.ts'
import { EngineUnavailable } from '../../src/ports/unavailable.ts'
import { type Serving, serve, write } from '../http/serving.ts'
import { attack, closeAll, head } from './sockets.ts'

let serving: Serving | undefined
afterEach(async () => {
  closeAll()
  await serving?.stop()
  serving = undefined
})

function logging() {
  const lines: string[] = []
  return {
    lines,
    log: logger('debug', ['the-secret-of-an-engine'], { write: (line: string) => void lines.push(line) }),
  }
}

/** Fails unless it is one line of JSON without control characters, short enough for every tool. */
function expectTame(line: string): Record<string, unknown> {
  expect(Buffer.byteLength(line)).toBeLessThanOrEqual(longestLine)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they must not be in a line
  expect(line.slice(0, -1)).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/)
  return JSON.parse(line)
}

it('long paths of requests are shortened in the log', async () => {
  serving = await serve({ work: false })
  const agent = `User-Agent: ${'curl '.repeat(1000)}`
  await (await attack(serving.port, head(`GET /${'a'.repeat(50_000)} HTTP/1.1`, agent, 'Connection: close'))).ended
  const lines = serving.logged.map(expectTame)
  expect(lines.find(({ status }) => status === 404)?.path).toBe(`/${'a'.repeat(199)}`)
})

it('long errors are shortened in the log and keep their beginning', () => {
  const { lines, log } = logging()
  const cause = new Error(`the cause ${'c'.repeat(10_000)}`)
  log.error({ request: 'r1', err: new Error(`refused: ${'🙂'.repeat(20_000)}`, { cause }) }, 'request failed')
  const line = expectTame(lines[0] as string)
  expect(line).toMatchObject({ msg: 'request failed', request: 'r1', level: 'error' })
  expect((line.err as { message: string }).message).toMatch(/^refused: 🙂/)
})

it('an error in the log names each of its causes once, and an unavailable engine has no stack', () => {
  const { lines, log } = logging()
  const refused = new Error('connect ECONNREFUSED 127.0.0.1:1', {
    cause: new Error('connect ECONNREFUSED 127.0.0.1:1'),
  })
  const away = new EngineUnavailable('mongodb', refused.message, refused)
  log.error({ err: away }, 'request failed')
  log.error({ err: new Error('the job failed', { cause: away }) }, 'job failed')
  const [first, second] = lines.map((line) => expectTame(line).err as Record<string, unknown>)
  expect(first).toEqual({ type: 'EngineUnavailable', message: 'mongodb: connect ECONNREFUSED 127.0.0.1:1' })
  expect(second).toMatchObject({ message: 'the job failed: mongodb: connect ECONNREFUSED 127.0.0.1:1' })
  expect(second?.stack).toContain('log-lines.test.ts')
})

it.each([
  ['many fields', Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`field-${at}`, 'x'.repeat(100)]))],
  ['a long list', { ids: Array.from({ length: 10_000 }, (_, at) => `id-${at}`) }],
  ['quotes and backslashes', { text: '"\\'.repeat(5000) }],
  ['control characters', { text: '\u0000\n\r\u001b[2J'.repeat(500) }],
])('keeps a line with %s short', (_, fields) => {
  const { lines, log } = logging()
  log.warn(fields, 'long')
  expect(expectTame(lines[0] as string)).toMatchObject({ level: 'warn', msg: 'long' })
})

it('no text can forge a log line, control a terminal or show a secret', () => {
  const { lines, log } = logging()
  const forged = 'a\n{"level":60,"msg":"forged"}\r\u001b[2J\u009b2J\u007f\u2028the-secret-of-an-engine'
  log.info({ path: forged }, forged)
  expect(lines).toHaveLength(1)
  const line = expectTame(lines[0] as string)
  expect(line.path).toBe(forged.replace('the-secret-of-an-engine', '***'))
})

it('no text can forge a line or control the terminal that shows the log', () => {
  const shown: string[] = []
  const log = logger('debug', ['the-secret'], prettyOn({ write: (text: string) => void shown.push(text) }, false))
  const forged = 'a\n[00:00:00] ERROR: forged\r\u001b[2J\u009b2J\u007f\u2028\u202ethe-secret'
  log.error({ path: forged, err: new Error(forged) }, forged)
  const text = shown.join('')
  expect(text).toContain('ERROR: a\\u000a[00:00:00] ERROR: forged')
  expect(text).not.toContain('the-secret')
  expect(text).not.toMatch(/^\[00:00:00\]/m)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they must not be in a line
  expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e]/)
})

it('a request is one short line on a terminal', () => {
  const shown: string[] = []
  const log = logger('info', [], prettyOn({ write: (text: string) => void shown.push(text) }, false))
  const ids = { request: 'r1', trace: 't1' }
  log.info({ ...ids, receipt: 'r2', method: 'POST', path: '/v1/decisions', status: 202, ms: 3 }, 'request')
  expect(shown.join('')).toMatch(/^\[\d\d:\d\d:\d\d\] INFO: POST \/v1\/decisions 202 \(3 ms\) \{"receipt":"r2"\}\n$/)
})

it('probes are logged only if they are refused', async () => {
  serving = await serve({ work: false })
  const { url, adminKey } = serving
  const authorization = `Bearer ${adminKey}`
  for (const path of ['/livez', '/readyz', '/metrics']) {
    expect((await fetch(url + path, { headers: { authorization } })).status).toBe(200)
  }
  expect((await fetch(`${url}/metrics`)).status).toBe(401)
  expect((await fetch(`${url}/openapi.json`)).status).toBe(200)
  const logged = serving.logged.map(expectTame).filter(({ msg }) => msg === 'request')
  expect(logged.map(({ path, status, level }) => [path, status, level])).toEqual([
    ['/metrics', 401, 'info'],
    ['/openapi.json', 200, 'info'],
  ])
})

it('the log names every receipt of a large entry, in several lines', () => {
  const { lines, log } = logging()
  const metrics = createMetrics({ now: () => 0 } as never, log)
  const id = (at: number) => `01890000-0000-7000-8000-${String(at).padStart(12, '0')}`
  const receipts = Array.from({ length: 500 }, (_, at) => ({ id: id(at), trace: `${at}`.padStart(32, '0') }))
  metrics.watch.applied('01890000-0000-7000-8000-000000000001' as never, 7, receipts as never)
  const named = lines.flatMap((line) => expectTame(line).receipts as string[])
  expect(named).toEqual(receipts.map((one) => one.id))
})

it('every log line of an import is short and harmless', async () => {
  serving = await serve()
  const decisions = Array.from({ length: 200 }, (_, at) => ({
    external_id: `log-${at}`,
    title: 'T',
    judgment: 'J',
    context: 'C',
  }))
  const { status } = await write(serving.url, '/v1/decisions/batch', { key: serving.adminKey, body: { decisions } })
  expect(status).toBe(202)
  const logged = () => (serving as Serving).logged
  await expect.poll(() => logged().some((line) => line.includes('receipts applied')), { timeout: 20_000 }).toBe(true)
  for (const line of logged()) expectTame(line)
})
