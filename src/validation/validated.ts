/** Validates input and throws a Problem that names each field and the remedy. */
import type { z } from 'zod'
import { type Issue, issueAt, problem } from '../problem.ts'
import { errorMap, messagesOfKeys } from './messages.ts'

/** Issues in one answer; enough to correct an input. */
const mostIssues = 50

export function validated<T>(schema: z.ZodType<T>, input: unknown): T {
  const result = schema.safeParse(input, { error: errorMap() })
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
    const messages = messagesOfKeys(issue.message)
    return issue.keys
      .slice(0, mostIssues)
      .map((key, at) => ({ path: join(path, key), message: messages[at] ?? issue.message }))
  }
  if (issue.code === 'invalid_union' && issue.errors.length > 0) return unionIssues(issue.errors, path)
  return [{ path, message: issue.message }]
}

/**
 * Among the branches for a value of this type, reports the one that matched furthest. If there is none, names all
 * branches.
 */
function unionIssues(branches: readonly z.core.$ZodIssue[][], path: string): Issue[] {
  const [best] = branches.filter((branch) => !branch.some(isOfOtherType)).sort((a, b) => depth(b) - depth(a))
  if (best) return best.flatMap(issuesOf).map((inner) => ({ path: join(path, inner.path), message: inner.message }))
  const [first = '', ...others] = branches.flatMap((branch) => branch.filter(isOfOtherType).map((one) => one.message))
  return [{ path, message: [first, ...others.map((one) => one.replace(/^must be /, ''))].join(' or ') }]
}

const isOfOtherType = (issue: z.core.$ZodIssue) => issue.path.length === 0 && issue.code === 'invalid_type'

const depth = (issues: z.core.$ZodIssue[]) => Math.max(0, ...issues.map((issue) => issue.path.length))

function pathOf(path: readonly PropertyKey[]): string {
  return path.reduce<string>((so, part) => (typeof part === 'number' ? `${so}[${part}]` : join(so, String(part))), '')
}

function join(path: string, rest: string): string {
  if (path === '' || rest === '') return path + rest
  return rest.startsWith('[') ? path + rest : `${path}.${rest}`
}
