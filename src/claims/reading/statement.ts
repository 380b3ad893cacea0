/** Reads a text into statements, one for each clause. */
import { sentencesOf } from '../../text/sentences.ts'
import { type Clause, readClause } from './clause.ts'
import { closes, type Item, listsIn } from './lists.ts'
import { isForeign } from './modality.ts'
import { oncePerSource } from './source.ts'
import type { Value } from './values.ts'

export interface Statement extends Clause {
  /** The sentence, verbatim. */
  text: string
  /** The clause of the sentence, without quotations. */
  clause: string
  /** Meanings of the words in the title and in the other clauses of the record. */
  context: ReadonlySet<string>
  /** Values of all clauses of the record. */
  allValues: readonly Value[]
  isForeign: boolean
  lists: readonly (readonly Item[])[]
  /** Its sentence, or the next one, says that what it lists is complete. */
  isClosed: boolean
}

/** Clauses compared of one text. */
const mostStatements = 24

export const statementsOf = oncePerSource(500, ({ title, text }): readonly Statement[] => {
  const clauses = sentencesOf(text)
    .filter(({ isHeading }) => !isHeading)
    .flatMap(({ text: sentence, own }, at, all) => {
      const next = all[at + 1]?.own ?? ''
      const isClosed = closes(own) || closes(next)
      const ofSentence = { text: sentence, isForeign: isForeign(own), lists: listsIn(own), isClosed }
      return clausesOf(own).map((clause) => ({ clause, ofSentence, isEnded: endsBefore.test(next) }))
    })
    .slice(0, mostStatements)
    .map(({ clause, ofSentence, isEnded }) => {
      const read = readClause(clause)
      return { ...read, ...ofSentence, clause, tellsChange: read.tellsChange || isEnded }
    })
  const ofTitle = readClause(title)
  const inTitle = ofTitle.tokens.map(({ meaning }) => meaning)
  const allValues = clauses.flatMap(({ values }) => values)
  return clauses.map((read, at) => {
    const others = clauses.flatMap((other, nth) => (nth === at ? [] : other.tokens.map(({ meaning }) => meaning)))
    const before = clauses[at - 1] ?? ofTitle
    const words = pronoun.test(read.clause) ? new Map([...before.words, ...read.words]) : read.words
    return { ...read, words, allValues, context: new Set([...inTitle, ...others]) }
  })
})

/** The sentence before it tells a change. */
const endsBefore = /^\W*(?:until|up to|before) (?:then|that)\b[^.;]*\b(?:was|were|had|did)\b/i

/** It speaks of what the clause before it, or the title, speaks of. */
const pronoun = /^\W*(?:it|those|they)\b/i

/** A sentence that starts with one of these is not split: its start applies to the rest. */
const leading =
  /^(?:previously|formerly|originally|initially|until|when|whenever|where|after|before|with|without|outside|while|as long|once|if|unless|since)\b/i

/** Where a sentence starts another statement. */
const splits =
  /;\s+|\s+[—–-]\s+|,\s+(?=(?:and\s+)?(?:but|so|because|since|which|who|where|while|whereas|although|hence|then|not even|even|as|plus|says|according to|they|it|we|there(?:['’]s)?|nobody|no one|all of|both of|one of|the \w+ (?:answers|enforces|checks|does|is|are|stays|measures|keeps|has|was|will|can|must))\s)|,\s+(?=the \w+ (?:also |just |only |then )?\w+s (?:it|them)\b)|,\s+(?=and the\s)|\s+(?=(?:because|so that|and then|whereas)\s)/u

const clausesOf = (own: string): string[] =>
  leading.test(own) ? [own] : own.split(splits).filter((part) => part.trim() !== '')
