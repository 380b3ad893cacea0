/** Two statements that give two names each other's part: “Ada leads and Grace assists”, “Grace leads and Ada assists”. */
import type { Token } from './clause.ts'
import type { Statement } from './statement.ts'

export interface SwappedNames {
  a: ReadonlySet<string>
  b: ReadonlySet<string>
}

const nothing: ReadonlySet<string> = new Set()

export function swappedNames(a: Statement, b: Statement): SwappedNames | undefined {
  if (a.isDenied !== b.isDenied) return undefined
  return areSwappedWithin(a, b) ? { a: nothing, b: nothing } : swappedBetween(a, b)
}

/** “Kestrel pays Ottaway rent” and “Ottaway pays Kestrel rent”. */
function areSwappedWithin(a: Statement, b: Statement): boolean {
  const [partsA, partsB] = [partsIn(a, b), partsIn(b, a)]
  const names = [...partsA.keys()].filter((name) => partsB.has(name))
  return names.some((one) =>
    names.some((other) => {
      const [oneA, otherA, oneB, otherB] = [partsA.get(one), partsA.get(other), partsB.get(one), partsB.get(other)]
      return oneA !== otherA && oneA === otherB && otherA === oneB
    }),
  )
}

/** By name: the word that follows it and that both statements have. */
function partsIn({ tokens, words, names }: Statement, other: Statement): Map<string, string> {
  const found = new Map<string, string>()
  for (const [at, { meaning, isName }] of tokens.entries()) {
    if (!isName || !names.has(meaning) || found.has(meaning)) continue
    const next = tokens
      .slice(at + 1)
      .find((token) => words.has(token.meaning) && other.words.has(token.meaning) && !token.isName)
    if (next) found.set(meaning, next.meaning)
  }
  return found
}

/** Each statement has a name that stands in another sentence of the other record. */
function swappedBetween(a: Statement, b: Statement): SwappedNames | undefined {
  const [left, right] = [namesElsewhere(a, b), namesElsewhere(b, a)]
  return left.length > 0 && right.length > 0 ? { a: new Set(left), b: new Set(right) } : undefined
}

/** Of one name only, which may have several words. */
function namesElsewhere({ tokens, names }: Statement, other: Statement): string[] {
  const isOwn = ({ isName, meaning }: Token) => isName && names.has(meaning) && !other.words.has(meaning)
  const first = tokens.findIndex(isOwn)
  const own = tokens.filter(isOwn)
  const isOneName = tokens.slice(first, first + own.length).every(isOwn)
  return isOneName && own.every(({ meaning }) => other.context.has(meaning)) ? own.map(({ meaning }) => meaning) : []
}
