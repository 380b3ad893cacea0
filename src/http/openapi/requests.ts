/** What a call takes: its parameters, headers and body. */
import { z } from 'zod'
import { mostDecisions } from '../../decisions/import.ts'
import { idempotencyKey, idempotencyKeyBounds } from '../../records/schema.ts'
import { batchBytes, sizeOf, writeBody } from '../body-bounds.ts'
import { boundsOf } from '../route.ts'
import { type Call, exampleField, isConditional, type Json, schemasOf, takesBody } from './call.ts'

export function requestBodyOf(call: Call, inputs: ReadonlyMap<z.ZodType, string>): Json {
  const size = sizeOf(call.kind === 'batch' ? batchBytes : boundsOf(call).bytes)
  const each = call.kind === 'batch' ? `, each decision ${sizeOf(writeBody.bytes)}` : ''
  return { description: `${size} at most${each}.`, required: true, content: requestContent(call, inputs) }
}

function requestContent(call: Call, inputs: ReadonlyMap<z.ZodType, string>): Json {
  const { input } = schemasOf(call)
  const schema = { $ref: `#/components/schemas/${inputs.get(input as z.ZodType)}` }
  const example = call.example?.request
  if (call.kind !== 'batch') return { 'application/json': { schema, ...exampleField(example) } }
  const lines = (example as { decisions: unknown[] } | undefined)?.decisions.map((one) => `${JSON.stringify(one)}\n`)
  const decisions = {
    type: 'array',
    minItems: 1,
    maxItems: mostDecisions,
    items: schema,
    description: 'Each is accepted or refused by itself.',
  }
  return {
    'application/json': {
      schema: {
        type: 'object',
        properties: { decisions, idempotency_key: keyField },
        required: ['decisions'],
        additionalProperties: false,
      },
      ...exampleField(example),
    },
    'application/x-ndjson': {
      schema: { type: 'string', description: 'One decision a line.' },
      ...exampleField(lines?.join('')),
    },
  }
}

const { least, most } = idempotencyKeyBounds
const keySchema = { type: 'string', minLength: least, maxLength: most }

const keyField = {
  ...keySchema,
  description: idempotencyKey.description,
}

const keyHeader = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  schema: keySchema,
  example: 'note-of-2026-03-02-1',
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

export function parametersOf(call: Call): Json[] {
  if (call.kind === 'write') return [keyHeader, preferHeader]
  if (call.kind === 'batch') return [keyHeader]
  const inPath = [...call.path.matchAll(/:(\w+)/g)].map((match) => match[1] as string)
  const { input } = schemasOf(call)
  const schema = input && !takesBody(call) ? z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' }) : {}
  const { properties = {}, required = [] } = schema as { properties?: Record<string, Json>; required?: string[] }
  const names = [...new Set([...inPath, ...Object.keys(properties)])]
  const values = (call.example?.request ?? {}) as Json
  const parameters = names.map((name) => {
    const { description = pathDescription, ...rest } = properties[name] ?? { type: 'string' }
    return {
      name,
      in: inPath.includes(name) ? 'path' : 'query',
      required: inPath.includes(name) || required.includes(name),
      schema: rest,
      description,
      ...exampleField(values[name]),
    }
  })
  return isConditional(call) ? [...parameters, conditionHeader] : parameters
}

const pathDescription = 'The id, as the list shows it.'

const conditionHeader = {
  name: 'If-None-Match',
  in: 'header',
  required: false,
  schema: { type: 'string' },
  example: '"3q2-7wAAAAAAAAAAAAAAAA"',
  description: 'The ETag of an earlier answer. If nothing has changed since, the answer is 304 without a body.',
}
