/**
 * How well the words of a record match a query: BM25 of the whole record and of its best passage, and adjacent words of
 * the query that are adjacent in the record too.
 */
import type { Candidate, Statistics } from '../ports/search.ts'

/** BM25 parameters: k1 saturates repeated terms, b normalises by length. */
export const k1 = 1.5
export const b = 0.6

/** Tokens of a passage. Most records of a team have one to five of them. */
const passageLength = 100
/** How much the best passage counts; the whole record counts the rest. A long record mentions many words by chance. */
const passageShare = 0.5
/** How much two adjacent words count, as a share of what they count alone. */
const pairShare = 0.2

/** Two terms that follow each other in the query, by their positions among its terms. */
export interface Pair {
  first: number
  second: number
  /** How often they follow each other. */
  times: number
}

export interface Asked {
  /** How much each term counts (query.ts). */
  weights: readonly number[]
  pairs: readonly Pair[]
}

/** The adjacent pairs of the query's tokens, among its distinct terms. A word repeated at once is no pair. */
export function pairsOf(tokens: readonly string[], terms: readonly string[]): Pair[] {
  const positions = new Map(terms.map((term, n) => [term, n]))
  const pairs = new Map<string, Pair>()
  for (let at = 1; at < tokens.length; at++) {
    const first = positions.get(tokens[at - 1] as string)
    const second = positions.get(tokens[at] as string)
    if (first === undefined || second === undefined || first === second) continue
    const known = pairs.get(`${first} ${second}`)
    if (known) known.times++
    else pairs.set(`${first} ${second}`, { first, second, times: 1 })
  }
  return [...pairs.values()]
}

export interface Matching {
  /** What each term adds if the record has nothing but it. */
  gains: readonly number[]
  /** The sum of the gains. Few records reach it, because a term's contribution saturates. */
  attainable: number
  of(candidate: Pick<Candidate, 'length' | 'frequencies' | 'places'>): number
}

export function matching({ weights, pairs }: Asked, { documents, length, document_frequencies }: Statistics): Matching {
  const rarity = document_frequencies.map((n) => idf(n, documents) * (k1 + 1))
  const gains = rarity.map((each, n) => (weights[n] as number) * each)
  const average = Math.max(1, length / Math.max(1, documents))
  const averagePassage = Math.min(average, passageLength)
  const pairGains = pairs.map(
    ({ first, second, times }) => pairShare * times * ((rarity[first] as number) + (rarity[second] as number)),
  )

  return {
    gains,
    attainable: gains.reduce((sum, gain) => sum + gain, 0),
    of({ length: own, frequencies, places }) {
      const norm = normOf(own, average)
      let whole = 0
      for (const [n, gain] of gains.entries()) whole += gain * saturated(frequencies[n] as number, norm)
      // an index of an older format has no places
      if (places === undefined) return whole
      const passage = bestPassage(places, gains, own, normOf(Math.min(own, passageLength), averagePassage))
      let sum = (1 - passageShare) * whole + passageShare * passage
      for (const [n, { first, second }] of pairs.entries()) {
        const times = adjacent(places[first] as readonly number[], places[second] as readonly number[])
        if (times > 0) sum += (pairGains[n] as number) * saturated(times, norm)
      }
      return sum
    },
  }
}

/** Inverse document frequency of a term. */
export function idf(documentFrequency: number, documents: number): number {
  const n = Math.min(documentFrequency, documents)
  return Math.log(1 + (documents - n + 0.5) / (n + 0.5))
}

/** The part of BM25's denominator that depends on the length. */
export function normOf(length: number, average: number): number {
  return k1 * (1 - b + (b * length) / Math.max(1, average))
}

/** The part of a term's gain that this many occurrences give. */
export function saturated(frequency: number, norm: number): number {
  return frequency / (frequency + norm)
}

/** The frequency that has this part of a term's gain: the inverse of saturated(). */
export function frequencyOf(share: number, norm: number): number {
  return (norm * share) / Math.max(1e-6, 1 - share)
}

/** BM25 of the passage that matches best. */
function bestPassage(
  places: readonly (readonly number[])[],
  gains: readonly number[],
  length: number,
  norm: number,
): number {
  const sums = new Float64Array(Math.ceil(length / passageLength))
  for (const [n, ofTerm] of places.entries()) {
    const gain = gains[n] as number
    for (let from = 0; from < ofTerm.length; ) {
      const passage = Math.floor((ofTerm[from] as number) / passageLength)
      let to = from + 1
      while (to < ofTerm.length && (ofTerm[to] as number) < (passage + 1) * passageLength) to++
      sums[passage] = (sums[passage] as number) + gain * saturated(to - from, norm)
      from = to
    }
  }
  return sums.reduce((most, sum) => Math.max(most, sum), 0)
}

/** How often one place of `first` is directly followed by one of `second`. */
function adjacent(first: readonly number[], second: readonly number[]): number {
  let count = 0
  let next = 0
  for (const place of first) {
    while (next < second.length && (second[next] as number) <= place) next++
    if (second[next] === place + 1) count++
  }
  return count
}
