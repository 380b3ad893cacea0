/** The responses of a call: its success and its problems. */

import type { z } from 'zod'
import { type ProblemCode, problems } from '../../../problem.ts'
import { statusOf } from '../../base/problem.ts'
import { type Call, exampleField, isConditional, type Json, schemasOf, takesBody } from './call.ts'

/** Codes that every call can answer. The others occur in receipts, or if no call has the path. */
const anyCall: ProblemCode[] = [
  'invalid_request',
  'authentication_required',
  'insufficient_scope',
  'not_found',
  'idempotency_conflict',
  'revision_conflict',
  'not_decided',
  'task_closed',
  'run_active',
  'run_ended',
  'plan_changed',
  'self_approval',
  'ref_not_indexed',
  'repository_not_ready',
  'rate_limited',
  'internal_error',
  'unavailable',
]
const withBody: ProblemCode[] = ['malformed_json', 'payload_too_large', 'unsupported_media_type']

export function successOf(call: Call, names: ReadonlyMap<z.ZodType, string>): Json {
  if (call.kind === 'stream') return streamSuccess
  const { output } = schemasOf(call)
  if (!output) return { '204': { description: 'Done.', headers: always } }
  const schema = { $ref: `#/components/schemas/${names.get(output)}` }
  const content = { 'application/json': { schema, ...exampleField(call.example?.response) } }
  if (call.kind === 'write') return writeSuccess(schema, content)
  if (call.kind === 'batch') {
    const headers = { ...always, Location: header('The receipts of the batch.', 'uri'), ...replayed }
    return { '202': { description: 'At least one decision was accepted.', headers, content } }
  }
  if (call.kind === 'call') return { [call.status]: { description: 'Done.', headers: always, content } }
  if (!isConditional(call)) return { '200': { description: 'The answer.', headers: always, content } }
  const headers = { ...always, ETag: header('Identifies this answer. Send it as If-None-Match.') }
  return {
    '200': { description: 'The answer.', headers, content },
    '304': { description: 'It has not changed since the ETag in If-None-Match.', headers },
  }
}

function writeSuccess(schema: Json, ended: Json): Json {
  const headers = { ...always, Location: header('The receipt.', 'uri'), ...replayed }
  const { receipt_id, operation, accepted_at } = ((ended['application/json'] as { example?: Json }).example ??
    {}) as Partial<Record<string, unknown>>
  const open = { receipt_id, operation, state: 'accepted', accepted_at, updated_at: accepted_at, retryable: false }
  const accepted = { 'application/json': { schema, ...exampleField(receipt_id && open) } }
  return {
    '200': { description: 'The write has ended: applied, failed or rejected.', headers, content: ended },
    '202': {
      description: 'The write is durable and will be applied. Poll the receipt.',
      headers: { ...headers, 'Retry-After': header('Seconds after which to poll.') },
      content: accepted,
    },
  }
}

function header(description: string, format?: string): Json {
  return { description, schema: { type: 'string', ...(format === undefined ? {} : { format }) } }
}

const always = {
  'X-Request-Id': header('The id of the request: the one that was sent, or a new UUID. The log of the service has it.'),
}
/** OpenAPI 3.1 can't describe events, so the summary of the call names their fields. */
const streamSuccess: Json = {
  '200': {
    description:
      'Server-sent events, until the stream ends. `data` of each is JSON. An event `problem` says why a stream ended early. A comment every 15 s keeps the connection open.',
    headers: always,
    content: { 'text/event-stream': { schema: { type: 'string' } } },
  },
  '204': { description: 'Nothing will follow: do not connect again.', headers: always },
}

const replayed = {
  'Idempotent-Replayed': header('`true`: answered from the receipt of an earlier call with the same key and input.'),
}

export function refusalsOf(call: Call): Json {
  const codes = takesBody(call) ? [...anyCall, ...withBody] : anyCall
  const statuses = [...new Set(codes.map(statusOf))].sort()
  return Object.fromEntries(statuses.map((status) => [status, { $ref: `#/components/responses/Problem${status}` }]))
}

export function problemResponses(calls: readonly Call[]): Json {
  const codes = calls.some(takesBody) ? [...anyCall, ...withBody] : anyCall
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
