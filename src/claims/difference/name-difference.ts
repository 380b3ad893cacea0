/** Two statements that give different names for one thing: who owns it, where it is, what it runs on. */

import type { Token } from '../reading/clause.ts'
import { leaveRoom } from '../reading/modality.ts'
import type { Statement } from '../reading/statement.ts'
import { meaningOf, stemOf } from '../reading/vocabulary.ts'
import type { Alignment, OwnWords } from './align.ts'
import { haveOtherStates } from './denial.ts'

/** The names of each statement alone, if they may be names of one thing. */
export function otherNames(a: Statement, b: Statement, aligned: Alignment): OwnWords | undefined {
  const [left, right] = [spansIn(a, aligned.a.names), spansIn(b, aligned.b.names)]
  // with two names on both sides, one tells which thing it is: “the courier at Lindenhof is Medirapid”
  if (left.length > 1 && right.length > 1) return undefined
  if (left.length === 0 || right.length === 0 || haveOtherStates(a, b)) return undefined
  if (mayDoMore(a) || mayDoMore(b)) return undefined
  if (doOtherThings(a, b) || mayBeSeveral(a, b)) return undefined
  if (areListed(a, aligned.a.names) !== areListed(b, aligned.b.names) && leaveRoom(a, b)) return undefined
  if (!left.every((one) => right.every((other) => areDifferent(one, other)))) return undefined
  if (!haveOneRole(roleIn(a, aligned.a.names), roleIn(b, aligned.b.names))) return undefined
  return { a: new Set(aligned.a.names), b: new Set(aligned.b.names) }
}

/** “In Denmark we …” and “In the United Kingdom we …”: each speaks of another place, customer or team. */
export function haveOtherPlaces(a: Statement, b: Statement): boolean {
  const [one, other] = [placeOf(a), placeOf(b)]
  const only = one.filter((name) => !b.words.has(name))
  const against = other.filter((name) => !a.words.has(name))
  return (only.length > 0 && (against.length > 0 || hasOwnName(b, a))) || (against.length > 0 && hasOwnName(a, b))
}

const hasOwnName = ({ names }: Statement, { words }: Statement) => [...names].some((name) => !words.has(name))

/** The names that follow a preposition at the beginning, or after the first noun: “the showroom in Basel”. */
function placeOf({ tokens }: Statement): string[] {
  const isArticle = /^(?:the|our)$/.test(tokens[0]?.lower ?? '')
  const at = isArticle && tokens[1]?.isName === false ? 2 : 0
  if (!/^(?:in|at|for|on)$/.test(tokens[at]?.lower ?? '')) return []
  const rest = tokens.slice(at + 1, at + 6)
  const end = rest.findIndex(({ isName, lower }) => !isName && !skipped.test(lower) && !/^(?:and|of)$/.test(lower))
  return rest.slice(0, end < 0 ? undefined : end).flatMap(({ isName, meaning }) => (isName ? meaning : []))
}

const skipped = /^(?:the|a|an|our|team|only)$/
const agent = /^(?:by|with|through|via|from|over|to)$/
/** Before a name that stands for what is spoken of: at the start of the statement, or as in “the owner is Ada”. */
const subject = /^(?:|is|are|was|uses?|[,:])$/

/** The word before the first of the names. */
function roleIn({ tokens }: Statement, names: readonly string[]): string {
  const before = tokens.slice(
    0,
    tokens.findIndex(({ isName, meaning }) => isName && names.includes(meaning)),
  )
  return before.findLast(({ lower }) => !skipped.test(lower))?.lower ?? ''
}

/** “Built by Ada” and “Grace builds it”, but not “described in OpenAPI” and “at the 95th percentile”. */
const haveOneRole = (a: string, b: string) =>
  a === b ||
  subject.test(a) ||
  subject.test(b) ||
  (agent.test(a) && agent.test(b) && [a, b].sort().join() !== 'from,to')

/** Verbs that do not exclude doing the same with something else. */
const doesManyThings =
  /\b(?:implement\w*|provid\w+|adopt\w*|add(?:s|ed)?|introduc\w+|creat\w+|integrat\w+|follow\w*|find|found|configur\w+|decided|existing|joined|sold|monitors?|monitored|members? of|access|sits? (?:in|on)|part of|among|such as|for example|for instance|includ\w+|e\.g)\b/i

/** “Needs iOS 16”, and Android 12. */
const needsName = /\b(?:needs?|requires?) i?\p{Lu}/u
const mayDoMore = ({ text }: Statement) => doesManyThings.test(text) || needsName.test(text)

/** “May be approved by Ada”, and by others. */
export const mayBeSeveral = (a: Statement, b: Statement) =>
  [a, b].some(({ text }) => /\bmay\b/i.test(text)) && leaveRoom(a, b)

/** “Ada wrote the policy” and “the policy was approved by Grace”. */
const doOtherThings = (a: Statement, b: Statement) => hasOwnDeed(a, b) && hasOwnDeed(b, a)
const hasOwnDeed = ({ tokens }: Statement, { words }: Statement) =>
  tokens.some(({ meaning }) => deeds.has(meaning) && !words.has(meaning))
const deeds: ReadonlySet<string> = new Set(
  'write approve review publish test'.split(' ').map((word) => meaningOf(stemOf(word))),
)

/** “A, B and C”: the list may go on. */
function areListed({ tokens }: Statement, names: readonly string[]): boolean {
  const isOwn = ({ isName, meaning }: Token) => isName && names.includes(meaning)
  const [first, last] = [tokens.findIndex(isOwn), tokens.findLastIndex(isOwn)]
  return tokens.slice(first, last).some(({ lower }) => lower === ',' || lower === 'and')
}

function spansIn({ tokens }: Statement, names: readonly string[]): string[] {
  const own = new Set(names)
  const spans: string[][] = [[]]
  for (const { isName, meaning, written } of tokens) {
    if (isName && own.has(meaning)) spans.at(-1)?.push(written)
    else if (spans.at(-1)?.length) spans.push([])
  }
  return spans.filter((span) => span.length > 0).map((span) => span.join(' '))
}

/** “GHA” of “GitHub Actions”. */
const initialsOf = (name: string) =>
  name
    .split(/[\s._/-]+|(?<=\p{Ll})(?=\p{Lu})/u)
    .map((word) => word.slice(0, 1))
    .join('')
    .toLowerCase()

/** Not short forms, initials or acronyms of each other. */
function areDifferent(a: string, b: string): boolean {
  const [one, other] = [a.toLowerCase(), b.toLowerCase()]
  const parts = (name: string) => name.split(/[\s._/-]+/).filter((word) => word.length > 1)
  if (initialsOf(a) === other || initialsOf(b) === one) return false
  const only = parts(one).filter((word) => !parts(other).includes(word))
  const against = parts(other).filter((word) => !parts(one).includes(word))
  return only.length > 0 && against.length > 0 && only[0]?.slice(0, 3) !== against[0]?.slice(0, 3)
}
