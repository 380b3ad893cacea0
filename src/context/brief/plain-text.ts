/** A text of a record without the signs of Markdown: one line a paragraph, item, heading or row of a table. */
import { withoutComments } from '../../text/comments.ts'
import { withoutLinks } from './links.ts'

export function plainText(markdown: string): string {
  const found: string[] = []
  const text = withoutComments(markdown.replace(/\r\n?/g, '\n'))
  for (const block of blocksOf(withoutFences(text.split('\n')))) {
    const rows = block.every((line) => tableRow.test(line)) ? itemsOf(block) : unwrapped(block)
    found.push(...rows, '')
  }
  return withoutSigns(found.join('\n'))
}

/** Code is for those who read the record. One that is not closed reaches to the end. */
function withoutFences(lines: readonly string[]): string[] {
  let fence: string | undefined
  return lines.map((line) => {
    const sign = /^\s*(`{3,}|~{3,})/.exec(line)?.[1]
    if (fence === undefined && sign === undefined) return line
    if (fence === undefined) fence = sign
    else if (sign?.startsWith(fence)) fence = undefined
    return ''
  })
}

/** Lines without a blank one between them. */
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

/** Each row of a table: what its first cell names, then what the others say of it. */
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

/** Shorter lines are ended where their writer wanted, UTF-16 units. */
const shortestWrapped = 40
/** One line may be much longer than the others: an address in it can't be wrapped. */
const widest = 80
/** Of the width: not everybody breaks as late as can be. */
const full = 0.85

/** A line goes on in the next where the first word of that one had no room in it. */
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

/** A heading, an item or a row: whatever stands before it. */
const begins = /^\s*(?:#{1,6}\s|[-*+•]\s|\d{1,3}[.)]\s|\||\[[ x]\]\s)/i
/** A heading, a row, a line that is broken on purpose. */
const isWhole = /^\s*(?:#{1,6}\s|\|)|(?: {2}|\\)$/

/** Code keeps its signs, wherever it stands. */
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

/** Behind the last `>` no tag ends: there each `<` would be looked behind to the end of the text. */
function withoutTags(text: string): string {
  const end = text.lastIndexOf('>') + 1
  return text.slice(0, end).replace(tag, ' ') + text.slice(end)
}

const tag = /<\/?(?:a|b|br|code|details|div|em|i|img|li|ol|p|span|strong|sub|summary|sup|ul)\b[^>]*>/gi

/** What stands between two `**` or two `__` of one line, neither with a blank on its inner side. */
function withoutBold(text: string): string {
  // by the mark: up to here nothing closes it, so that each is looked for once
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
/** Or the end of the line. */
const closesStars = /(?<=\S)\*\*|[\n\r\u2028\u2029]/g
const closesLines = /(?<=\S)__|[\n\r\u2028\u2029]/g
