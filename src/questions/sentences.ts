/** The sentences of a text as a person reads them: without code, with what is quoted told apart. */

export interface Sentence {
  /** Verbatim, trimmed, without the sign of a list item. */
  text: string
  /** The same with what stands in quotation marks, code and links blanked: what its writer says himself. */
  own: string
  /** Index of its line and, of the lines, of its paragraph. */
  line: number
  paragraph: number
  indent: number
  /** It begins with the sign of a list item. */
  isItem: boolean
  /** Of a table, whose rows are items. */
  isCell: boolean
  isHeading: boolean
  isLastOfLine: boolean
}

/** A text is looked at so far, in UTF-16 units: what is asked or claimed in it stands early, and a book is no claim. */
const mostLooked = 20_000
const mostSentences = 400
/** In UTF-16 units. What goes on without a full stop is a list, a table or a dump: it is passed over. */
const longestSentence = 1_000

export function sentencesOf(text: string): Sentence[] {
  const found: Sentence[] = []
  for (const [line, block] of blocksOf(text.slice(0, mostLooked)).entries()) {
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
  /** A line, with those that only go on with it. */
  raw: string
  paragraph: number
  indent: number
}

/** Without fenced code. A line that begins in lower case goes on with the one before: its writer wraps his lines. */
function blocksOf(text: string): Block[] {
  const found: Lines[] = []
  let paragraph = 0
  let fenced = false
  for (const raw of text.split('\n')) {
    const last = found.at(-1)
    if (/^\s*(?:```|~~~)/.test(raw)) fenced = !fenced
    else if (fenced) continue
    else if (raw.trim() === '') paragraph++
    else if (last && last.paragraph === paragraph && goesOn(raw, last.lines)) last.lines.push(raw.trim())
    else found.push({ lines: [raw], paragraph, indent: raw.length - raw.trimStart().length })
  }
  return found.map(({ lines, ...block }) => ({ ...block, raw: lines.join(' ') }))
}

/** A block while its lines are gathered: joined once at the end, or each line would cost as much as all before it. */
interface Lines extends Omit<Block, 'raw'> {
  lines: string[]
}

function goesOn(line: string, before: readonly string[]): boolean {
  const [first = '', last = ''] = [before[0], before.at(-1)]
  return /^\s*[\p{Ll}\d(“"‘'`]/u.test(line) && !itemSign.test(line) && !/[.!?:|]\s*$/.test(last) && !/^\s*#/.test(first)
}

const itemSign = /^\s*(?:[-*+•]|\d{1,3}[.)]|\[[ x]\])\s+/i

const tableRow = /^\s*\|.*\|\s*$/

/** Of a row of a table each cell. */
function cellsOf(line: string): string[] {
  if (!tableRow.test(line)) return [line]
  return line
    .split('|')
    .map((cell) => cell.trim())
    .filter((cell) => /[\p{L}\p{N}]/u.test(cell))
}

/** A full stop within a number, a version, an address or behind an initial ends nothing. */
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

const ends = /(?:[.!?…]+["'”’»)\]]*|[。！？]+[”』」）]*)(?=\s|$)/gu
const abbreviated =
  /(?:^|[\s(])(?:\p{Lu}|e\.g|i\.e|etc|vs|approx|ca|no|nr|dr|mr|mrs|ms|st|inc|ltd|co|corp|z\.\s?b|d\.\s?h|bzw|usw|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\.\s*$/iu

/** With what stands before it and behind it, in UTF-16 units. */
const longestAbbreviation = 16

/** Asked from left to right. */
function marksOf(line: string): { isOpenAt(at: number): boolean } {
  const open = { '`': false, '"': false }
  let counted = 0
  let nextQuote = -1
  return {
    /** An opened quotation or code that is not closed before `at`. */
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

/** As long as the sentence, so that places in it are places there. */
export function ownWords(text: string): string {
  return withoutQuotes(text.replace(/`[^`]*`/g, blank).replace(/\bhttps?:\/\/\S+/gi, blank))
}

/** By the sign that opens a quotation, what closes it. */
const closing: { readonly [sign: string]: RegExp } = { '"': /"/g, '“': /”/g, '„': /[“”]/g, '«': /»/g, '‘': /’/g }

function withoutQuotes(text: string): string {
  // signs that nothing closes from here on: each is looked for once
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
