/** The records behind the numbers of a brief, for readers who see only its text. */
import type { BriefOutput } from './schema.ts'

/** The Markdown with a line for each number: the kind and the id of its record. */
export function withCited({ markdown, citations }: Pick<BriefOutput, 'markdown' | 'citations'>): string {
  const lines = citations.map(({ type, id }, at) => `[${at + 1}] ${type} ${id}`)
  return lines.length === 0 ? markdown : `${markdown}\n${lines.join('\n')}\n`
}
