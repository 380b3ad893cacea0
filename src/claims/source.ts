/** The title of a record and the text that it asserts. */
import type { Picked } from '../ports/documents.ts'
import { type AnyMutable, isReport } from '../records/body.ts'
import type { PrecedentRecord } from '../records/record.ts'
import { claimsIn } from '../records/superseded-claims.ts'
import { literal } from '../text/literal.ts'
import { sentencesOf } from '../text/sentences.ts'
import { clausesOf, partsOf, withoutStop } from './clauses.ts'
import { normalized } from './normalized.ts'
import type { Source } from './reading/source.ts'

type Row = Picked<PrecedentRecord, 'kind' | 'title' | 'text' | 'body' | 'mutable'>

/** What a record says, without its retracted claims. */
export function statementOf(row: Row): Source {
  return { title: givenTitle(row), text: withoutRetracted(assertedBy(row), row.mutable) }
}

/**
 * What is compared with other records to find contradictions: the same, without what the report of a session leaves to do.
 * That does not say how things are.
 */
export function sourceOf(row: Row): Source {
  const { title, text } = statementOf(row)
  return { title, text: isReport(row) ? text.replace(leftToDo, ' ') : text }
}

/** A decision asserts its judgment. Its other texts give reasons. */
function assertedBy(row: Row): string {
  return row.kind === 'decision' ? row.body.judgment : row.text
}

const start = String.raw`(?:^|(?<=[.!?)]\s|\n[ \t*-]{0,8}))`
const leftLabel = String.raw`(?:Left|Leftover|Next|Open|Still|Remaining|Missing|Pending|Outstanding|To[ -]?do|TODO|Not(?: yet)?|Follow[ -]?ups?)(?: \p{Ll}+){0,2}`
const label = String.raw`\p{Lu}[\p{L} ’'-]{1,30}`
/** “Left: …”, “Next: …”, “Not done yet: …”, up to the next label or the end of the paragraph. */
const leftToDo = new RegExp(
  String.raw`${start}\**${leftLabel}\**:\s*\S[\s\S]*?(?=${start}\**${label}\**:\s|\n[ \t]{0,8}\n|$)`,
  'gu',
)

/** Empty if the title is only the beginning of the text. */
export function givenTitle({ title, text }: Pick<Row, 'title' | 'text'>): string {
  const beginning = normalized(text.slice(0, 2 * title.length + 40))
  return beginning.startsWith(normalized(title.replace(/…$/, ''))) ? '' : title
}

/**
 * The text without its retracted sentences and clauses: those that were superseded while the record stays in force
 * (SEMANTICS 6). If only a question inside a clause was retracted, the clause stays.
 */
export function withoutRetracted(text: string, mutable: AnyMutable): string {
  const retracted = claimsIn(mutable)
  if (retracted.length === 0) return text
  const sentences = new Set(sentencesOf(text).map((sentence) => sentence.text))
  // in the order in which they were retracted: each was a sentence or a clause of what was left
  return retracted.reduce((left, { claim }) => {
    // most are whole sentences, and reading the sentences again for each takes long
    const rest = sentences.has(claim) ? left.replace(placesOf(claim), ' ') : left
    return rest === left ? withoutClaim(left, claim) : rest
  }, text)
}

function withoutClaim(text: string, claim: string): string {
  const sentences = sentencesOf(text).map((sentence) => sentence.text)
  if (sentences.includes(claim)) return text.replace(placesOf(claim), ' ')
  const clauses = new Set(sentences.flatMap(clausesOf).map(withoutStop))
  const retracted = partsOf(claim)
    .map(withoutStop)
    .filter((part) => clauses.has(part))
  return retracted.reduce(withoutClause, text)
}

/** If it was the last clause, the one before it ends the sentence now. */
function withoutClause(text: string, clause: string): string {
  const { source } = placesOf(clause)
  return text.replace(new RegExp(`;\\s+${source}\\.?(?!;)`, 'gu'), '.').replace(new RegExp(`${source}[;.]?`, 'gu'), ' ')
}

/** Matches the sentence in the text, even if the text has a line break within it. */
function placesOf(sentence: string): RegExp {
  const words = sentence.split(/\s+/).map(literal)
  return new RegExp(`(?<![\\p{L}\\p{N}])${words.join('\\s+')}(?![\\p{L}\\p{N}])`, 'gu')
}
