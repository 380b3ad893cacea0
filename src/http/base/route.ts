/**
 * A row of the table of routes: what a method and a path call. The router and the documents are made from these rows.
 */
import type { Context } from 'koa'
import type { z } from 'zod'
import type { Actor, Scope } from '../../access/actor.ts'
import type { EventStream, Operation, Query } from '../../operation.ts'
import type { Api } from './api.ts'
import { adminBody, type BodyBounds, readBody, writeBody } from './body-bounds.ts'
import type { Example } from './example.ts'

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

interface At {
  method: Method
  /** With parameters as `:name`. */
  path: string
}

/** The common fields of all rows that need a key. */
interface Called extends At {
  example?: Example
}

/** An operation: answers its receipt, 202 or 200. Its input is the body and the parameters of the path. */
export interface WriteRoute extends Called {
  kind: 'write'
  operation: Operation
  /** `Idempotency-Key` may be left out; each such call is a new write. */
  keyIsOptional?: true
  /** No body is the same as `{}`: all fields may be left out. */
  bodyIsOptional?: true
  /** `If-Match` makes it conditional: the revision in it becomes the field `if_revision` of the input. */
  conditional?: true
}

/** Many calls of an operation in one body. */
export interface BatchRoute extends Called {
  kind: 'batch'
  operation: Operation
  output: z.ZodType
}

/** A query. Its input is the body of a POST; of a GET it is the query string and the parameters of the path. */
export interface ReadRoute extends Called {
  kind: 'read'
  query: Query
  /** Bounds of the body of a POST. Left out: the bounds of most reads. */
  body?: BodyBounds
  /** The answer has an ETag, so that a client that has it already gets 304. */
  conditional?: true
  /** Left out: the ETag is a hash of the answer. `If-Match` compares `revision`. */
  tagged?(output: unknown): { revision?: number; hashed: unknown }
  /** A long poll: it may wait for most of its time, so it takes no turn, and its key is checked again before the answer. */
  waits?: true
  /** The answer is polled: it is conditional, and has `Retry-After` as long as `stillOpen`. */
  polled?: { stillOpen(output: unknown): boolean }
}

/** Neither an operation nor a query: the administration of keys and indexes. */
export interface CallRoute extends Called {
  kind: 'call'
  name: string
  summary: string
  scope: Scope
  input?: z.ZodType
  output?: z.ZodType
  status: 200 | 201 | 202 | 204
  run(api: Api, actor: Actor, input: unknown, path: Record<string, string>): Promise<unknown>
}

/**
 * Server-sent events. A read with the same path answers those clients that do not accept `text/event-stream`. The input is
 * that of a GET.
 */
export interface StreamRoute extends Called {
  kind: 'stream'
  method: 'GET'
  stream: EventStream
}

/** The endpoint of MCP: one message a request. What a message may do depends on its tool. */
export interface McpRoute extends At {
  kind: 'mcp'
  method: 'POST'
  summary: string
}

/** A hook of a connected repository. The secret of the hook takes the place of a key. */
export interface HookRoute extends At {
  kind: 'hook'
  method: 'POST'
  summary: string
}

/** A page that needs no credential. */
export interface PageRoute extends At {
  kind: 'page'
  summary: string
  show(ctx: Context, api: Api): Promise<void> | void
}

export type Route = WriteRoute | BatchRoute | ReadRoute | CallRoute | StreamRoute | McpRoute | HookRoute | PageRoute

/** Drops the type of the input: its schema checks the input again when the row is called. */
export function write<Input>(
  method: 'POST' | 'PATCH',
  path: string,
  operation: Operation<Input>,
  more: Pick<WriteRoute, 'keyIsOptional' | 'bodyIsOptional' | 'conditional' | 'example'> = {},
): WriteRoute {
  return { kind: 'write', method, path, operation: operation as unknown as Operation, ...more }
}

export function read<Input, Output>(
  method: 'GET' | 'POST',
  path: string,
  query: Query<Input, Output>,
  more: Pick<ReadRoute, 'conditional' | 'tagged' | 'polled' | 'waits' | 'body' | 'example'> = {},
): ReadRoute {
  return { kind: 'read', method, path, query: query as unknown as Query, ...more }
}

export function stream<Input>(
  path: string,
  source: EventStream<Input>,
  more: Pick<StreamRoute, 'example'> = {},
): StreamRoute {
  return { kind: 'stream', method: 'GET', path, stream: source as unknown as EventStream, ...more }
}

/** The names of the parameters of its path. */
export function namesInPath({ path }: Route): string[] {
  return [...path.matchAll(/:(\w+)/g)].map((match) => match[1] as string)
}

/** The name of an operation, query or call; undefined of a page, a hook and of MCP. */
export function nameOf(route: Route): string | undefined {
  if (route.kind === 'write' || route.kind === 'batch') return route.operation.name
  if (route.kind === 'stream') return route.stream.name
  return route.kind === 'read' ? route.query.name : route.kind === 'call' ? route.name : undefined
}

export function scopeOf(route: Exclude<Route, PageRoute | HookRoute | McpRoute>): Scope | null {
  if (route.kind === 'write' || route.kind === 'batch') return route.operation.scope
  if (route.kind === 'stream') return route.stream.scope
  return route.kind === 'read' ? route.query.scope : route.scope
}

export function summaryOf(route: Route): string {
  if (route.kind === 'write' || route.kind === 'batch') return route.operation.summary
  if (route.kind === 'stream') return route.stream.summary
  return route.kind === 'read' ? route.query.summary : route.summary
}

/** Bounds of its body. */
export function boundsOf(route: WriteRoute | ReadRoute | CallRoute): BodyBounds {
  return route.kind === 'write' ? writeBody : route.kind === 'call' ? adminBody : (route.body ?? readBody)
}
