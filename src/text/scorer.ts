/**
 * The one scorer (SEMANTICS 3): ranks what either engine proposes, by BM25 over what the caller sees and nothing else.
 */
import { strict as assert } from 'node:assert'
import type { Candidate, Statistics } from '../ports/search.ts'

/** How soon more of the same term counts no more, and how much a long record counts less. */
export const k1 = 0.9
export const b = 0.4

/** From this score on a hit answers the question (decision search cuts here). */
export const answers = 0.5

export interface Scored {
  candidate: Candidate
  /** With what nearness adds. */
  bm25: number
  /** 0 to 1, in the order of bm25; 0.5: answers the question. */
  score: number
}

/**
 * Best first, by compareRanks. `weights` says per term how often the query asks for
 * it (termsOf in query.ts), once where left out. `nearness` (space.ts), by id and from 0 to 1, adds to what words bring;
 * whether a question is answered at all, and so what is needed, words alone tell.
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
  const worth = candidates.map((candidate) => {
    assert(candidate.frequencies.length === terms)
    return bm25Of(candidate, gains, average)
  })
  const best = worth.reduce((most, bm25) => Math.max(most, bm25), 0)
  const enough = attainable * answeringShare(terms)
  // where one answers the question, it is a question to these records, and what comes close to it answers it too
  const needed = best >= enough ? enough * companionShare : enough
  const scored = candidates.map((candidate, n) => {
    const meant = nearness === undefined ? 0 : (nearness.get(candidate.id) ?? 0) * enough * nearnessShare
    const bm25 = (worth[n] as number) + meant
    return { candidate, bm25, score: needed > 0 ? Math.min(1, answers * Math.sqrt(bm25 / needed)) : 0 }
  })
  return scored.sort((x, y) => compareRanks(rankOf(x), rankOf(y)))
}

/** A place in the order of hits. */
export interface Rank {
  bm25: number
  valid_from: string
  /** Of the row: of two revisions the records are the same. */
  id: string
}

export function rankOf({ bm25, candidate: { valid_from, id } }: Scored): Rank {
  return { bm25, valid_from, id }
}

/** Negative: `x` comes first. Best first; of equals the one valid later, then by id. */
export function compareRanks(x: Rank, y: Rank): number {
  if (x.bm25 !== y.bm25) return y.bm25 - x.bm25
  if (x.valid_from !== y.valid_from) return x.valid_from < y.valid_from ? 1 : -1
  return x.id < y.id ? -1 : x.id > y.id ? 1 : 0
}

/** Share of the attainable BM25 that a term brings by itself, whatever a document holds of it, is below 1. */
function bm25Of({ length, frequencies }: Candidate, gains: readonly number[], average: number): number {
  const norm = k1 * (1 - b + (b * length) / Math.max(1, average))
  let sum = 0
  for (let i = 0; i < gains.length; i++) {
    const n = frequencies[i] as number
    if (n > 0) sum += ((gains[i] as number) * n) / (n + norm)
  }
  return sum
}

/** Of a term that so many of the documents hold: how much it tells. */
export function idf(documentFrequency: number, documents: number): number {
  const n = Math.min(documentFrequency, documents)
  return Math.log(1 + (documents - n + 0.5) / (n + 0.5))
}

/**
 * What the nearest in meaning brings, of what answers a question: never an answer by itself (a score of 0.3 at most),
 * and enough to part what the words leave close to each other.
 */
const nearnessShare = 0.25

/**
 * Of what the first that answers must bring, how much the others must. Of the relevant records among the first ten of
 * cacm's, cranfield's and cisi's questions 82 % are kept without it, 96 % with it, and no other question is answered.
 */
const companionShare = 0.7

/**
 * The share of the attainable BM25 from which on a hit answers a question of so many terms: the more terms, the less
 * of them chance brings together. Fitted, with title weight 2, on whole questions of cacm, cranfield and cisi asked of
 * another field's collection, and on one half of test/quality/adr; `npm run quality` shows what becomes of the other
 * half. One or two terms are no sentence: there one full match is enough.
 */
function answeringShare(terms: number): number {
  return Math.min(0.15 + 0.1 * terms, 0.42, 0.09 + 1.7 / Math.max(1, terms))
}
