/**
 * Decides whether two records make the same claim in other words, by the statements that are compared for contradictions:
 * two are about one subject, and differ in nothing. Precision comes before recall, because a wrong finding costs a person's
 * time.
 */

import { analyze } from '../text/analyzer.ts'
import { contradictionOf } from './contradiction.ts'
import { align, type Rest } from './difference/align.ts'
import { denialBetween } from './difference/denial.ts'
import { mostRead, type Source } from './reading/source.ts'
import { type Statement, statementsOf } from './reading/statement.ts'

/** Words that only the more detailed claim has, as in “Redis streams”. A claim with more of them says something else. */
const mostDetails = 2
/** Words that two claims must share. Two are a subject only if nothing else is said. */
const leastShared = 2

export function isRepeated(a: Source, b: Source): boolean {
  const others = statementsOf(b)
  if (!statementsOf(a).some((one) => others.some((other) => isOneClaim(one, other)))) return false
  return areSameTopic(a, b) && !haveOtherTitles(a, b) && contradictionOf(a, b) === undefined
}

function isOneClaim(a: Statement, b: Statement): boolean {
  if ([a, b].some(({ isQualified, isForeign, tellsChange }) => isQualified || isForeign || tellsChange)) return false
  if (a.isDenied !== b.isDenied || isClosed(a.text) !== isClosed(b.text)) return false
  const aligned = align(a, b)
  if (!aligned || aligned.isOtherKind || denialBetween(a, b, aligned)) return false
  if (aligned.values.a.length + aligned.values.b.length > 0) return false
  const [ownA, ownB] = [ownWords(aligned.a), ownWords(aligned.b)]
  if (ownA > 0 && ownB > 0) return false
  const { strong } = aligned
  return strong >= leastShared && ownA + ownB <= (strong > leastShared ? mostDetails : 1)
}

const isClosed = (text: string) => /\b(?:only|solely|exclusively|exactly)\b/i.test(text)
const ownWords = ({ words, names }: Rest) => words.length + names.length

/** Titles name the topic: a third of the words of one title must occur in the other record. */
function areSameTopic(a: Source, b: Source): boolean {
  const isWithin = (one: Source, other: Source) => {
    const [title, words] = [analyze(one.title), wordsOf(other)]
    return title.length === 0 ? other.title === '' : 3 * title.filter((word) => words.has(word)).length >= title.length
  }
  return isWithin(a, b) || isWithin(b, a)
}

/** Each title has a word that the other record does not have: “Logs of orders” and “Logs of invoices”. */
function haveOtherTitles(a: Source, b: Source): boolean {
  const hasOwn = (one: Source, other: Source) => {
    const words = wordsOf(other)
    return analyze(one.title).some((word) => !words.has(word))
  }
  return hasOwn(a, b) && hasOwn(b, a)
}

const wordsOf = ({ title, text }: Source) => new Set(analyze(`${title} ${text.slice(0, mostRead)}`))
