/**
 * Turns a query string into an input. Each parameter gets the type that the schema names, so one schema serves bodies
 * and query strings.
 */
import { z } from 'zod'
import { type Issue, issueAt, problem } from '../../problem.ts'

interface Property {
  type?: string
}

/**
 * Names of numbers and booleans in a schema. Repeated parameters and names that stand in the path are errors; names the
 * schema doesn't know are left to it. Throws invalid_request.
 */
export function queryReader(
  schema: z.ZodType,
): (query: string, path: Record<string, string>) => Record<string, unknown> {
  const { properties = {} } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as {
    properties?: Record<string, Property>
  }
  const types = new Map(Object.entries(properties).map(([name, { type }]) => [name, type]))
  return (query, path) => {
    const input: Record<string, unknown> = Object.create(null)
    const issues: Issue[] = []
    for (const [name, text] of parametersOf(query)) {
      if (Object.hasOwn(path, name))
        issues.push({ path: name, message: 'is in the path already: leave it out of the query' })
      else if (Object.hasOwn(input, name)) issues.push({ path: name, message: 'is given twice: give it once' })
      else input[name] = typedAs(text, types.get(name))
    }
    refuse(issues)
    return { ...input, ...path }
  }
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

/** Text that has not the type stays text. The schema then says what it must be. */
function typedAs(text: string, type: string | undefined): unknown {
  if ((type === 'integer' || type === 'number') && /^-?\d{1,15}(\.\d{1,15})?$/.test(text)) return Number(text)
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true'
  return text
}

/** Of one answer: enough to mend a request by. */
const mostIssues = 50

function refuse(all: readonly Issue[]): void {
  const issues = all.slice(0, mostIssues).map(({ path, message }) => issueAt(path, message))
  const [first] = issues
  if (first) throw problem('invalid_request', `${first.path}: ${first.message}`, { details: { issues } })
}
