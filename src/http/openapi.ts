/** The OpenAPI 3.1 description of v1, made from the zod schemas that validate. */
import { z } from 'zod'
import { mostDecisions } from '../decisions/import.ts'
import { type ProblemCode, problems } from '../problem.ts'
import { receiptResponse } from '../receipts/present.ts'
import { idempotencyKeyBounds } from '../records/schema.ts'
import { batchBytes, sizeOf, writeBody } from './body-bounds.ts'
import { problemResponse, statusOf } from './problem.ts'
import { boundsOf, nameOf, type PageRoute, type Route, scopeOf, summaryOf } from './route.ts'

type Json = Record<string, unknown>
type Call = Exclude<Route, PageRoute>

/** Codes that a call can answer, by what kind of call it is; the others come in receipts or with wrong paths. */
const always: ProblemCode[] = [
  'invalid_request',
  'authentication_required',
  'insufficient_scope',
  'not_found',
  'idempotency_conflict',
  'revision_conflict',
  'rate_limited',
  'internal_error',
  'unavailable',
]
const withBody: ProblemCode[] = ['malformed_json', 'payload_too_large', 'unsupported_media_type']

export function openapi(routes: readonly Route[], publicUrl: string): Json {
  const calls = routes.filter((route): route is Call => route.kind !== 'page')
  const inputs = inputNames(calls)
  const components = componentsOf(calls, inputs)
  const paths: Record<string, Json> = {}
  for (const call of calls) {
    const path = call.path.replaceAll(/:(\w+)/g, '{$1}')
    paths[path] ??= {}
    ;(paths[path] as Json)[call.method.toLowerCase()] = operationOf(call, inputs)
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Precedent',
      version: '1.0.0',
      description: 'Keeps what a company knows and has decided, for the software agents and people that work there.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: publicUrl }],
    security: [{ bearer: [] }],
    paths,
    components: {
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description: 'A key (svc_sk_…). Its scopes decide what it may call.',
        },
      },
      schemas: components,
      responses: responsesOf(),
    },
  }
}

/** `context.remember` → ContextRemember. */
function schemaName(name: string): string {
  return name.replaceAll(/(^|[._-])([a-z])/g, (_, __, letter: string) => letter.toUpperCase())
}

/** Calls that take the same input name it after the first of them. */
function inputNames(calls: readonly Call[]): Map<z.ZodType, string> {
  const names = new Map<z.ZodType, string>()
  for (const call of calls) {
    const { input } = schemasOf(call)
    if (input && takesBody(call) && !names.has(input)) names.set(input, `${schemaName(nameOf(call) as string)}Input`)
  }
  return names
}

function componentsOf(calls: readonly Call[], inputNamesOf: ReadonlyMap<z.ZodType, string>): Record<string, unknown> {
  const inputs = z.registry<{ id: string }>()
  const outputs = z.registry<{ id: string }>()
  for (const [input, id] of inputNamesOf) inputs.add(input, { id })
  outputs.add(problemResponse, { id: 'Problem' })
  outputs.add(receiptResponse, { id: 'WriteReceipt' })
  for (const call of calls) {
    const name = schemaName(nameOf(call) as string)
    const { output } = schemasOf(call)
    if (output && !outputs.has(output)) outputs.add(output, { id: `${name}Output` })
  }
  const uri = (id: string) => `#/components/schemas/${id}`
  const made = {
    ...z.toJSONSchema(inputs, { io: 'input', unrepresentable: 'any', uri }).schemas,
    ...z.toJSONSchema(outputs, { io: 'output', unrepresentable: 'any', uri }).schemas,
  } as Record<string, Json>
  for (const schema of Object.values(made)) {
    delete schema.$schema
    delete schema.$id
  }
  for (const call of calls) {
    const schema = made[inputNamesOf.get(schemasOf(call).input as z.ZodType) ?? '']
    if (call.kind === 'write' && schema?.properties) (schema.properties as Json).idempotency_key ??= keyField
  }
  return made
}

function schemasOf(call: Call): { input?: z.ZodType | undefined; output?: z.ZodType | undefined } {
  switch (call.kind) {
    case 'write':
      return { input: call.operation.input, output: receiptResponse }
    case 'batch':
      return { input: call.operation.input, output: call.output }
    case 'read':
      return { input: call.query.input, output: call.query.output }
    case 'call':
      return { input: call.input, output: call.output }
  }
}

function takesBody(call: Call): boolean {
  return call.method === 'POST'
}

function operationOf(call: Call, inputs: ReadonlyMap<z.ZodType, string>): Json {
  const name = nameOf(call) as string
  const scope = scopeOf(call)
  const parameters = parametersOf(call)
  return {
    operationId: name,
    summary: summaryOf(call),
    description: scope === null ? 'Any key in force may call it.' : `Scope \`${scope}\`.`,
    tags: [name.split('.', 1)[0]],
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(takesBody(call) ? { requestBody: requestBodyOf(call, inputs) } : {}),
    responses: { ...successOf(call), ...refusalsOf(call) },
  }
}

