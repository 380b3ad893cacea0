/** Compares two statements word by word: what both have, and what only one has. */
import type { Token } from '../reading/clause.ts'
import { oncePer } from '../reading/once-per.ts'
import type { Statement } from '../reading/statement.ts'
import { type Value, valuesApart } from '../reading/values.ts'

export interface Alignment {
  /** Weight of the words and values that both statements have. */
  shared: number
  /** How many of them are not words that many subjects have in common. */
  strong: number
  a: Rest
  b: Rest
  /** Both sides qualify a shared word, each by another: “spring meeting” and “autumn meeting”. */
  isOtherKind: boolean
  values: { a: Value[]; b: Value[] }
}

/** The words that one statement has and the other has not. */
export interface Rest {
  /** Not in the rest of the other record either, without names and light words. */
  words: readonly string[]
  names: readonly string[]
  /** In another sentence of the other record. */
  elsewhere: readonly string[]
}

const weightOfValue = 0.5

/** undefined: they share no word that tells a subject. */
export function align(a: Statement, b: Statement): Alignment | undefined {
  let shared = 0
  let strong = 0
  for (const [word, weight] of a.words) {
    const other = b.words.get(word)
    if (other === undefined) continue
    shared += Math.min(weight, other)
    if (weight === 1) strong++
  }
  const values = valuesApart(a.values, b.values)
  const same = a.values.length - values.a.length
  if (strong + same === 0) return undefined
  return {
    shared: shared + weightOfValue * same,
    strong: strong + same,
    a: restOf(a, b),
    b: restOf(b, a),
    isOtherKind: haveOtherKinds(a, b),
    values,
  }
}

/** Words that each statement alone has, such as who does it. */
export interface OwnWords {
  a: ReadonlySet<string>
  b: ReadonlySet<string>
}

/** Not counting these words. */
export function alignedWithout(aligned: Alignment, own: OwnWords): Alignment {
  return { ...aligned, a: restWithout(aligned.a, own.a), b: restWithout(aligned.b, own.b) }
}

function restWithout({ words, names, elsewhere }: Rest, own: ReadonlySet<string>): Rest {
  const left = (some: readonly string[]) => some.filter((word) => !own.has(word))
  return { words: left(words), names: left(names), elsewhere: left(elsewhere) }
}

function restOf(one: Statement, other: Statement): Rest {
  const missing = [...one.words.keys()].filter((word) => !other.words.has(word))
  const nowhere = missing.filter((word) => !other.context.has(word))
  return {
    words: nowhere.filter((word) => !one.names.has(word) && one.words.get(word) === 1),
    names: nowhere.filter((word) => one.names.has(word)),
    elsewhere: missing.filter((word) => other.context.has(word)),
  }
}

/** Both qualify a word, each by another: “spring meeting” and “autumn meeting”. */
export function haveOtherKinds(a: Statement, b: Statement): boolean {
  const kindsB = kindsIn(b)
  for (const [word, kinds] of kindsIn(a)) {
    if (a.words.get(word) !== 1 || !kindsB.has(word)) continue
    const isOther = (kind: string) => !b.words.has(kind)
    const isOwn = (kind: string) => !a.words.has(kind)
    if (kinds.some(isOther) && kindsB.get(word)?.some(isOwn)) return true
  }
  return false
}

/** By word: the word before it, and the words after “of”, “for” or “in”. */
const kindsIn = oncePer(({ tokens, words }: Statement): ReadonlyMap<string, string[]> => {
  const found = new Map<string, string[]>()
  for (const [at, { meaning }] of tokens.entries()) {
    if (!words.has(meaning)) continue
    const before = tokens[at - 1]
    const kinds = before && words.has(before.meaning) && !/ed$/.test(before.lower) ? [before.meaning] : []
    if (/^(?:of|for|in)$/.test(tokens[at + 1]?.lower ?? '')) {
      const from = after(tokens, at + 2)
      for (let next = from; next < at + 6 && words.get(tokens[next]?.meaning ?? '') === 1; next++)
        kinds.push((tokens[next] as Token).meaning)
    }
    found.set(meaning, [...(found.get(meaning) ?? []), ...kinds])
  }
  return found
})

/** The first token from `at` on that is no article. */
function after(tokens: readonly Token[], at: number): number {
  let next = at
  while (/^(?:the|a|an|our|its|their|his|her|each|every|all)$/.test(tokens[next]?.lower ?? '')) next++
  return next
}
