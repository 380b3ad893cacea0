/** Front matter below the title: Markdown would read its closing line as the underline of a heading. */
import { readFrontMatter } from './front-matter.ts'
import type { Sectioned } from './labelled-list.ts'

const mostLines = 60
/** `key: value`, an item of a list, or the rest of a longer value. */
const isYaml = (line: string) => /^(?:[\p{L}_][\p{L}\p{N} _-]{0,40}:(?:\s|$)|\s*-\s|\s+\S)/u.test(line)

/** The text with its front matter above the title. undefined: it has none below the title. */
export function withFrontMatterFirst(text: string): Sectioned | undefined {
  if (!/^\s*# \S[^\n]*\s*\n---[ \t]*\n/.test(text.slice(0, 2000))) return undefined
  const lines = text.split('\n')
  const from = lines.findIndex((line) => line.trimEnd() === '---')
  const length = lines.slice(from + 1, from + mostLines).findIndex((line) => line.trimEnd() === '---') + 2
  if (length < 3 || !lines.slice(from + 1, from + length - 1).every(isYaml)) return undefined
  const order = [...lines.keys()]
  order.unshift(...order.splice(from, length))
  const moved = order.map((at) => lines[at]).join('\n')
  if (readFrontMatter(moved).fields.size === 0) return undefined
  return { text: moved, lines: order.map((at) => at + 1) }
}