function requestBodyOf(call: Call, inputs: ReadonlyMap<z.ZodType, string>): Json {
  const size = sizeOf(call.kind === 'batch' ? batchBytes : boundsOf(call).bytes)
  const each = call.kind === 'batch' ? `, each decision ${sizeOf(writeBody.bytes)}` : ''
  return { description: `${size} at most${each}.`, required: true, content: requestContent(call, inputs) }
}

function requestContent(call: Call, inputs: ReadonlyMap<z.ZodType, string>): Json {
  const { input } = schemasOf(call)
  const schema = { $ref: `#/components/schemas/${inputs.get(input as z.ZodType)}` }
  if (call.kind !== 'batch') return { 'application/json': { schema } }
  const decisions = { type: 'array', minItems: 1, maxItems: mostDecisions, items: schema }
  return {
    'application/json': {
      schema: {
        type: 'object',
        properties: { decisions, idempotency_key: keyField },
        required: ['decisions'],
        additionalProperties: false,
      },
    },
    'application/x-ndjson': { schema: { type: 'string', description: 'One decision a line.' } },
  }
}

const { least, most } = idempotencyKeyBounds
const keySchema = { type: 'string', minLength: least, maxLength: most }

const keyField = {
  ...keySchema,
  description: 'The same as the header Idempotency-Key, for callers that can’t set headers.',
}

const keyHeader = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  schema: keySchema,
  description:
    'Required, here or as idempotency_key in the body. The same key and input again give the same receipt; other input is a conflict.',
}

const preferHeader = {
  name: 'Prefer',
  in: 'header',
  required: false,
  schema: { type: 'string', pattern: '^wait=\\d+$' },
  description: '`wait=N` holds the answer back until the write has ended, N seconds (30) at most.',
}

function parametersOf(call: Call): Json[] {
  if (call.kind === 'write') return [keyHeader, preferHeader]
  if (call.kind === 'batch') return [keyHeader]
  const inPath = [...call.path.matchAll(/:(\w+)/g)].map((match) => match[1] as string)
  const { input } = schemasOf(call)
  const schema = input && !takesBody(call) ? z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' }) : {}
  const { properties = {}, required = [] } = schema as { properties?: Record<string, Json>; required?: string[] }
  const names = [...new Set([...inPath, ...Object.keys(properties)])]
  return names.map((name) => {
    const { description, ...rest } = properties[name] ?? { type: 'string' }
    return {
      name,
      in: inPath.includes(name) ? 'path' : 'query',
      required: inPath.includes(name) || required.includes(name),
      schema: rest,
      ...(description === undefined ? {} : { description }),
    }
  })
}

function successOf(call: Call): Json {
  const { output } = schemasOf(call)
  if (!output) return { '204': { description: 'Done.' } }
  const name = call.kind === 'write' ? 'WriteReceipt' : outputName(call)
  const content = { 'application/json': { schema: { $ref: `#/components/schemas/${name}` } } }
  if (call.kind === 'write') {
    const headers = { Location: { schema: { type: 'string', format: 'uri' }, description: 'The receipt.' } }
    return {
      '200': { description: 'The write has ended: applied, failed or rejected.', headers, content },
      '202': { description: 'The write is durable and will be applied. Poll the receipt.', headers, content },
    }
  }
  if (call.kind === 'batch') return { '202': { description: 'What was accepted and what was refused.', content } }
  if (call.kind === 'call') return { [call.status]: { description: 'Done.', content } }
  const unchanged = call.polled ? { '304': { description: 'It has not changed since the ETag in If-None-Match.' } } : {}
  return { '200': { description: 'The answer.', content }, ...unchanged }
}

function outputName(call: Call): string {
  const { output } = schemasOf(call)
  return output === receiptResponse ? 'WriteReceipt' : `${schemaName(nameOf(call) as string)}Output`
}

function refusalsOf(call: Call): Json {
  const codes = takesBody(call) ? [...always, ...withBody] : always
  const statuses = [...new Set(codes.map(statusOf))].sort()
  return Object.fromEntries(statuses.map((status) => [status, { $ref: `#/components/responses/Problem${status}` }]))
}

function responsesOf(): Json {
  const codes = [...always, ...withBody]
  const responses: Json = {}
  for (const status of new Set(codes.map(statusOf))) {
    const here = codes.filter((code) => statusOf(code) === status)
    responses[`Problem${status}`] = {
      description: here.map((code) => `\`${code}\`: ${problems[code].title}.`).join(' '),
      content: {
        'application/problem+json': {
          schema: {
            allOf: [{ $ref: '#/components/schemas/Problem' }],
            properties: { status: { const: status }, code: { enum: here } },
          },
        },
      },
    }
  }
  return responses
}
