/** Reads Y-statements: `In the context of …, facing …, we decided for … and neglected …, to achieve …, accepting …`. */
import type { AdrDocument } from './document/document.ts'
import { joined, parseBlocks, span } from './document/markdown.ts'

export interface YStatement {
  /** The whole sentence. */
  text: string
  /** The clause that says what was decided. */
  decision: string
  neglected: string[]
  rationale: string | undefined
  consequences: string | undefined
  /** What follows the sentence: of its paragraph, and in a decision section all paragraphs below it. */
  rest: string
}

const opening = /\bin the (?:context|course) of\b/i
const decided =
  /\bwe\s+(?:have\s+|therefore\s+|thus\s+)*(?:decided?|chosen?|choose|opted|selected|settled|agreed|went|will)\b/i
/** The clauses after the decision, in any order. */
const clauses = {
  neglected:
    /[,;]?\s*(?:\b(?:and|but)\s+)?(?:\bwe\s+(?:have\s+)?)?\b(?:neglect(?:ed|ing)|against|rejected|rejecting|discarded|over|instead of|rather than)\b/i,
  rationale: /,?\s*\b(?:in order to (?:achieve|gain|get)|to (?:achieve|gain|get|reach))\b/i,
  consequences: /,?\s*\b(?:(?:and|while|knowingly)\s+)?accepting\b(?:\s+that\s*:)?/i,
  because: /,?\s*\b(?:because|since)\b/i,
}

/** The first one in the document, undefined if there is none. */
export function readYStatement({ text, blocks }: Pick<AdrDocument, 'text' | 'blocks'>): YStatement | undefined {
  const parts = partsOf(text, blocks)
  for (const at of parts.keys()) {
    const found = statementIn(goesOn(parts, at).text)
    if (found) return found
  }
  return undefined
}

/**
 * The one with which the text of a decision section begins. It has at least two clauses beside the decision: “In the
 * context of the move we chose a van” alone is a plain sentence.
 */
export function yStatementOf(decision: string): YStatement | undefined {
  if (!begins.test(decision)) return undefined
  const { children } = parseBlocks(decision)
  const { text, count } = goesOn(partsOf(decision, children), 0)
  const found = statementIn(text)
  const clauses = [/\bfacing\b/i.exec(text)?.[0], found?.neglected[0], found?.rationale, found?.consequences]
  if (!found || clauses.filter((clause) => clause !== undefined).length < 2) return undefined
  const [next] = children.slice(count)
  const below = next ? decision.slice(span(next)[0]).trim() : ''
  return { ...found, rest: joined(found.rest, below) }
}

const begins = /^[^\p{L}]*in the (?:context|course) of\b/iu

function partsOf(text: string, blocks: AdrDocument['blocks']): (Part | undefined)[] {
  return blocks.map((block) => {
    const source = text.slice(...span(block))
    const isList = block.type === 'list'
    return isList || block.type === 'paragraph' || block.type === 'blockquote' ? { source, isList } : undefined
  })
}

function statementIn(text: string): YStatement | undefined {
  const start = opening.exec(text)
  const verb = start && decided.exec(text.slice(start.index))
  return start && verb ? statementOf(text.slice(start.index), verb.index) : undefined
}

interface Part {
  source: string
  isList: boolean
}

/** Parts of one statement. */
const mostParts = 12

/** The statement that begins with this part. Each of its clauses may be a paragraph, and a list may follow a clause. */
function goesOn(parts: readonly (Part | undefined)[], from: number): { text: string; count: number } {
  let text = plain(parts[from]?.source ?? '')
  let count = 1
  if (!opening.test(text)) return { text: '', count }
  for (const part of parts.slice(from + 1, from + mostParts)) {
    if (part === undefined) break
    const isOfClause = part.isList && /(?::|\bthat)$/.test(text)
    const next = isOfClause ? `\n\n${part.source.replace(/\*\*|__/g, '').trim()}\n\n` : ` ${plain(part.source)}`
    if (!isOfClause && !/[,;\n]$/.test(text) && !beginsClause.test(next)) break
    text += next
    count++
  }
  return { text, count }
}

const beginsClause =
  /^\s*(?:facing|we (?:have )?(?:decided|chose|opted)|(?:and )?neglect\p{L}+|to achieve|accepting|because)\b/iu

/** The offset where the first sentence ends. A clause may have been written as a sentence: it goes on. */
function endOfSentence(text: string): number {
  const stops = text.matchAll(/(?<=[\p{L}\p{N})”"`]{2}[.!?])\s+(?=\p{Lu})/gu)
  for (const { index } of stops) if (!beginsClause.test(text.slice(index))) return index
  return text.length
}

const plain = (text: string) =>
  text
    .replace(/^[ \t]*(?:[-*+>]|\d+[.)])[ \t]+/gm, '')
    .replace(/\s+/g, ' ')
    .replace(/\*\*|__/g, '')
    .trim()

function statementOf(whole: string, at: number): YStatement {
  const text = whole.slice(0, at + endOfSentence(whole.slice(at)))
  const said = text.slice(at)
  const found = Object.entries(clauses)
    .flatMap(([name, pattern]) => {
      const match = pattern.exec(said)
      return match ? [{ name, from: match.index, after: match.index + match[0].length }] : []
    })
    .sort((a, b) => a.from - b.from)
  const clause = (name: keyof typeof clauses) => {
    const index = found.findIndex((one) => one.name === name)
    const part = index < 0 ? '' : tidy(said.slice(found[index]?.after, found[index + 1]?.from))
    return part === '' ? undefined : part
  }
  // `we decided against a tent and for a hut`: the rejected option comes before the chosen one
  const [first, second] = found
  const isRefusal = first?.name === 'neglected' && first.from <= (decided.exec(said)?.[0].length ?? 0)
  const decision = tidy(said.slice(0, isRefusal ? second?.from : first?.from)).replace(/^(we [^:]{1,40}):(?=\s)/i, '$1')
  const neglected = clause('neglected') ?? ''
  return {
    text,
    decision: `${decision.charAt(0).toUpperCase()}${decision.slice(1)}.`,
    neglected: optionsIn(isRefusal ? (neglected.split(/,?\s+(?:and|but)\s+(?:for|to)\s/i)[0] ?? '') : neglected),
    rationale: clause('rationale') ?? clause('because'),
    consequences: clause('consequences'),
    rest: whole.slice(text.length).trim(),
  }
}

/** `Kafka and SQS` and the items of a list are an option each. Longer words may be one option: `buying and running servers`. */
function optionsIn(neglected: string): string[] {
  const items = neglected.split(/\n+(?:[-*+]|\d+[.)])[ \t]+/).map(tidy)
  const names = neglected.split(/(?:,\s+(?:and|or|nor)\s+|,\s+|\s+(?:and|or|nor)\s+)(?![^()]*\))/i)
  const areNames =
    !/^\p{L}+ing\b/u.test(neglected) && names.every((name) => name.split(/\s/).length < 5 && !preposition.test(name))
  return (items.length === 1 && areNames ? names : items).filter((name) => name !== '')
}

const preposition = /\s(?:as|at|by|for|from|in|of|on|to|with)\s/i

const tidy = (text: string) => text.replace(/^[\s,;:.]+|[\s,;:.]+$/g, '')
