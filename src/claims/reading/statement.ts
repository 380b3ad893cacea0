/** Reads a text into statements, one for each clause. */
import { sentencesOf } from '../../text/sentences.ts'
import { type Clause, readClause } from './clause.ts'
import { closes, type Item, listsIn } from './lists.ts'
import { isForeign } from './modality.ts'
import { oncePerSource, type Source } from './source.ts'
import type { Value } from './values.ts'

export interface Statement extends Clause {
  /** The sentence, verbatim. */
  text: string
  /** The clause of the sentence, without quotations. */
  clause: string
  /** Meanings of the words in the title and in the other clauses of the record. */
  context: Pick<ReadonlySet<string>, 'has'>
  /** Values of all clauses of the record. */
  allValues: readonly Value[]
  isForeign: boolean
  lists: readonly (readonly Item[])[]
  /** Its sentence, or the next one, says that what it lists is complete. */
  isClosed: boolean
}

/** Clauses compared of one text. */
const mostStatements = 24

export const statementsOf = oncePerSource(500, readStatements)

/** Keeps nothing: for a part of a text, of which the caller keeps the statements. */
export function readStatements({ title, text }: Source): readonly Statement[] {
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
  const contextOf = contextsOf(ofTitle, clauses)
  const allValues = clauses.flatMap(({ values }) => values)
  return clauses.map((read, at) => {
    const before = clauses[at - 1] ?? ofTitle
    const words = pronoun.test(read.clause) ? new Map([...before.words, ...read.words]) : read.words
    return { ...read, words, allValues, context: contextOf(at) }
  })
}

/**
 * The context of each clause. It is looked up in what all clauses share: a set for each clause would take the square of
 * their number.
 */
function contextsOf(title: Clause, clauses: readonly Clause[]): (at: number) => Statement['context'] {
  const inTitle = new Set(title.tokens.map(({ meaning }) => meaning))
  /** Of each meaning the first and the last clause that have it. */
  const places = new Map<string, { first: number; last: number }>()
  for (const [at, { tokens }] of clauses.entries()) {
    for (const { meaning } of tokens) {
      const place = places.get(meaning)
      if (place) place.last = at
      else places.set(meaning, { first: at, last: at })
    }
  }
  return (at) => ({
    has(word) {
      const place = places.get(word)
      return inTitle.has(word) || (place !== undefined && (place.first !== at || place.last !== at))
    },
  })
}

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
