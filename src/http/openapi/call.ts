/** What the parts of the description read from a row. */
import type { z } from 'zod'
import { receiptResponse } from '../../receipts/present.ts'
import type { PageRoute, Route } from '../route.ts'

export type Json = Record<string, unknown>
export type Call = Exclude<Route, PageRoute>

export function isCall(route: Route): route is Call {
  return route.kind !== 'page'
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
  }
}

export function takesBody(call: Call): boolean {
  return call.method === 'POST'
}

export function isConditional(call: Call): boolean {
  return call.kind === 'read' && (call.conditional === true || call.polled !== undefined)
}

export function exampleField(example: unknown): { example?: unknown } {
  return example === undefined ? {} : { example }
}
