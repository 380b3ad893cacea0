/** Generates types from /openapi.json with openapi-typescript, without options, and compiles a client that uses them. */
import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import openapiTypes, { astToString } from 'openapi-typescript'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { temporaryFolder } from '../support/clean-up.ts'
import { repository } from '../support/repository.ts'
import { type Body, type Serving, send, serve } from './serving.ts'

let serving: Serving
let description: Body
const folder = temporaryFolder('precedent-client-')
beforeAll(async () => {
  serving = await serve()
  description = (await send(serving.url, 'GET', '/openapi.json')).body
})
afterAll(async () => {
  await serving.stop()
})

/** A @ts-expect-error is itself an error if the next line compiles. */
const client = `
import type { components, operations } from './api.ts'

type Schemas = components['schemas']

// only the required fields: all others have defaults or may be absent
export const fact: Schemas['ContextRememberInput'] = { kind: 'fact', content: 'Deployments are on Tuesdays.' }
export const decision: Schemas['DecisionRecordInput'] = { title: 'Deploy', judgment: 'We deploy on Tuesdays.' }
export const search: Schemas['ContextSearchInput'] = {}
export const sync: Schemas['ContextSyncInput'] = {}
export const ticket: Schemas['ContextRememberInput'] = { ...fact, sources: [{ type: 'ticket', id: 'OPS-412' }] }

// @ts-expect-error a required field is missing
export const withoutContent: Schemas['ContextRememberInput'] = { kind: 'fact' }
// @ts-expect-error an unknown field
export const misspelt: Schemas['ContextRememberInput'] = { ...fact, contents: 'Deployments are on Tuesdays.' }
// @ts-expect-error an unknown value
export const rumour: Schemas['ContextRememberInput'] = { ...fact, kind: 'rumour' }
// @ts-expect-error a limit is a number
export const limited: Schemas['ContextSearchInput'] = { limit: '5' }

type Parameters = operations['context.brief']['parameters']
export const withoutQuery: Parameters = {}
export const withQuery: Parameters = { query: { query: 'when do we deploy', limit: 5 } }
// @ts-expect-error an unknown parameter
export const misspeltQuery: Parameters = { query: { q: 'when do we deploy' } }

// the class of a provenance decides which fields it has
type Source = Schemas['MemoryGetOutput']['sources'][number]
export function pathOf({ provenance }: Source): string | undefined {
  if (provenance.class === 'repo') return provenance.path
  // @ts-expect-error no other class has a path
  return provenance.path
}

// the content type of an answer depends on its status
type Answers = operations['context.remember']['responses']
export type Receipt = Answers[200 | 202]['content']['application/json']
export function stateOf(receipt: Receipt): 'open' | 'done' | 'refused' {
  switch (receipt.state) {
    case 'accepted':
    case 'processing':
      return 'open'
    case 'applied':
      return 'done'
    case 'failed':
    case 'rejected':
    case 'expired':
      return 'refused'
  }
}
export function explain(problem: Answers[409]['content']['application/problem+json']): string {
  // @ts-expect-error not a status of this answer
  if (problem.status === 404) return ''
  return problem.code === 'idempotency_conflict' ? problem.detail : problem.title
}
`

/** What the compiler says of the client: '' if it compiles. */
async function compile(from: Body): Promise<string> {
  writeFileSync(join(folder, 'api.ts'), astToString(await openapiTypes(JSON.stringify(from))))
  writeFileSync(join(folder, 'client.ts'), client)
  const options = ['--noEmit', '--strict', '--allowImportingTsExtensions', '--module', 'nodenext', '--target', 'es2022']
  const tsc = join(repository, 'node_modules/typescript/bin/tsc')
  return new Promise((done) => {
    execFile(process.execPath, [tsc, ...options, '--types', '', 'client.ts'], { cwd: folder }, (error, stdout) =>
      done(error ? stdout || String(error) : ''),
    )
  })
}

it('a client compiles, in which fields with defaults are optional, wrong fields are errors, and unions narrow', async () => {
  expect(await compile(description)).toBe('')
})

it('the client does not compile any more if an input has a default, which generators take for a required field', async () => {
  const broken = structuredClone(description)
  broken.components.schemas.ContextRememberInput.properties.topics.default = []
  expect(await compile(broken)).toMatch(/Property 'topics' is missing/)
})

it('the client does not compile any more if a union has no field that tells its variants apart', async () => {
  const broken = structuredClone(description)
  const { provenance } = broken.components.schemas.MemoryGetOutput.properties.sources.items.properties
  for (const { properties } of provenance.oneOf) delete properties.class.const
  expect(await compile(broken)).toMatch(/Property 'path' does not exist/)
})
