/**
 * Turns a query string into an input. Each parameter gets the type that the schema names, so one schema serves bodies
 * and query strings.
 */
import type { z } from 'zod'
import { type Issue, issueAt, problem } from '../../problem.ts'
import { type Property, propertiesOf } from '../../validation/properties.ts'

/**
 * A parameter whose type is a list may be repeated. Its values may also be separated by commas if no value can contain
 * one. Other repeated parameters and names of path parameters are errors. The schema refuses names that it doesn't
 * know. Throws invalid_request.
 */
export function queryReader(
  schema: z.ZodType,
): (query: string, path: Record<string, string>) => Record<string, unknown> {
  const known = propertiesOf(schema)
  return (query, path) => {
    const input: Record<string, unknown> = Object.create(null)
    const issues: Issue[] = []
    for (const [name, text] of parametersOf(query)) {
      if (Object.hasOwn(path, name))
        issues.push({ path: name, message: 'is in the path already: leave it out of the query' })
      else if (known.get(name)?.type === 'array') addValues(input, name, text, known.get(name)?.items)
      else if (Object.hasOwn(input, name)) issues.push({ path: name, message: 'is given twice: give it once' })
      else input[name] = typedAs(text, known.get(name)?.type)
    }
    refuse(issues)
    return { ...input, ...path }
  }
}

export function hasParameter(schema: z.ZodType, name: string): boolean {
  return propertiesOf(schema).has(name)
}

function addValues(input: Record<string, unknown>, name: string, text: string, items: Property = {}): void {
  const values = (input[name] ?? []) as unknown[]
  input[name] = values
  // one by one: a header of 64 KiB can hold more values than a call can take arguments
  for (const value of isSplit(items) ? text.split(',') : [text]) values.push(typedAs(value, items.type))
}

/** Fixed values, ids, numbers and booleans have no commas. A name may have one. */
export function isSplit({ type, format, enum: values, const: value }: Property): boolean {
  return values !== undefined || value !== undefined || format === 'uuid' || (type !== undefined && type !== 'string')
}

/** For calls without parameters. Throws invalid_request, which names each parameter. */
export function refuseQuery(query: string): void {
  if (query === '') return
  const names = new Set(parametersOf(query).keys())
  refuse([...names].map((name) => ({ path: name, message: 'unknown parameter: leave it out' })))
}

/** Throws invalid_request if a parameter is not percent-encoded UTF-8, because it would be read as another text. */
function parametersOf(query: string): URLSearchParams {
  for (const part of query.split('&')) {
    try {
      decodeURIComponent(part)
    } catch {
      const [path = ''] = part.split('=', 1)
      refuse([{ path, message: 'is not percent-encoded UTF-8: encode a percent sign as %25' }])
    }
  }
  return new URLSearchParams(query)
}

/** A value of another type stays a text, and the schema says what it must be. */
function typedAs(text: string, type: string | undefined): unknown {
  if ((type === 'integer' || type === 'number') && /^-?\d{1,15}(\.\d{1,15})?$/.test(text)) return Number(text)
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true'
  return text
}

/** Issues in one answer; enough to correct a request. */
const mostIssues = 50

function refuse(all: readonly Issue[]): void {
  const issues = all.slice(0, mostIssues).map(({ path, message }) => issueAt(path, message))
  const [first] = issues
  if (first) throw problem('invalid_request', `${first.path}: ${first.message}`, { details: { issues } })
}
