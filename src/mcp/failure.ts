/** A problem as the result of a tool: the same words as over HTTP, and what a model can do about it. */
import { oneLine, printable } from '../context/brief/text/in-line.ts'
import type { ProblemResponse } from '../http/base/problem.ts'
import type { Issue } from '../problem.ts'

export interface FailedResult {
  isError: true
  content: [{ type: 'text'; text: string }]
  _meta: { 'precedent/problem': ProblemResponse }
  [further: string]: unknown
}

/** The record that counts now, of a write whose target was superseded before. */
interface Head {
  type: string
  id: string
  title?: string
}

export function failedResult(problem: ProblemResponse): FailedResult {
  const { code, detail, retryable, details, receipt_id } = problem
  const issues = (Array.isArray(details?.issues) ? details.issues : []) as Issue[]
  const lines = [
    `${code}: ${detail}`,
    // the first is the detail
    ...issues.slice(1).map(({ path, message }) => `- ${path}: ${message}`),
    ...headLine(details?.head),
    ...(retryable ? ['The same call may succeed later.'] : []),
    ...(receipt_id === undefined ? [] : [`Receipt: ${receipt_id}`]),
  ]
  return {
    isError: true,
    content: [{ type: 'text', text: printable(lines.join('\n')) }],
    _meta: { 'precedent/problem': problem },
  }
}

function headLine(head: unknown): string[] {
  if (head === undefined) return []
  const { type, id, title } = head as Head
  return [`The newest that you may see is ${type}${title === undefined ? '' : ` “${oneLine(title)}”`}, id ${id}`]
}
