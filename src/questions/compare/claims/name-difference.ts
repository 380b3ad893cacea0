/** Two statements that give different names for one thing: who owns it, where it is, what it runs on. */
import type { Alignment } from './align.ts'
import type { Statement, Token } from './statement.ts'

export function haveOtherNames(a: Statement, b: Statement, { a: restA, b: restB }: Alignment): boolean {
  const [left, right] = [spansIn(a, restA.names), spansIn(b, restB.names)]
  const [one, other] = [left[0], right[0]]
  if (!one || !other || left.length > 1 || right.length > 1) return false
  // “the owner of Kestrel” names no owner, and “aisle 6” is no name of a thing
  if (doesManyThings.test(a.text) || doesManyThings.test(b.text)) return false
  if (one.isPart || other.isPart || /_\d/.test(one.text + other.text)) return false
  return areDifferent(one.text, other.text)
}

/** Verbs that do not exclude doing the same with something else. */
const doesManyThings =
  /\b(?:implement\w*|provid\w+|adopt\w*|add(?:s|ed)?|introduc\w+|creat\w+|integrat\w+|follow\w*|find|found|configur\w+|decided|existing|monitors?|monitored|e\.g)\b/i

interface Span {
  text: string
  /** After “of” or “for”. */
  isPart: boolean
}

function spansIn({ tokens }: Statement, names: readonly string[]): Span[] {
  const own = new Set(names)
  const isOwn = (token: Token | undefined) => token?.isName === true && own.has(token.meaning)
  const found: Span[] = []
  for (let at = 0; at < tokens.length; at++) {
    if (!isOwn(tokens[at])) continue
    const from = at
    while (isOwn(tokens[at + 1]) || (joint.test(tokens[at + 1]?.lower ?? '') && isOwn(tokens[at + 2]))) at++
    const written = tokens.slice(from, at + 1).map((token) => token.written)
    found.push({ text: written.join(' '), isPart: isAfterOf(tokens, from) })
  }
  return found
}

const joint = /^(?:of|de|van|von|&|the|la|da|der)$/

function isAfterOf(tokens: readonly Token[], from: number): boolean {
  const roles = tokens.slice(Math.max(0, from - 4), from).map(({ lower }) => lower)
  return /^(?:of|for)$/.test(roles.findLast((lower) => role.test(lower)) ?? '')
}

const role =
  /^(?:by|with|call|ask|is|are|be|was|in|at|on|inside|within|into|to|from|use|uses|using|through|via|over|of|for|[,;:()])$/

/** Not short forms, initials or acronyms of each other. */
function areDifferent(a: string, b: string): boolean {
  const [one, other] = [a.toLowerCase(), b.toLowerCase()]
  const parts = (name: string) => name.split(/[\s._/-]+/).filter((word) => word.length > 1)
  const initials = (name: string) =>
    parts(name)
      .map((word) => word[0])
      .join('')
  if (initials(one) === other || initials(other) === one || one.slice(0, 3) === other.slice(0, 3)) return false
  return parts(one).every((word) => !parts(other).includes(word))
}
