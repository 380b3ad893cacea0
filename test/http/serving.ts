/** The whole service on a free port and a store of its own, on the run's profile, for tests through HTTP. */
import assert from 'node:assert/strict'
import { load } from '../../config/load.ts'
import type { Scope } from '../../src/access/actor.ts'
import { bootstrap } from '../../src/access/bootstrap.ts'
import { openPorts } from '../../src/engines.ts'
import { type Limits, limitsOf } from '../../src/http/base/limits.ts'
import type { Route } from '../../src/http/base/route.ts'
import { allRoutes } from '../../src/http/routes.ts'
import { createServer } from '../../src/http/server.ts'
import { logger } from '../../src/log/log.ts'
import type { Documents } from '../../src/ports/documents.ts'
import { createService } from '../../src/service.ts'
import { temporaryFolder } from '../support/clean-up.ts'
import { newStore } from '../support/profile.ts'

export const publicUrl = 'https://precedent.test/p'

export interface Serving {
  url: string
  port: number
  adminKey: string
  /** The lines that the service has logged. */
  logged: string[]
  /** A key with these scopes. */
  key(scopes: Scope[], more?: { user?: string; teams?: string[] }): Promise<string>
  /** true: the server had answered everything before its deadline. */
  stop(): Promise<boolean>
}

export interface ServingOptions {
  rateLimit?: number
  /** Override the limits of production. */
  limits?: Partial<Limits>
  /** More routes, in addition to those of the service. */
  routes?: readonly Route[]
  /** false: nothing is applied, so that receipts stay open. */
  work?: boolean
  /** More settings, in addition to those of the profile. */
  env?: Record<string, string>
  /** Wraps the store of the service, for example to record its queries. */
  around?: (documents: Documents) => Documents
}

export async function serve({
  rateLimit = 0,
  limits = {},
  routes = [],
  work = true,
  env = {},
  around = (documents) => documents,
}: ServingOptions = {}): Promise<Serving> {
  const folder = temporaryFolder('precedent-http-')
  const store = await newStore()
  const config = load({ PRECEDENT_DATA_DIR: folder, PRECEDENT_PUBLIC_URL: publicUrl, ...store.env, ...env })
  const logged: string[] = []
  const log = logger('debug', [], { write: (line: string) => void logged.push(line) })
  const opened = await openPorts(config, log)
  const ports = { ...opened, documents: around(opened.documents) }
  const made = await bootstrap({ documents: ports.documents, clock: ports.clock, workspaceType: 'company' })
  const service = await createService(ports, config, log)
  const server = createServer(service.api, {
    log,
    rateLimit,
    limits: { ...limitsOf(), ...limits },
    allowedOrigins: config.allowedOrigins,
    clock: ports.clock,
    routes: [...allRoutes, ...routes],
  })
  await server.listen(0, '127.0.0.1')
  if (work) service.work()
  const url = `http://127.0.0.1:${server.port()}`
  const adminKey = made?.secret as string
  return {
    url,
    port: server.port(),
    adminKey,
    logged,
    async key(scopes, more = {}) {
      const answer = await send(url, 'POST', '/admin/keys', { key: adminKey, body: { name: 'test', scopes, ...more } })
      if (answer.status !== 201) throw new Error(`no key: ${JSON.stringify(answer.body)}`)
      return answer.body.key as string
    },
    async stop() {
      const answered = await server.close(5_000)
      await service.stop(5_000)
      await ports.close()
      await store.drop()
      return answered
    },
  }
}

// biome-ignore lint/suspicious/noExplicitAny: tests read answers of any shape
export type Body = any

export interface Answer {
  status: number
  headers: Headers
  body: Body
}

export interface Request {
  key?: string
  /** Sent as JSON. Texts and bytes are sent unchanged. */
  body?: unknown
  headers?: Record<string, string>
}

export async function send(url: string, method: string, path: string, request: Request = {}): Promise<Answer> {
  const { key, body, headers = {} } = request
  const raw = typeof body === 'string' || body instanceof Uint8Array
  const answer = await fetch(url + path, {
    method,
    headers: {
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: raw ? (body as string) : JSON.stringify(body) }),
  })
  const text = await answer.text()
  const isJson = /json/.test(answer.headers.get('content-type') ?? '')
  return { status: answer.status, headers: answer.headers, body: isJson && text !== '' ? JSON.parse(text) : text }
}

/** The receipt of a write that was waited for. Throws if it was not applied. */
export async function applied(answer: Promise<Answer>): Promise<Body> {
  const { body } = await answer
  assert.equal(body.state, 'applied', JSON.stringify(body))
  return body
}

let made = 0
/** A write with an idempotency key of its own. */
export function write(url: string, path: string, request: Request): Promise<Answer> {
  made += 1
  const headers = { 'idempotency-key': `test-key-${process.pid}-${made}`, ...request.headers }
  return send(url, 'POST', path, { ...request, headers })
}
