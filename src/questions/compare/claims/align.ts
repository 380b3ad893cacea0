/** Compares two statements word by word: what both have, and what only one has. */
import type { Token } from './clause.ts'
import { oncePer } from './once-per.ts'
import type { Statement } from './statement.ts'
import { type Value, valuesApart } from './values.ts'

export interface Alignment {
  /** Weight of the words and values that both statements have. */
  shared: number
  /** How many of them are not words that many subjects have in common. */
  strong: number
  /** Share of the weight of the lighter and of the heavier statement. */
  covered: number
  coveredOfLonger: number
  a: Rest
  b: Rest
  /** Both sides qualify a shared word, each by another: “spring meeting” and “autumn meeting”. */
  isOtherKind: boolean
  /** A shared word belongs to something else on one side: “the client of the service”. */
  isOtherThing: boolean
  values: { a: Value[]; b: Value[] }
}

/** The words that one statement has and the other has not. */
export interface Rest {
  /** Not in the rest of the other record either, without names and light words. */
  words: readonly string[]
  names: readonly string[]
  /** In another sentence of the other record. */
  elsewhere: readonly string[]
  /** It limits what is said: “in winter”, “new customers”. */
  isLimited: boolean
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
  const both = shared + weightOfValue * same
  const [lighter, heavier] = [weightOf(a) + weightOfValue * same, weightOf(b) + weightOfValue * same].sort(
    (x, y) => x - y,
  ) as [number, number]
  return {
    shared: both,
    covered: both / Math.max(lighter, lightest),
    coveredOfLonger: both / Math.max(heavier, lightest),
    strong: strong + same,
    a: restOf(a, b, values.a.length > values.b.length),
    b: restOf(b, a, values.b.length > values.a.length),
    isOtherKind: haveOtherKinds(a, b),
    isOtherThing: hasOtherThing(a, b) || hasOtherThing(b, a),
    values,
  }
}

const lightest = 0.1

function weightOf({ words }: Statement, without: ReadonlySet<string> = new Set()): number {
  return [...words].reduce((sum, [word, weight]) => sum + (without.has(word) ? 0 : weight), 0)
}

/** Not counting words that each statement alone has, such as who does it. */
export function coverageWithout(
  a: Statement,
  b: Statement,
  aligned: Alignment,
  own: { a: ReadonlySet<string>; b: ReadonlySet<string> },
): Alignment {
  const weights = [weightOf(a, own.a), weightOf(b, own.b)]
  return {
    ...aligned,
    covered: aligned.shared / Math.max(Math.min(...weights), lightest),
    coveredOfLonger: aligned.shared / Math.max(...weights, lightest),
    a: restWithout(aligned.a, own.a),
    b: restWithout(aligned.b, own.b),
  }
}

function restWithout({ words, names, elsewhere, isLimited }: Rest, own: ReadonlySet<string>): Rest {
  const left = (some: readonly string[]) => some.filter((word) => !own.has(word))
  const rest = { words: left(words), names: left(names), elsewhere: left(elsewhere) }
  return { ...rest, isLimited: isLimited && !(own.size > 0 && isNothing(rest)) }
}

const isNothing = ({ words, names, elsewhere }: Omit<Rest, 'isLimited'>) =>
  words.length + names.length + elsewhere.length === 0

const has = (one: Statement, word: string) => one.words.has(word) || one.context.has(word)

function restOf(one: Statement, other: Statement, hasMoreValues: boolean): Rest {
  const missing = [...one.words.keys()].filter((word) => !other.words.has(word))
  const nowhere = missing.filter((word) => !other.context.has(word))
  return {
    words: nowhere.filter((word) => !one.names.has(word) && one.words.get(word) === 1),
    names: nowhere.filter((word) => one.names.has(word)),
    elsewhere: missing.filter((word) => other.context.has(word)),
    isLimited: hasMoreValues || isLimited(one, other),
  }
}

const article = /^(?:the|a|an|our|its|their)$/
const preposition =
  /^(?:in|for|to|of|on|over|under|with|at|from|after|during|below|above|outside|by|via|through|between|beyond|inside)$/
const limiting =
  /^(?:new|old|first|second|last|winter|summer|spring|autumn|nights?|day|weekends?|weekdays?|holidays?|low|high|premium|legacy|internal|external|deleted|beta|anonymous|registered|guests?|interns?|minors|peak|test|staging|sandbox|demo|trial|small|large|big|major|minor|critical|urgent|private|public|junior|senior|foreign|domestic|international|temporary|children|adults|members|partners)$/

function isLimited(one: Statement, other: Statement): boolean {
  const others = new Set(other.tokens.map(({ lower }) => lower))
  return one.tokens.some(({ meaning, lower }, at) => {
    if (meaning === '' || has(other, meaning) || others.has(lower)) return false
    if (limiting.test(lower)) return true
    if (!one.words.has(meaning)) return false
    const before = one.tokens[article.test(one.tokens[at - 1]?.lower ?? '') ? at - 2 : at - 1]
    if (preposition.test(before?.lower ?? '')) return true
    const next = one.tokens[at + 1]?.meaning ?? ''
    return one.words.get(next) === 1 && other.words.has(next) && !/(?:ed|s)$/.test(lower)
  })
}

function haveOtherKinds(a: Statement, b: Statement): boolean {
  const [kindsA, kindsB] = [kindsIn(a), kindsIn(b)]
  return [...kindsA].some(
    ([word, kinds]) =>
      a.words.get(word) === 1 &&
      kinds.some((kind) => !b.words.has(kind)) &&
      (kindsB.get(word) ?? []).some((kind) => !a.words.has(kind)),
  )
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

/** “The client of the pricing service”, if the other record has a pricing service and no client. */
function hasOtherThing({ tokens, words }: Statement, other: Statement): boolean {
  return tokens.some(({ lower }, at) => {
    if (!/^(?:of|on|about)$/.test(lower)) return false
    const thing = tokens[at - 1]?.meaning ?? ''
    if (words.get(thing) !== 1 || has(other, thing)) return false
    const from = after(tokens, at + 1)
    return tokens.slice(from, from + 3).some(({ meaning }) => words.get(meaning) === 1 && other.words.has(meaning))
  })
}
