import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { nameOf, type Route } from '../../src/http/base/route.ts'
import { v1Routes } from '../../src/http/routes/v1.ts'
import { documents } from '../../src/http/routes.ts'
import { type Answer, type Body, publicUrl, type Serving, send, serve, write } from './serving.ts'

let serving: Serving
let description: Body
beforeAll(async () => {
  serving = await serve()
  description = (await send(serving.url, 'GET', '/openapi.json')).body
})
afterAll(() => serving.stop())

const templated = (route: Route) => route.path.replaceAll(/:(\w+)/g, '{$1}')

it.each(documents)(
  '$path is valid OpenAPI 3.1, and uses exactly the components that it has',
  async ({ path, version }) => {
    const { body } = await send(serving.url, 'GET', path)
    expect(await new Validator().validate(structuredClone(body))).toMatchObject({ valid: true })
    expect(body.openapi).toMatch(/^3\.1\./)
    expect(body.info.version).toBe(version)
    expect(body.servers).toEqual([{ url: publicUrl }])
    const used = new Set([...JSON.stringify(body).matchAll(/"#\/components\/(\w+\/\w+)"/g)].map(([, name]) => name))
    const { schemas, responses } = body.components
    const made = [
      ...Object.keys(schemas).map((name) => `schemas/${name}`),
      ...Object.keys(responses).map((name) => `responses/${name}`),
    ]
    expect([...used].sort()).toEqual(made.sort())
  },
)

