/** Reads Y-statements: `In the context of …, facing …, we decided for … and neglected …, to achieve …, accepting …`. */
import { type AdrDocument, blocksIn } from './document/document.ts'
import { span } from './document/markdown.ts'

export interface YStatement {
  /** The whole sentence. */
  text: string
  /** The clause that says what was decided. */
  decision: string
  neglected: string | undefined
  rationale: string | undefined
  consequences: string | undefined
}

const opening = /\bin the (?:context|course) of\b/i
const decided =
  /\bwe\s+(?:have\s+|therefore\s+|thus\s+)*(?:decided?|chosen?|choose|opted|selected|settled|agreed|went|will)\b/i
/** The clauses after the decision, in any order. */
const clauses = {
  neglected:
    /,?\s*(?:\b(?:and|but)\s+)?\b(?:neglect(?:ed|ing)|against|rejected|rejecting|discarded|over|instead of|rather than)\b/i,
  rationale: /,?\s*\b(?:in order to (?:achieve|gain|get)|to (?:achieve|gain|get|reach))\b/i,
  consequences: /,?\s*\b(?:(?:and|while|knowingly)\s+)?accepting\b/i,
  because: /,?\s*\b(?:because|since)\b/i,
}

/** The first one in the document, undefined if there is none. */
export function readYStatement(document: AdrDocument): YStatement | undefined {
  const blocks = blocksIn(document, 0, document.text.length)
  const parts = blocks.map((block) => {
    const source = document.text.slice(...span(block))
    const isList = block.type === 'list'
    return isList || block.type === 'paragraph' || block.type === 'blockquote' ? { source, isList } : undefined
  })
  for (const at of parts.keys()) {
    const text = goesOn(parts, at)
    const start = opening.exec(text)
    const verb = start && decided.exec(text.slice(start.index))
    if (start && verb) return statementOf(text.slice(start.index), verb.index)
  }
  return undefined
}

interface Part {
  source: string
  isList: boolean
}

/** Parts of one statement. */
const mostParts = 12

/** The statement that begins with this part. Each of its clauses may be a paragraph, and a list may follow a clause. */
function goesOn(parts: readonly (Part | undefined)[], from: number): string {
  let text = plain(parts[from]?.source ?? '')
  if (!opening.test(text)) return ''
  for (const part of parts.slice(from + 1, from + mostParts)) {
    if (part === undefined) break
    const isOfClause = part.isList && /(?::|\bthat)$/.test(text)
    const next = isOfClause ? `\n\n${part.source.replace(/\*\*|__/g, '').trim()}\n\n` : ` ${plain(part.source)}`
    if (!isOfClause && !/[,;\n]$/.test(text) && !beginsClause.test(next)) break
    text += next
  }
  return text
}

const beginsClause =
  /^\s*(?:facing|we (?:have )?(?:decided|chose|opted)|(?:and )?neglect\p{L}+|to achieve|accepting|because)\b/iu

const plain = (text: string) =>
  text
    .replace(/^[ \t]*(?:[-*+>]|\d+[.)])[ \t]+/gm, '')
    .replace(/\s+/g, ' ')
    .replace(/\*\*|__/g, '')
    .trim()

function statementOf(text: string, at: number): YStatement {
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
  const decision = tidy(said.slice(0, found[0]?.from))
  return {
    text,
    decision: `${decision.charAt(0).toUpperCase()}${decision.slice(1)}.`,
    neglected: clause('neglected'),
    rationale: clause('rationale'),
    consequences: clause('consequences'),
  }
}

const tidy = (text: string) => text.replace(/^[\s,;:.]+|[\s,;:.]+$/g, '')
