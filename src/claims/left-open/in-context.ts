/**
 * Shows a sentence so that a person understands it without its record: “Probably the logger.” lacks what it is about. Only
 * the question shows more; its claim, which an answer retracts, stays the sentence.
 */

import type { Sentence } from '../../text/sentences.ts'
import { givenTitle } from '../source.ts'

/** UTF-16 units of two sentences together. A brief would leave out the second one of a longer pair. */
const longestPair = 170
/** Words of a sentence that are too few to tell what it is about, unless it has a subject and a verb. */
const fewWords = 3

/** The words of a sentence, without its hedge, name nothing that it is about: “the logger, it is old”. */
export function lacksSubject(words: string): boolean {
  const [clause = ''] = words.split(/[,;:]\s/, 1)
  const few = (clause.match(/\p{L}+/gu)?.length ?? 0) <= fewWords
  return (few && !verb.test(clause)) || pronounFirst.test(words)
}

/** Of a question: it asks about “they”, “it”, “them” or “there”, and names nothing before that this can mean. */
export function asksAboutPronoun(question: string): boolean {
  if (pronounAsked.test(question)) return true
  const [pronoun, name] = ofMany.test(question) ? [ofMany, many] : [ofOne, one]
  const found = pronoun.exec(question)
  if (!found) return false
  const before = question.slice(0, found.index)
  // “does the landlord insure it” is about something else than the landlord; “does the landlord pay its tax” is not
  return !name.test(possessive.test(found[0]) ? before : before.slice(0, before.search(lastClause)))
}

const verbs = 'is|are|was|were|am|be|been|has|have|had|will|would|can|could|may|might|must|shall|should|do|does|did'
const verb = new RegExp(`\\b(?:${verbs})\\b`, 'i')
const pronouns = `(?:it|they|he|she)\\b|(?:this|that|these|those)(?=[’']s\\b| (?:${verbs}|means|came|comes|happened|happens|works)\\b)`
const pronounFirst = new RegExp(`^\\W*(?:(?:and|but|so|then|that|because)\\W+)*(?:${pronouns})`, 'i')
const asking = '(?:whether|if|who|whom|whose|which|what|when|where|why|how)(?: (?:many|much|long|often|far|soon))?'
const pronounAsked = new RegExp(
  `^\\W*(?:${asking}\\W+)?(?:(?:${verbs})\\W+(?:this|that|these|those)\\b|(?:(?:${verbs})\\W+)?(?:${pronouns}|them\\b))`,
  'i',
)
const ofMany = /\b(?:they|them|their|these|those)\b/i
const ofOne = new RegExp(
  `\\b(?:its?|he|him|his|she|her)\\b|\\b(?:this|that)(?=\\W*$)|(?<!\\b(?:${verbs}) )\\bthere\\b(?![’']| (?:${verbs})\\b)`,
  'i',
)
const possessive = /^(?:its|his|their)$/i
const newClause = ', |\\b(?:and|but|if|when|once|before|after|because|who|that|so|or) '
const lastClause = new RegExp(`(?:^|${newClause})(?:(?!${newClause}).)*$`, 'i')
/** “The dealers”, “Ada and Ben”. */
const many = /\b(?:the|our|your|all|any|both|no) (?:\p{L}+ )?\p{L}{2,}s\b|\band\b/iu
/** “The depot”, “to Velta”. */
const one = /\b(?:[Tt]he|[Aa]n?|[Oo]ur|[Yy]our|[Ee]ach|[Ee]very|[Aa]ny|[Nn]o) \p{L}| \p{Lu}\p{L}/u

/**
 * The sentence after the one before it in its paragraph; else after the heading that it stands under; else after the title
 * of the record, if the title is not the beginning of the text.
 */
export function inContext(at: number, all: readonly Sentence[], record: { title: string; text: string }): string {
  const { text } = all[at] as Sentence
  const before = sentenceBefore(at, all)
  if (before !== undefined && before.length + text.length < longestPair) return `${before} ${text}`
  const heading = headingOf(at, all) || givenTitle(record)
  return heading === '' ? text : `${heading}: ${text}`
}

/** The heading that a sentence stands under. */
export function headingOf(at: number, all: readonly Sentence[]): string | undefined {
  const heading = all.slice(0, at).findLast((one) => one.isHeading)
  return heading?.text.replace(/[\s:#]+$/, '')
}

/** Directly before it: in the same line, or in the same paragraph if neither is an item of a list. */
function sentenceBefore(at: number, all: readonly Sentence[]): string | undefined {
  const [own, before] = [all[at], all[at - 1]]
  if (!own || !before || before.isHeading || own.isCell) return undefined
  const isNear = before.line === own.line || (before.paragraph === own.paragraph && !own.isItem && !before.isItem)
  return isNear ? before.text : undefined
}
