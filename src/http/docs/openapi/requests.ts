/** What a call takes: its parameters, headers and body. */
import { z } from 'zod'
import { mostDecisions } from '../../../decisions/import.ts'
import { idempotencyKey, idempotencyKeyBounds } from '../../../validation/schema.ts'
import { batchBytes, sizeOf, writeBody } from '../../base/body-bounds.ts'
import { boundsOf, namesInPath, type WriteRoute } from '../../base/route.ts'
import { isSplit } from '../../middleware/query-string.ts'
import { type BodyCall, type Call, exampleField, isConditional, type Json, schemasOf, takesBody } from './call.ts'

export function requestBodyOf(call: BodyCall, inputs: ReadonlyMap<z.ZodType, string>): Json {
  const size = sizeOf(call.kind === 'batch' ? batchBytes : boundsOf(call).bytes)
  const each = call.kind === 'batch' ? `, each decision ${sizeOf(writeBody.bytes)}` : ''
  const required = !(call.kind === 'write' && call.bodyIsOptional)
  return { description: `${size} at most${each}.`, required, content: requestContent(call, inputs) }
}

function requestContent(call: BodyCall, inputs: ReadonlyMap<z.ZodType, string>): Json {
  const { input } = schemasOf(call)
  const schema = { $ref: `#/components/schemas/${inputs.get(input as z.ZodType)}` }
  const example = bodyExampleOf(call)
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
  // "Try it out" of /docs sends the example
  example: 'a-new-key-for-each-write',
  description:
    'Required, here or as idempotency_key in the body. The same key and input again give the same receipt; other input is a conflict.',
}

const optionalKeyHeader = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  schema: keySchema,
  description:
    'Optional, here or as idempotency_key in the body. The same key and input again give the same receipt; other input is a conflict. Without a key, each call is a new write.',
}

const ifMatchHeader = {
  name: 'If-Match',
  in: 'header',
  required: false,
  schema: { type: 'string' },
  example: '"3"',
  description:
    'The revision that you have read, or the ETag of that answer. If there is a newer one, the write fails with `revision_conflict`. The answer waits up to 10 s for the end of the write, unless `Prefer: wait` says otherwise.',
}

const preferHeader = {
  name: 'Prefer',
  in: 'header',
  required: false,
  schema: { type: 'string', pattern: '^wait=\\d+$' },
  description: '`wait=N` holds the answer back until the write has ended, N seconds (30) at most.',
}

export function parametersOf(call: Call): Json[] {
  if (call.kind === 'write') return [...pathParametersOf(call), ...writeHeaders(call)]
  if (call.kind === 'batch') return [keyHeader]
  const inPath = namesInPath(call)
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
      description: rest.type === 'array' ? `${description} ${howToRepeat(rest)}` : description,
      ...exampleField(values[name]),
    }
  })
  if (call.kind === 'stream') return names.includes('last_event_id') ? [...parameters, lastEventHeader] : parameters
  return isConditional(call) ? [...parameters, conditionHeader] : parameters
}

function writeHeaders({ keyIsOptional, conditional }: WriteRoute): Json[] {
  const key = keyIsOptional ? optionalKeyHeader : keyHeader
  return conditional ? [key, preferHeader, ifMatchHeader] : [key, preferHeader]
}

function pathParametersOf(call: WriteRoute): Json[] {
  const { properties = {} } = z.toJSONSchema(call.operation.input, { io: 'input', unrepresentable: 'any' }) as {
    properties?: Record<string, Json>
  }
  const values = (call.example?.request ?? {}) as Json
  return namesInPath(call).map((name) => {
    const { description = pathDescription, ...schema } = properties[name] ?? { type: 'string' }
    return { name, in: 'path', required: true, schema, description, ...exampleField(values[name]) }
  })
}

function howToRepeat({ items }: Json): string {
  return isSplit((items ?? {}) as Parameters<typeof isSplit>[0])
    ? 'May be repeated or separated by commas: any of them matches.'
    : 'May be repeated: any of them matches.'
}

/** The example without the parameters of the path. */
function bodyExampleOf(call: BodyCall): unknown {
  const example = call.example?.request
  const names = namesInPath(call)
  if (call.kind !== 'write' || names.length === 0 || example === undefined) return example
  return Object.fromEntries(Object.entries(example as Json).filter(([name]) => !names.includes(name)))
}

const lastEventHeader = {
  name: 'Last-Event-ID',
  in: 'header',
  required: false,
  schema: { type: 'string' },
  description: 'The id of the event that was read last: the stream continues after it.',
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
