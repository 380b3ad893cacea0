/** What the builders of the OpenAPI document read from a row of the routes. */
import type { z } from 'zod'
import { receiptResponse } from '../../../receipts/present.ts'
import type { HookRoute, McpRoute, PageRoute, Route, StreamRoute } from '../../base/route.ts'

export type Json = Record<string, unknown>
export type Call = Exclude<Route, PageRoute | HookRoute | McpRoute>
/** A call that may take a body. */
export type BodyCall = Exclude<Call, StreamRoute>

export function isCall(route: Route): route is Call {
  return route.kind !== 'page' && route.kind !== 'mcp' && route.kind !== 'hook'
}

export function schemasOf(call: Call): { input?: z.ZodType | undefined; output?: z.ZodType | undefined } {
  switch (call.kind) {
    case 'write':
      return { input: call.operation.input, output: receiptResponse }
    case 'batch':
      return { input: call.operation.input, output: call.output }
    case 'read':
      return { input: call.query.input, output: call.query.output }
    case 'call':
      return { input: call.input, output: call.output }
    case 'stream':
      return { input: call.stream.input }
  }
}

export function takesBody(call: Call): call is BodyCall {
  return call.method === 'POST' || call.method === 'PATCH'
}

export function isConditional(call: Call): boolean {
  return call.kind === 'read' && (call.conditional ?? call.tagged ?? call.polled) !== undefined
}

export function exampleField(example: unknown): { example?: unknown } {
  return example === undefined ? {} : { example }
}
