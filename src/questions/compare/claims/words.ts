/** Splits a sentence into words with their stems, and recognizes verbs by their position. */

import { LRUCache } from 'lru-cache'
import { analyze } from '../../../text/analyzer.ts'
import { actions, canonicalOf, genericWords, stemOf, stopWords } from './synonyms.ts'
import { isNegative } from './wording.ts'

export interface Word {
  /** The word in lower case. */
  lower: string
  /** Empty for stop words. */
  stems: string[]
  /** A verb, or a noun made from one. */
  isAction: boolean
}

export const wordPattern = /[\p{L}\p{N}](?:[\p{L}\p{N}_./@#+'’-]*[\p{L}\p{N}_#+])?/gu

export function wordOf(word: string, raw: readonly string[], at: number): Word {
  const lower = word.toLowerCase()
  const isThing = isThingAt(raw, at)
  const stems = isNegative(lower) ? [] : isThing ? [stemOf(lower)] : stemsOf(lower)
  const isDone = (!isThing && stems.some((stem) => actions.has(stem))) || (!/^\p{Lu}/u.test(word) && isVerbAt(raw, at))
  return { lower, stems, isAction: isDone }
}

/** “Payments” in “payments API”: a noun that describes the next word, not an action. */
function isThingAt(raw: readonly string[], at: number): boolean {
  const [word, next = ''] = [(raw[at] as string).toLowerCase(), raw[at + 1]]
  return thing.test(word) && /^\p{L}/u.test(next) && !stopWords.has(next.toLowerCase())
}

const thing = /(?:ments?|tions?|als?|ures?|ances?)$/

/** Stems of a word in lower case, wherever it stands. */
export function anyStemsOf(word: string): string[] {
  return thing.test(word) ? [...stemsOf(word), stemOf(word)] : stemsOf(word)
}

/** A verb by its position: “must feed”, “we feed”, “is fed”. */
function isVerbAt(raw: readonly string[], at: number): boolean {
  const word = (raw[at] as string).toLowerCase()
  const before = raw.slice(0, at).findLast((one) => !adverbial.test(one)) ?? ''
  return auxiliary.test(before) || (being.test(before) && /(?:ed|[^aeiou]en)$/.test(word))
}
const adverbial = /^(?:not|also|only|be|\p{L}+ly)$/iu
const auxiliary =
  /^(?:must|may|can|cannot|shall|will|we|they|you|i|don['’]t|doesn['’]t|do|does|never|mustn['’]t|can['’]t)$/i
const being = /^(?:is|are|be|been|get|gets|being|isn['’]t|aren['’]t)$/i

/** Stems of a word in lower case; empty for stop words. */
export function stemsOf(word: string): string[] {
  const known = stemsOfWords.get(word)
  if (known) return known
  const stems = makeStems(word)
  stemsOfWords.set(word, stems)
  return stems
}

const stemsOfWords = new LRUCache<string, string[]>({ max: 20_000 })

function makeStems(word: string): string[] {
  if (stopWords.has(word)) return []
  const plain = word.replace(/['’]s?$/, '').replace(/^(?:[ldnsjc]|qu)['’]/, '')
  // a name with punctuation is one word: “shipping-cache” is not about shipping
  if (/[./@#+-]/.test(plain) || /\d/.test(plain)) return [plain]
  return plain
    .split('_')
    .filter((part) => analyze(part).length > 0)
    .flatMap(stemsOfPart)
}

function stemsOfPart(part: string): string[] {
  const stem = stemOf(part)
  if (stopWords.has(stem)) return []
  const one = canonicalOf(stem)
  // “manager” is a person, not a form of “manage”
  return [actions.has(one) && doer.test(part) && !doings.test(part) ? part.replace(/s$/, '') : one]
}
const doer = /^\p{L}{3,}(?:er|or)s?$/u
const doings = /^(?:answer|cover|deliver|enter|offer|order|register|transfer|monitor|filter|trigger|render|gather)s?$/

/** Stems of the words in a text that identify a subject. */
export function wordsOf(text: string): Set<string> {
  const words = text.match(wordPattern) ?? []
  return new Set(words.flatMap((word) => stemsOf(word.toLowerCase())).filter((word) => !genericWords.has(word)))
}
