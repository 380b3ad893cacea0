/** Splits a text into sentences. Leaves out fenced code; separates quotations from the writer's own words. */

export interface Sentence {
  /** Verbatim, trimmed, without the list marker. */
  text: string
  /** The same with quotations, code, images and links replaced by spaces: the writer's own words. */
  own: string
  /** Index of its line in the text, and of its paragraph. */
  line: number
  paragraph: number
  indent: number
  /** It starts with a list marker, or is a table cell. */
  isItem: boolean
  /** A cell of a table. */
  isCell: boolean
  isHeading: boolean
  isLastOfLine: boolean
}

/** UTF-16 units read of one text: questions and claims come early, and a book is not one claim. */
const mostRead = 20_000
const mostSentences = 400
/** UTF-16 units. A longer piece without a full stop is a list, a table or a dump, and is skipped. */
const longestSentence = 1_000

export function sentencesOf(text: string): Sentence[] {
  const found: Sentence[] = []
  for (const [line, block] of blocksOf(text.slice(0, mostRead)).entries()) {
    const { raw, paragraph, indent } = block
    const isHeading = /^\s*#{1,6}\s/.test(raw)
    const isCell = tableRow.test(raw)
    const isItem = isCell || itemSign.test(raw)
    const pieces = cellsOf(raw.replace(itemSign, '').replace(/^\s*#{1,6}\s+/, '')).flatMap(split)
    for (const [at, piece] of pieces.entries()) {
      if (found.length === mostSentences) return found
      if (piece.length > longestSentence) continue
      const isLastOfLine = at === pieces.length - 1
      found.push({
        text: piece,
        own: ownWords(piece),
        line,
        paragraph,
        indent,
        isItem,
        isCell,
        isHeading,
        isLastOfLine,
      })
    }
  }
  return found
}

interface Block {
  /** A line with its continuation lines. */
  raw: string
  paragraph: number
  indent: number
}

/** Leaves out fenced code. A line that starts in lower case continues the line before: the text is hard-wrapped. */
function blocksOf(text: string): Block[] {
  const found: Lines[] = []
  let paragraph = 0
  let fenced = false
  for (const raw of text.split('\n')) {
    const last = found.at(-1)
    if (/^\s*(?:```|~~~)/.test(raw)) fenced = !fenced
    else if (fenced) continue
    else if (raw.trim() === '') paragraph++
    else if (last && last.paragraph === paragraph && isContinuation(raw, last.lines)) last.lines.push(raw.trim())
    else found.push({ lines: [raw], paragraph, indent: raw.length - raw.trimStart().length })
  }
  return found.map(({ lines, ...block }) => ({ ...block, raw: lines.join(' ') }))
}

/** A block while its lines are collected. They are joined once at the end: joining at each line takes quadratic time. */
interface Lines extends Omit<Block, 'raw'> {
  lines: string[]
}

function isContinuation(line: string, before: readonly string[]): boolean {
  const [first = '', last = ''] = [before[0], before.at(-1)]
  return /^\s*[\p{Ll}\d(“"‘'`]/u.test(line) && !itemSign.test(line) && !/[.!?:|]\s*$/.test(last) && !/^\s*#/.test(first)
}

const itemSign = /^\s*(?:[-*+•]|\d{1,3}[.)]|\[[ x]\])\s+/i

const tableRow = /^\s*\|.*\|\s*$/

/** The cells of a table row; of any other line the line itself. */
function cellsOf(line: string): string[] {
  if (!tableRow.test(line)) return [line]
  return line
    .split('|')
    .map((cell) => cell.trim())
    .filter((cell) => /[\p{L}\p{N}]/u.test(cell))
}

/** A full stop inside a number, version or address, or after an initial or abbreviation, does not end a sentence. */
function split(line: string): string[] {
  const found: string[] = []
  const marks = marksOf(line)
  let from = 0
  for (const match of line.matchAll(ends)) {
    const to = match.index + match[0].length
    if (match[0].startsWith('.') && abbreviated.test(line.slice(Math.max(from, to - longestAbbreviation), to))) continue
    if (marks.isOpenAt(match.index)) continue
    found.push(line.slice(from, to).trim())
    from = to
  }
  found.push(line.slice(from).trim())
  return found.filter((piece) => /[\p{L}\p{N}]/u.test(piece))
}

/** The lookbehinds keep a long run of signs from taking quadratic time. */
const ends = /(?:(?<![.!?…])[.!?…]+["'”’»)\]]*|(?<![。！？])[。！？]+[”』」）]*)(?=\s|$)/gu
const abbreviated =
  /(?:^|[\s(])(?:\p{Lu}|e\.?g|i\.?e|etc|vs|approx|ca|no|nr|dr|mr|mrs|ms|st|inc|ltd|co|corp|z\.\s?b|d\.\s?h|bzw|usw|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\.\s*$/iu

/** UTF-16 units, including the space before it and the full stop. */
const longestAbbreviation = 16

/** Positions must be asked for from left to right. */
function marksOf(line: string): { isOpenAt(at: number): boolean } {
  const open = { '`': false, '"': false }
  let counted = 0
  let nextQuote = -1
  return {
    /** Whether a quotation or code is open at `at`. */
    isOpenAt(at) {
      for (; counted < at; counted++) {
        const sign = line[counted]
        if (sign === '`' || sign === '"') open[sign] = !open[sign]
      }
      if (nextQuote < at) nextQuote = indexOrEnd(line, '"', at)
      return open['`'] || (open['"'] && nextQuote > at + 2 && nextQuote < line.length)
    },
  }
}

function indexOrEnd(line: string, sign: string, from: number): number {
  const at = line.indexOf(sign, from)
  return at < 0 ? line.length : at
}

const blank = (found: string) => ' '.repeat(found.length)

/** Has the same length as `text`, so that positions are the same in both. */
export function ownWords(text: string): string {
  return withoutQuotes(
    text
      .replace(/`[^`]*`/g, blank)
      .replace(/!\[[^[\]]{0,300}\]\([^()]{0,500}\)/g, blank)
      .replace(/\bhttps?:\/\/\S+/gi, blank)
      .replace(singleQuoted, (found) => (found.split(/\s+/).length < 3 ? found : blank(found))),
  )
}

/** One or two words, as in “the state 'done'”, are rather a name than a quotation. */
const singleQuoted = /(?<=^|[\s(])'(?=\S)[^']{1,500}(?<=\S)'(?=[\s.,;:!?)]|$)/g

/** The closing sign of each opening quotation mark. */
const closing: { readonly [sign: string]: RegExp } = { '"': /"/g, '“': /”/g, '„': /[“”]/g, '«': /»/g, '‘': /’/g }

function withoutQuotes(text: string): string {
  // opening signs without a closing one after them: searched for once each, to stay linear
  const unclosed = new Set<string>()
  let own = ''
  let from = 0
  for (const { 0: sign, index } of text.matchAll(/["“„«‘]/g)) {
    if (index < from || unclosed.has(sign)) continue
    const closes = closing[sign] as RegExp
    closes.lastIndex = index + 1
    if (!closes.test(text)) unclosed.add(sign)
    else {
      own += text.slice(from, index) + ' '.repeat(closes.lastIndex - index)
      from = closes.lastIndex
    }
  }
  return own + text.slice(from)
}