it.each(documents)('$path has only patterns that every client can compile', async ({ path }) => {
  const { body } = await send(serving.url, 'GET', path)
  const patterns = [...JSON.stringify(body).matchAll(/"pattern":("(?:[^"\\]|\\.)*")/g)].map((match) =>
    String(JSON.parse(match[1] as string)),
  )
  expect(patterns.length).toBeGreaterThan(0)
  // Python's re knows neither classes such as \p{L} nor groups such as (?<name>)
  expect(patterns.filter((pattern) => /\\[pPucxk]|\(\?</.test(pattern))).toEqual([])
})

it('an optional Idempotency-Key has no example, because "Try it out" would send it again', async () => {
  const { body } = await send(serving.url, 'GET', '/api/v2/openapi.json')
  const calls = Object.values(body.paths).flatMap((path) => Object.values(path as object)) as Body[]
  const keys = calls.flatMap(({ parameters = [] }) => parameters).filter(({ name }) => name === 'Idempotency-Key')
  expect(keys.length).toBeGreaterThan(0)
  for (const key of keys) expect(key).not.toHaveProperty('example')
})

it('every call of v1 is described with the statuses that every call can answer', () => {
  for (const route of v1Routes) {
    const operation = description.paths[templated(route)]?.[route.method.toLowerCase()]
    expect(operation?.operationId).toBe(nameOf(route))
    const statuses = Object.keys(operation.responses)
    expect(statuses).toEqual(expect.arrayContaining(['400', '401', '403', '404', '409', '429', '500', '503']))
    if (route.method === 'POST') expect(statuses).toEqual(expect.arrayContaining(['413', '415']))
  }
})

it('no input has a default, because generators would make the field required', () => {
  const inputs = Object.entries(description.components.schemas).filter(([name]) => name.endsWith('Input'))
  expect(inputs.length).toBeGreaterThan(5)
  for (const [name, schema] of inputs) expect(keysIn(schema), name).not.toContain('default')
  const { required, properties } = description.components.schemas.ContextRememberInput
  expect(required).toEqual(['kind', 'content'])
  expect(description.components.schemas.DecisionSearchInput.required ?? []).toEqual([])
  expect(properties.sources.items.properties.provenance.description).toContain('Default: {"class":"external"}.')
  expect(description.components.schemas.ContextSyncInput.properties.limit.description).toContain('Default: 50.')
})

it('every call has an example of a request and an answer', () => {
  for (const route of v1Routes) {
    const { requestBody, responses, parameters = [] } = description.paths[templated(route)][route.method.toLowerCase()]
    const contents = [requestBody, ...Object.values(responses as Body).filter((one) => (one as Body).content)]
    for (const one of contents.filter(Boolean) as Body[]) {
      for (const content of Object.values(one.content) as Body[]) expect(content.example, nameOf(route)).toBeDefined()
    }
    for (const parameter of parameters) expect(parameter.description, parameter.name).toBeTruthy()
  }
})

it('the real answers match their descriptions, both bodies and problems', async () => {
  const ajv = new Ajv2020({ strict: false })
  formats.default(ajv)
  ajv.addSchema({ ...description, $id: 'https://test/openapi.json' })
  const matches = (answer: Answer, template: string, method: string) => {
    const found = description.paths[template][method].responses[answer.status]
    const response = found.$ref ? description.components.responses[found.$ref.split('/').at(-1)] : found
    const type = (answer.headers.get('content-type') as string).split(';')[0] as string
    const at = found.$ref ? found.$ref.slice(2) : `paths/${escaped(template)}/${method}/responses/${answer.status}`
    expect(Object.keys(response.content)).toContain(type)
    const check = ajv.getSchema(`https://test/openapi.json#/${at}/content/${escaped(type)}/schema`)
    expect(check?.(answer.body), JSON.stringify(check?.errors)).toBe(true)
  }
  const key = serving.adminKey
  const prefer = { prefer: 'wait=20' }
  const fact = { kind: 'fact', content: 'Descriptions are true.' }
  const decision = { title: 'Describe', judgment: 'Describe it.', context: 'Readers.', external_id: 'describe' }
  const memory = await write(serving.url, '/v1/context/memories', { key, body: fact, headers: prefer })
  matches(memory, '/v1/context/memories', 'post')
  matches(await write(serving.url, '/v1/context/memories', { key, body: {} }), '/v1/context/memories', 'post')
  matches(await write(serving.url, '/v1/context/memories', { body: fact }), '/v1/context/memories', 'post')
  const recorded = await write(serving.url, '/v1/decisions', { key, body: decision, headers: prefer })
  matches(recorded, '/v1/decisions', 'post')
  const post = (path: string, body: unknown) => send(serving.url, 'POST', path, { key, body })
  matches(await post('/v1/context/search', { q: 'are descriptions true' }), '/v1/context/search', 'post')
  matches(await post('/v1/context/search', { limit: 0 }), '/v1/context/search', 'post')
  matches(await post('/v1/context/sync', {}), '/v1/context/sync', 'post')
  matches(await post('/v1/decisions/search', { q: 'describe', threshold: 0 }), '/v1/decisions/search', 'post')
  const byId = [
    ['/v1/context/memories/', memory.body.entity.id],
    ['/v1/decisions/', recorded.body.entity.id],
  ] as const
  for (const [path, id] of byId) {
    const found = await send(serving.url, 'GET', path + id, { key })
    expect(found.status).toBe(200)
    matches(found, `${path}{id}`, 'get')
    for (const nothing of ['00000000-0000-7000-8000-00000000dead', 'no-uuid']) {
      const missing = await send(serving.url, 'GET', path + nothing, { key })
      expect(missing.status).toBe(404)
      matches(missing, `${path}{id}`, 'get')
    }
  }
  const batch = { decisions: [decision, { ...decision, title: 1, external_id: 'x' }] }
  matches(await write(serving.url, '/v1/decisions/batch', { key, body: batch }), '/v1/decisions/batch', 'post')
  matches(await send(serving.url, 'GET', '/v1/receipts', { key }), '/v1/receipts', 'get')
  matches(await send(serving.url, 'GET', `/v1/receipts/${memory.body.receipt_id}`, { key }), '/v1/receipts/{id}', 'get')
  matches(await send(serving.url, 'GET', '/v1/receipts/x', { key }), '/v1/receipts/{id}', 'get')
})

/** Names of all fields, at any depth. */
function keysIn(value: unknown): string[] {
  if (value === null || typeof value !== 'object') return []
  return Object.entries(value).flatMap(([key, inside]) => [key, ...keysIn(inside)])
}

function escaped(part: string): string {
  return encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))
}
