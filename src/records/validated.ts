/** Validates input and throws a Problem that names each field and the remedy. */
import type { z } from 'zod'
import { type Issue, issueAt, problem } from '../problem.ts'

/** Issues in one answer; enough to correct an input. */
const mostIssues = 50

export function validated<T>(schema: z.ZodType<T>, input: unknown): T {
  const result = schema.safeParse(input)
  if (result.success) return result.data
  const issues = result.error.issues
    .flatMap(issuesOf)
    .slice(0, mostIssues)
    .map(({ path, message }) => issueAt(path, message))
  const first = issues[0]
  throw problem('invalid_request', first ? `${first.path || 'body'}: ${first.message}` : 'The input is not valid.', {
    details: { issues },
  })
}

function issuesOf(issue: z.core.$ZodIssue): Issue[] {
  const path = pathOf(issue.path)
  if (issue.code === 'unrecognized_keys') {
    return issue.keys
      .slice(0, mostIssues)
      .map((key) => ({ path: join(path, key), message: 'unknown field: leave it out' }))
  }
  if (issue.code === 'invalid_union') {
    // of the union's branches report the one whose issues are deepest: it matched furthest
    const best = [...issue.errors].sort((a, b) => depth(b) - depth(a))[0]
    if (best && best.length > 0) {
      return best.flatMap(issuesOf).map((inner) => ({ path: join(path, inner.path), message: inner.message }))
    }
  }
  return [{ path, message: issue.message }]
}

const depth = (issues: z.core.$ZodIssue[]) => Math.max(0, ...issues.map((issue) => issue.path.length))

function pathOf(path: readonly PropertyKey[]): string {
  return path.reduce<string>((so, part) => (typeof part === 'number' ? `${so}[${part}]` : join(so, String(part))), '')
}

function join(path: string, rest: string): string {
  if (path === '' || rest === '') return path + rest
  return rest.startsWith('[') ? path + rest : `${path}.${rest}`
}
