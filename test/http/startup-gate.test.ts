/** What callers and the log are told while the service starts. */
import { afterEach, expect, it } from 'vitest'
import { systemClock as clock } from '../../src/adapters/system-clock.ts'
import { limitsOf } from '../../src/http/base/limits.ts'
import { allRoutes } from '../../src/http/routes.ts'
import { createServer, type WebServer } from '../../src/http/server.ts'
import { startupGate } from '../../src/http/startup-gate.ts'
import { logger } from '../../src/log/log.ts'
import { publicUrl, send } from './serving.ts'

let server: WebServer | undefined
afterEach(async () => {
  await server?.close(1_000)
})

async function starting() {
  const logged: string[] = []
  const log = logger('info', [], { write: (line: string) => void logged.push(line) })
  const gate = startupGate(() => publicUrl)
  server = createServer(gate.api, {
    log,
    clock,
    rateLimit: 0,
    limits: limitsOf(),
    allowedOrigins: [],
    routes: allRoutes,
  })
  await server.listen(0, '127.0.0.1')
  const url = `http://127.0.0.1:${server.port()}`
  return { gate, logged, get: (path: string) => send(url, 'GET', path, { key: 'any' }) }
}

it('callers are told that an engine is not available only once its opening has failed', async () => {
  const { gate, get } = await starting()
  const first = await get('/v1/receipts')
  expect(first).toMatchObject({ status: 503, body: { detail: 'The service is starting. Try again.' } })
  expect((await get('/readyz')).body.engines.documents).toBe('the service is starting')
  gate.explain('mongodb: unreachable')
  const detail = 'The service is starting: one of its engines is not available yet. Try again.'
  expect(await get('/v1/receipts')).toMatchObject({ status: 503, body: { detail } })
  expect((await get('/readyz')).body.engines.documents).toBe('mongodb: unreachable')
})

it('the log line of a refused request has its problem and the reason', async () => {
  const { logged, get } = await starting()
  await get('/v1/receipts')
  await get('/v1/nowhere')
  await expect.poll(() => logged.length).toBe(2)
  expect(logged.map((line) => JSON.parse(line))).toMatchObject([
    { msg: 'request refused', status: 503, problem: 'unavailable', why: 'The service is starting. Try again.' },
    { msg: 'request', status: 404, problem: 'not_found' },
  ])
})
