/**
 * The only scorer (SEMANTICS 3): ranks the candidates of either engine by BM25. Its statistics cover only records that
 * the caller sees.
 */
import { strict as assert } from 'node:assert'
import type { Candidate, Statistics } from '../ports/search.ts'

/** BM25 parameters: k1 saturates repeated terms, b normalises by length. */
export const k1 = 0.9
export const b = 0.4

/** The least score of a hit that answers the query; the default threshold of decision.search. */
export const answers = 0.5

export interface Scored {
  candidate: Candidate
  /** BM25, including the share of nearness. */
  bm25: number
  /** 0 to 1, in the order of bm25. 0.5 or more: it answers the query. */
  score: number
}

/**
 * Best first, by compareRanks. `weights` has the number of occurrences of each term in the query (query.ts); default 1.
 * `nearness` (space.ts), from 0 to 1 by row id, adds to BM25. Whether a record answers the query depends on words only.
 */
export function score(
  candidates: readonly Candidate[],
  statistics: Statistics,
  weights?: readonly number[],
  nearness?: ReadonlyMap<string, number>,
): Scored[] {
  const terms = statistics.document_frequencies.length
  const gains = statistics.document_frequencies.map(
    (n, i) => (weights?.[i] ?? 1) * idf(n, statistics.documents) * (k1 + 1),
  )
  const attainable = gains.reduce((sum, gain) => sum + gain, 0)
  const average = statistics.length / Math.max(1, statistics.documents)
  const byWords = candidates.map((candidate) => {
    assert(candidate.frequencies.length === terms)
    return bm25Of(candidate, gains, average)
  })
  const best = byWords.reduce((most, bm25) => Math.max(most, bm25), 0)
  const enough = attainable * answeringShare(terms)
  // if one record answers the query, records close to it count as answers too
  const needed = best >= enough ? enough * companionShare : enough
  const scored = candidates.map((candidate, n) => {
    const byNearness = nearness === undefined ? 0 : (nearness.get(candidate.id) ?? 0) * enough * nearnessShare
    const bm25 = (byWords[n] as number) + byNearness
    return { candidate, bm25, score: needed > 0 ? Math.min(1, answers * Math.sqrt(bm25 / needed)) : 0 }
  })
  return scored.sort((x, y) => compareRanks(rankOf(x), rankOf(y)))
}

/** A place in the order of hits. */
export interface Rank {
  bm25: number
  valid_from: string
  /** The row id: two revisions have the same record id. */
  id: string
}

export function rankOf({ bm25, candidate: { valid_from, id } }: Scored): Rank {
  return { bm25, valid_from, id }
}

/** By bm25, then the later valid_from, then id. Negative: `x` comes first. */
export function compareRanks(x: Rank, y: Rank): number {
  if (x.bm25 !== y.bm25) return y.bm25 - x.bm25
  if (x.valid_from !== y.valid_from) return x.valid_from < y.valid_from ? 1 : -1
  return x.id < y.id ? -1 : x.id > y.id ? 1 : 0
}

/** BM25 of one candidate. It never reaches the attainable BM25, because a term's contribution saturates. */
function bm25Of({ length, frequencies }: Candidate, gains: readonly number[], average: number): number {
  const norm = k1 * (1 - b + (b * length) / Math.max(1, average))
  let sum = 0
  for (let i = 0; i < gains.length; i++) {
    const n = frequencies[i] as number
    if (n > 0) sum += ((gains[i] as number) * n) / (n + norm)
  }
  return sum
}

/** Inverse document frequency of a term. */
export function idf(documentFrequency: number, documents: number): number {
  const n = Math.min(documentFrequency, documents)
  return Math.log(1 + (documents - n + 0.5) / (n + 0.5))
}

/**
 * BM25 that a nearness of 1 adds, as a share of what answers the query. Never an answer by itself (a score of 0.3 at
 * most), but enough to order records with similar words.
 */
const nearnessShare = 0.25

/**
 * Once one record answers the query, the others need only this share of the BM25 that answers it. That keeps 96 % of
 * the relevant records among the first ten for the questions of cacm, cranfield and cisi (82 % without it), and makes
 * no further question count as answered.
 */
const companionShare = 0.7

/**
 * The share of the attainable BM25 from which on a record answers a query with this many terms. It falls with more
 * terms, because fewer of them coincide by chance. Fitted, with title weight 2, on questions of cacm, cranfield and
 * cisi asked of a collection from another field, and on one half of test/quality/adr; `npm run quality` measures the
 * other half. A query of one or two terms needs only one full match.
 */
function answeringShare(terms: number): number {
  return Math.min(0.15 + 0.1 * terms, 0.42, 0.09 + 1.7 / Math.max(1, terms))
}
