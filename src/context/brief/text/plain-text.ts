/** Removes Markdown from a text: one line for each paragraph, item, heading or table row. */
import { areCode } from '../../../text/code-blocks.ts'
import { withoutComments } from '../../../text/comments.ts'
import { withoutLinks } from './links.ts'

export function plainText(markdown: string): string {
  const found: string[] = []
  const text = withoutComments(markdown.replace(/\r\n?/g, '\n'))
  const lines = withoutFences(text.split('\n')).filter((line) => !linkDefinition.test(line))
  for (const block of blocksOf(lines)) {
    const rows = block.every((line) => tableRow.test(line)) ? itemsOf(block) : unwrapped(block)
    found.push(...rows, '')
  }
  return withoutSigns(found.join('\n'))
}

/** `[name]: https://…`: the address of a link that stands elsewhere. */
const linkDefinition = /^ {0,3}\[[^\]]+\]:\s*(?:<[^>]*>|[a-z][a-z+.-]*:\S+|[./#]\S*)(?:\s+["'(].*)?$/i

/**
 * The text without code blocks, unless there is nothing else. A passage may begin within a block, where no sign tells code
 * from prose.
 */
export function withoutCode(text: string): string {
  if (!/^[ \t]*(?:`{3}|~{3})/m.test(text)) return text
  const prose = withoutFences(text.split('\n')).join('\n')
  return prose.trim() === '' ? text : prose
}

/** With an empty line for each line of a code block. */
function withoutFences(lines: readonly string[]): string[] {
  const code = areCode(lines)
  return lines.map((line, at) => (code[at] ? '' : line))
}

/** Splits at blank lines and rules. */
function blocksOf(lines: readonly string[]): string[][] {
  const blocks: string[][] = [[]]
  for (const line of lines.map((one) => one.replace(/^\s*>\s?/, ''))) {
    if (line.trim() === '' || rule.test(line)) blocks.push([])
    else blocks.at(-1)?.push(line)
  }
  return blocks.filter((block) => block.length > 0)
}

const rule = /^\s*(?:[-*_=]\s*){3,}$/
const tableRow = /^\s*\|.*\|\s*$/
const belowHeader = /^\s*\|(?:\s*:?-+:?\s*\|)+\s*$/

/** One item for each table row: the first cell, then the others. */
function itemsOf(rows: readonly string[]): string[] {
  const content = rows.filter((row, at) => !belowHeader.test(row) && !belowHeader.test(rows[at + 1] ?? ''))
  return content.flatMap((row) => {
    const [first, ...others] = row
      .split('|')
      .map((cell) => cell.trim())
      .filter((cell) => cell !== '')
    if (first === undefined) return []
    return [`- ${first}${others.length > 0 ? ': ' : ''}${others.join(', ')}`]
  })
}

/** UTF-16 units. A shorter line was ended on purpose, not wrapped. */
const shortestWrapped = 40
/** Upper bound of the assumed wrapping width: a line with an unbreakable address may be much longer. */
const widest = 80
/** Share of the width from which on a line counts as full: editors don't all wrap as late as possible. */
const full = 0.85

/** Joins a line with the next one if the next one's first word did not fit. */
function unwrapped(lines: readonly string[]): string[] {
  const width = lines.reduce((most, line) => Math.max(most, Math.min(widest, line.trimEnd().length)), 0)
  const found: string[] = []
  for (const [at, line] of lines.entries()) {
    const before = lines[at - 1] ?? ''
    const word = /\S+/.exec(line)?.[0] ?? ''
    const isFull = before.length >= shortestWrapped && before.trimEnd().length + 1 + word.length > full * width
    if (isFull && !begins.test(line) && !isWhole.test(before)) found.push(`${found.pop()} ${line.trim()}`)
    else found.push(line)
  }
  return found
}

/** The beginning of a heading, item or row: never joined to the line before. */
const begins = /^\s*(?:#{1,6}\s|[-*+•]\s|\d{1,3}[.)]\s|\||\[[ x]\]\s)/i
/** A heading, a row or a hard line break: never joined to the line after. */
const isWhole = /^\s*(?:#{1,6}\s|\|)|(?: {2}|\\)$/

/** Removes inline Markdown but leaves code spans unchanged. */
function withoutSigns(text: string): string {
  const codes: string[] = []
  const kept = text
    .replace(/[\ue000\ue001]/g, '')
    .replace(/`[^`\n]+`/g, (code) => `\ue000${codes.push(code) - 1}\ue001`)
  return withoutMarks(kept).replace(/\ue000(\d+)\ue001/g, (_, at) => codes[Number(at)] ?? '')
}

function withoutMarks(text: string): string {
  return withoutBold(withoutTags(withoutLinks(text))).replace(
    /(?<![\p{L}\p{N}*_\\])([*_])(?=\S)([^*_\n]+)(?<=[^\s\\])\1(?![\p{L}\p{N}*_])/gu,
    '$2',
  )
}

/** Searches only up to the last `>`: beyond it each `<` would be compared to the end of the text. */
function withoutTags(text: string): string {
  const end = text.lastIndexOf('>') + 1
  return text.slice(0, end).replace(tag, ' ') + text.slice(end)
}

const tag = /<\/?(?:a|b|br|code|details|div|em|i|img|li|ol|p|span|strong|sub|summary|sup|ul)\b[^>]*>/gi

/** Removes pairs of `**` or `__` within one line, if neither has a space on its inner side. */
function withoutBold(text: string): string {
  // for each mark: up to this position nothing closes it, so that the text is scanned once
  const unclosed: Record<string, number> = {}
  let plain = ''
  let from = 0
  for (let found = opensBold(text, 0); found; found = opensBold(text, Math.max(from, found.index + 1))) {
    const { index, 0: mark } = found
    if (index < (unclosed[mark] ?? 0)) continue
    const closes = mark === '**' ? closesStars : closesLines
    closes.lastIndex = index + mark.length + 1
    const close = closes.exec(text)
    if (close?.[0] === mark) {
      plain += text.slice(from, index) + text.slice(index + mark.length, close.index)
      from = closes.lastIndex
    } else unclosed[mark] = close?.index ?? text.length
  }
  return plain + text.slice(from)
}

function opensBold(text: string, at: number): RegExpExecArray | null {
  bold.lastIndex = at
  return bold.exec(text)
}

const bold = /(?:\*\*|__)(?=\S)/g
/** A closing mark, or the end of the line. */
const closesStars = /(?<=\S)\*\*|[\n\r\u2028\u2029]/g
const closesLines = /(?<=\S)__|[\n\r\u2028\u2029]/g
