/** Two statements that give two things each other's part: “Ada leads and Grace assists”, “Grace leads and Ada assists”. */
import type { Statement } from '../reading/statement.ts'

/**
 * “Kestrel pays Ottaway rent” and “Ottaway pays Kestrel rent”. Other words than names count only where two parts are
 * told, in the same words: “the nurse orders and the pharmacist confirms”.
 */
export function areSwapped(a: Statement, b: Statement): boolean {
  const ofAllWords = haveTwoParts.test(a.text) && haveTwoParts.test(b.text) && haveSameWords(a, b)
  const [partsA, partsB] = [partsIn(a, b, ofAllWords), partsIn(b, a, ofAllWords)]
  const names = [...partsA.keys()].filter((name) => partsB.has(name))
  return names.some((one) =>
    names.some((other) => {
      const [oneA, otherA, oneB, otherB] = [partsA.get(one), partsA.get(other), partsB.get(one), partsB.get(other)]
      return oneA !== otherA && oneA === otherB && otherA === oneB
    }),
  )
}

const haveTwoParts = /\b(?:and|while)\b/i
const haveSameWords = (a: Statement, b: Statement) =>
  a.words.size === b.words.size && [...a.words.keys()].every((word) => b.words.has(word))

/** By name: the word that follows it and that both statements have. */
function partsIn({ tokens, words, names }: Statement, other: Statement, ofAllWords: boolean): Map<string, string> {
  const found = new Map<string, string>()
  for (const [at, { meaning }] of tokens.entries()) {
    if (!(ofAllWords ? words.has(meaning) : names.has(meaning)) || found.has(meaning)) continue
    const next = tokens
      .slice(at + 1)
      .find((token) => words.has(token.meaning) && other.words.has(token.meaning) && !token.isName)
    if (next) found.set(meaning, next.meaning)
  }
  return found
}
