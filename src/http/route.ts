/** A row of the table of routes: what stands behind a method and a path. The router and the documents are made of rows. */
import type { Context } from 'koa'
import type { z } from 'zod'
import type { Actor, Scope } from '../access/actor.ts'
import type { Operation, Query } from '../operation.ts'
import { adminBody, type BodyBounds, readBody, writeBody } from './body-bounds.ts'
import type { Served } from './served.ts'

export type Method = 'GET' | 'POST' | 'DELETE'

interface At {
  method: Method
  /** With parameters as `:name`. */
  path: string
}

/** An operation: answers its receipt, 202 or 200. */
export interface WriteRoute extends At {
  kind: 'write'
  operation: Operation
}

/** Many calls of an operation in one body. */
export interface BatchRoute extends At {
  kind: 'batch'
  operation: Operation
  output: z.ZodType
}

/** A query: its input is the body of a POST; of a GET the query string and the parameters of the path. */
export interface ReadRoute extends At {
  kind: 'read'
  query: Query
  /** Of a POST; left out: those of most reads. */
  body?: BodyBounds
  /** The answer has an ETag, so that a client that has it already gets 304. */
  conditional?: true
  /** The answer is polled: it is conditional, and has `Retry-After` as long as `stillOpen`. */
  polled?: { stillOpen(output: unknown): boolean }
}

/** What is neither an operation nor a query: the keeping of keys and of indexes. */
export interface CallRoute extends At {
  kind: 'call'
  name: string
  summary: string
  scope: Scope
  input?: z.ZodType
  output?: z.ZodType
  status: 200 | 201 | 202 | 204
  run(served: Served, actor: Actor, input: unknown, path: Record<string, string>): Promise<unknown>
}

/** For anyone, without a credential. */
export interface PageRoute extends At {
  kind: 'page'
  summary: string
  show(ctx: Context, served: Served): Promise<void> | void
}

export type Route = WriteRoute | BatchRoute | ReadRoute | CallRoute | PageRoute

/** What a row takes: its type is forgotten here, and checked again by its schema when it is called. */
export function write<Input>(method: 'POST', path: string, operation: Operation<Input>): WriteRoute {
  return { kind: 'write', method, path, operation: operation as unknown as Operation }
}

export function read<Input, Output>(
  method: 'GET' | 'POST',
  path: string,
  query: Query<Input, Output>,
  more: Pick<ReadRoute, 'conditional' | 'polled' | 'body'> = {},
): ReadRoute {
  return { kind: 'read', method, path, query: query as unknown as Query, ...more }
}

/** The name of an operation, query or call; undefined of a page. */
export function nameOf(route: Route): string | undefined {
  if (route.kind === 'write' || route.kind === 'batch') return route.operation.name
  return route.kind === 'read' ? route.query.name : route.kind === 'call' ? route.name : undefined
}

export function scopeOf(route: Exclude<Route, PageRoute>): Scope | null {
  if (route.kind === 'write' || route.kind === 'batch') return route.operation.scope
  return route.kind === 'read' ? route.query.scope : route.scope
}

export function summaryOf(route: Route): string {
  if (route.kind === 'write' || route.kind === 'batch') return route.operation.summary
  return route.kind === 'read' ? route.query.summary : route.summary
}

/** Of its body, where it takes one. */
export function boundsOf(route: WriteRoute | ReadRoute | CallRoute): BodyBounds {
  return route.kind === 'write' ? writeBody : route.kind === 'call' ? adminBody : (route.body ?? readBody)
}
