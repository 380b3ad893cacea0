/** Two statements that give two names each other's part: “Ada leads and Grace assists”, “Grace leads and Ada assists”. */
import type { Statement } from '../reading/statement.ts'

/** “Kestrel pays Ottaway rent” and “Ottaway pays Kestrel rent”. */
export function areSwapped(a: Statement, b: Statement): boolean {
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
