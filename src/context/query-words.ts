/** Chooses and completes the terms of a query by what the caller's records hold. */
import type { SearchEngine, SearchFilter } from '../ports/search.ts'
import { type Alternative, spellingsOf } from '../text/alternatives.ts'
import { analyze } from '../text/analyzer.ts'
import { maxTerms, type QueryTerms } from '../text/query.ts'

/** Where to look words up. */
export interface Place {
  search: Pick<SearchEngine, 'frequencies' | 'longer' | 'candidates'>
  index: string
  filter: SearchFilter
}

/** Frequencies are compared up to this; more frequent terms are equally common. */
const comparedUpTo = 5_000

/** Of more terms than an engine takes, the rarest that occur at all; terms that the query repeats count as rarer. */
export async function rarest({ terms, weights }: QueryTerms, { search, index, filter }: Place): Promise<QueryTerms> {
  if (terms.length <= maxTerms) return { terms, weights }
  const counts = await search.frequencies(index, filter, terms, comparedUpTo)
  const commonness = (n: number) => {
    const count = counts[n] as number
    return count === 0 ? Number.POSITIVE_INFINITY : count / (weights[n] as number)
  }
  const order = terms.map((_, n) => n).sort((x, y) => difference(commonness(x), commonness(y)) || x - y)
  const kept = order.slice(0, maxTerms).sort((x, y) => x - y)
  return { terms: kept.map((n) => terms[n] as string), weights: kept.map((n) => weights[n] as number) }
}

/** Infinity minus itself is no number. */
function difference(x: number, y: number): number {
  return x === y ? 0 : x - y
}

/** How many words are looked for; a question has few that no record holds. */
const unknownAtMost = 4
// two at .8 rank misspelt questions better than five at .7 (npm run quality)
const spellingsAtMost = 2
/**
 * Longer words that begin with the unknown one. With three of them, search refuses 94.9 % instead of 95.1 % of the questions
 * about another field.
 */
const longerAtMost = 2
/** The shortest of the longer words are looked up, to find how many records hold each. */
const longerCounted = 20
/** How much a word that is like the one asked for counts, beside its likeness. */
const alternativeShare = 0.8
/**
 * How much the word itself goes on counting for what a full answer holds. Otherwise questions about another field, which
 * have many unknown words, would find answers: 6.5 % instead of 5 % of them. With more, few answers to misspelt questions
 * would count as answers.
 */
const unknownShare = 0.6

/** A longer query says enough by its other words. */
const longestJoined = 16
/** How much a word counts that the query writes as two. */
const joinedShare = 0.7

/** Words that records hold and the query writes as two, such as “roll back” and “log in”. Only letters a to z. */
export async function writtenAsOne(
  q: string,
  { terms }: QueryTerms,
  { search, index, filter }: Place,
): Promise<QueryTerms> {
  if (terms.length > longestJoined) return { terms: [], weights: [] }
  const pairs = [...q.toLowerCase().matchAll(/(?<![\p{L}\p{N}])([a-z]{2,})(?= ([a-z]{2,})(?![\p{L}\p{N}]))/gu)]
  const words = new Set(pairs.flatMap(([, one, next]) => analyze(`${one}${next}`)))
  const sought = [...words].filter((word) => !terms.includes(word)).slice(0, longestJoined)
  if (sought.length === 0) return { terms: [], weights: [] }
  const counts = await search.frequencies(index, filter, sought, 1)
  const found = sought.filter((_, n) => counts[n] !== 0)
  return { terms: found, weights: found.map(() => joinedShare) }
}

/**
 * The query with further words that are like those that no record holds, and with those of `further`. `counts`: how many
 * records hold each term. undefined: there are none.
 */
export async function completed(
  { terms, weights }: QueryTerms,
  counts: readonly number[],
  further: QueryTerms,
  place: Place,
): Promise<QueryTerms | undefined> {
  const unknown = terms.flatMap((term, n) => (counts[n] === 0 ? [{ term, n }] : [])).slice(0, unknownAtMost)
  const found = await Promise.all(unknown.map(({ term }) => wordsLike(term, place)))
  const all = new Map(terms.map((term, n) => [term, weights[n] as number]))
  for (const [at, { term, n }] of unknown.entries()) {
    for (const one of found[at] as Alternative[]) {
      if (all.has(one.term) || all.size >= maxTerms) continue
      all.set(term, unknownShare * (weights[n] as number))
      all.set(one.term, alternativeShare * one.likeness * (weights[n] as number))
    }
  }
  for (const [n, term] of further.terms.entries()) {
    if (!all.has(term) && all.size < maxTerms) all.set(term, further.weights[n] as number)
  }
  if ([...all.keys()].every((term) => terms.includes(term))) return undefined
  return { terms: [...all.keys()], weights: [...all.values()] }
}

/** Words of the caller's records that are spelt like the word, and longer ones that begin with it. */
async function wordsLike(word: string, { search, index, filter }: Place): Promise<Alternative[]> {
  const spellings = spellingsOf(word)
  if (spellings.length === 0) return []
  const held = await search.longer(index, filter, word)
  const longer = held
    .map((term) => ({ term, likeness: word.length / term.length }))
    .sort((x, y) => y.likeness - x.likeness)
    .slice(0, longerCounted)
  const terms = [...new Set([...spellings, ...longer].map(({ term }) => term))]
  const found = await search.frequencies(index, filter, terms, comparedUpTo)
  const counts = new Map(terms.map((term, n) => [term, found[n] as number]))
  const near = likest(spellings, counts).slice(0, spellingsAtMost)
  const others = likest(longer, counts).filter((one) => !near.some(({ term }) => term === one.term))
  return [...near, ...others.slice(0, longerAtMost)]
}

/** Those that records hold, likest first. Of equally like ones those that most records hold come first. */
function likest(some: readonly Alternative[], counts: ReadonlyMap<string, number>): Alternative[] {
  const count = ({ term }: Alternative) => counts.get(term) as number
  return some.filter((one) => count(one) > 0).sort((x, y) => y.likeness - x.likeness || count(y) - count(x))
}
