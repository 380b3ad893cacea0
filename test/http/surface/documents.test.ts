import { Validator } from '@seriousme/openapi-schema-validator'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { docsRoutes } from '../../../src/http/docs/docs.ts'
import { documents } from '../../../src/http/routes.ts'
import { operationsByName } from '../../../src/operations.ts'
import { type Body, type Serving, send, serve } from '../serving.ts'
import { subscribe } from './stream.ts'
import { notes } from './surface.ts'

const surface = { ...notes, routes: [...notes.routes, ...subscribe] }
let serving: Serving
let description: Body
beforeAll(async () => {
  const openapi = docsRoutes([surface]).filter(({ path }) => path === surface.path)
  serving = await serve({ routes: [...surface.routes, ...openapi], work: false })
  description = (await send(serving.url, 'GET', surface.path)).body
})
afterAll(() => serving.stop())

it.each([...documents.filter(({ name }) => name !== 'Administration'), surface])(
  'every write of $name names the operation that the apply worker runs',
  ({ routes }) => {
    const writes = routes.filter((route) => route.kind === 'write' || route.kind === 'batch')
    expect(writes.length).toBeGreaterThan(0)
    for (const { operation } of writes) expect(operationsByName.get(operation.name)).toBe(operation)
  },
)

describe('the OpenAPI document of a second surface', () => {
  it('is valid, has its own version, and only its own calls', async () => {
    expect(await new Validator().validate(structuredClone(description))).toMatchObject({ valid: true })
    expect(description.info.version).toBe('2.0.0')
    expect(Object.keys(description.paths)).toEqual([
      '/api/notes',
      '/api/notes/{id}',
      '/api/notes/{id}/comments',
      '/api/notes/{id}/subscribe',
      '/api/notes/{id}/events',
    ])
    const v1 = (await send(serving.url, 'GET', '/openapi.json')).body
    expect(v1.info.version).toBe('1.0.0')
    expect(Object.keys(v1.paths).filter((path) => !path.startsWith('/v1/'))).toEqual([])
  })

  it('shows the fields in the path and headers of a write as parameters, not in its body', () => {
    const { parameters, requestBody, responses } = description.paths['/api/notes/{id}'].patch
    expect(parameters.map(({ name, in: place, required }: Body) => [name, place, required])).toEqual([
      ['id', 'path', true],
      ['Idempotency-Key', 'header', false],
      ['Prefer', 'header', false],
      ['If-Match', 'header', false],
    ])
    expect(parameters[1].description).toMatch(/^Optional/)
    const { schema, example } = requestBody.content['application/json']
    const input = description.components.schemas[schema.$ref.split('/').at(-1)]
    expect(Object.keys(input.properties)).toEqual(['title'])
    expect(input.required ?? []).toEqual([])
    expect(example).toEqual({ title: 'New' })
    expect(Object.keys(responses)).toEqual(expect.arrayContaining(['200', '202', '409', '413', '415']))
  })

  it('says how to send several values of a filter', () => {
    const { parameters } = description.paths['/api/notes'].get
    const told = (name: string) => parameters.find((one: Body) => one.name === name).description
    expect(told('status')).toBe('Its status. May be repeated or separated by commas: any of them matches.')
    expect(told('label')).toBe('One of its labels. May be repeated: any of them matches.')
  })

  it('shows a stream as text/event-stream, in addition to the JSON of a read with the same path', () => {
    const both = description.paths['/api/notes/{id}/subscribe'].get
    expect(both.operationId).toBe('note.page')
    expect(Object.keys(both.responses['200'].content)).toEqual(['application/json', 'text/event-stream'])
    const alone = description.paths['/api/notes/{id}/events'].get
    expect(Object.keys(alone.responses['200'].content)).toEqual(['text/event-stream'])
    expect(alone.parameters.map(({ name }: Body) => name)).toEqual(['id', 'last_event_id', 'Last-Event-ID'])
    expect(alone.responses['204']).toBeDefined()
  })
})
