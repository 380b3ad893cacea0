import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { PageRoute, Route } from '../../src/http/base/route.ts'
import { jsonErrorAt } from '../../src/http/body/json-error.ts'
import { v1Routes } from '../../src/http/routes/v1.ts'
import { v2Routes } from '../../src/http/routes/v2.ts'
import { type Serving, send, serve } from './serving.ts'

let serving: Serving
beforeAll(async () => {
  serving = await serve({ work: false })
})
afterAll(() => serving.stop())

const runs = 150
const calls = [...v1Routes, ...v2Routes].filter((route): route is Exclude<Route, PageRoute> => route.kind !== 'page')
const posts = calls.filter(({ method }) => method === 'POST')
const gets = calls.filter(({ method }) => method === 'GET')

/** Inputs that are nearly right: known fields with any values, so that they get past the first check. */
const fields = [
  'kind',
  'content',
  'title',
  'sources',
  'visibility',
  'topics',
  'judgment',
  'context',
  'decisions',
  'q',
  'ids',
].concat('cursor', 'limit', 'references', 'as_of', 'external_id', 'supersedes', 'entities', 'occurred_at', '__proto__')
const input = fc.oneof(
  fc.jsonValue(),
  fc.dictionary(fc.constantFrom(...fields), fc.oneof(fc.jsonValue(), fc.string({ unit: 'grapheme' }))),
)

it('the service answers any JSON body with a problem or a success, never with a fault of its own', async () => {
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...posts), input, fc.string(), async ({ path }, body, key) => {
      const headers = { 'idempotency-key': `fuzz-${Buffer.from(key).toString('hex')}` }
      const answer = await send(serving.url, 'POST', path, {
        key: serving.adminKey,
        body: JSON.stringify(body),
        headers,
      })
      expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(500)
    }),
    { numRuns: runs },
  )
})

it('the service answers any bytes as a body with a problem', async () => {
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...posts), fc.uint8Array({ minLength: 1 }), async ({ path }, body) => {
      const headers = { 'idempotency-key': 'any-bytes' }
      const answer = await send(serving.url, 'POST', path, { key: serving.adminKey, body, headers })
      expect(answer.status, JSON.stringify(answer.body)).toBeGreaterThanOrEqual(400)
      expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(500)
    }),
    { numRuns: runs },
  )
})

it('the service answers any path, query and credential with a problem or a success', async () => {
  const text = fc.string({ unit: 'binary' }).map((one) => encodeURIComponent(one.replaceAll(/\p{Surrogate}/gu, '')))
  const query = fc.array(fc.tuple(fc.oneof(fc.constantFrom('limit', 'cursor', 'wait', 'state'), text), text), {
    maxLength: 4,
  })
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...gets), text, query, async ({ path }, id, parameters) => {
      const at = path.replace(':id', id === '' || /^\.+$/.test(id) ? 'x' : id)
      const search = parameters.map(([name, value]) => `${name}=${value}`).join('&')
      const { status, body } = await send(serving.url, 'GET', `${at}?${search}`, { key: serving.adminKey })
      expect(status, JSON.stringify(body)).toBeLessThan(500)
    }),
    { numRuns: runs },
  )
})

it('the position of the error is found in any malformed JSON', () => {
  const nearly = fc.tuple(fc.json(), fc.nat(), fc.string({ maxLength: 2 })).map(([json, at, put]) => {
    const place = at % (json.length + 1)
    return json.slice(0, place) + put + json.slice(place + 1)
  })
  fc.assert(
    fc.property(fc.oneof(nearly, fc.string()), (text) => {
      let isJson = true
      try {
        JSON.parse(text)
      } catch {
        isJson = false
      }
      const at = jsonErrorAt(text)
      expect(at).toBeGreaterThanOrEqual(0)
      expect(at).toBeLessThanOrEqual(text.length)
      // a prefix up to the place can still become JSON; with the place it can't
      if (!isJson && at < text.length) expect(jsonErrorAt(text.slice(0, at))).toBe(at)
    }),
    { numRuns: 2000 },
  )
})
