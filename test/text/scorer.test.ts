import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { RecordId } from '../../src/ids.ts'
import type { Candidate, Statistics } from '../../src/ports/search.ts'
import { answers, score as scoreOf } from '../../src/text/scorer.ts'

describe('the scorer', () => {
  const statistics: Statistics = { documents: 1000, length: 50_000, document_frequencies: [10, 100] }

  it('computes BM25 with k1 1.5 and b 0.6', () => {
    const [best] = score([candidate('a', 50, [2, 1])], statistics)
    const idf = (n: number) => Math.log(1 + (1000 - n + 0.5) / (n + 0.5))
    expect(best?.bm25).toBeCloseTo((idf(10) * 2.5 * 2) / 3.5 + (idf(100) * 2.5) / 2.5, 10)
  })

  it('counts the best passage of 100 tokens half, and places where words of the query follow each other', () => {
    const both = (...places: number[][]) => ({ ...candidate('a', 400, [1, 1]), places })
    const asked = { weights: [1, 1], pairs: [{ first: 0, second: 1, times: 1 }] }
    const bm25 = (one: Candidate) => scoreOf([one], statistics, asked)[0]?.bm25 as number
    const apart = bm25(both([0], [300]))
    const near = bm25(both([110], [190]))
    const adjacent = bm25(both([110], [111]))
    expect(near).toBeGreaterThan(apart)
    expect(adjacent).toBeGreaterThan(near)
    expect(bm25(both([111], [110]))).toBe(near)
  })

  it('ranks records with more, rarer and denser terms first', () => {
    const ranked = score(
      [
        candidate('common', 50, [0, 1]),
        candidate('rare', 50, [1, 0]),
        candidate('rare-long', 900, [1, 0]),
        candidate('both', 50, [1, 1]),
        candidate('rare-often', 50, [4, 0]),
      ],
      statistics,
    )
    expect(ranked.map((hit) => hit.candidate.id)).toEqual(['rare-often', 'both', 'rare', 'common', 'rare-long'])
  })

  it('orders equal scores by later valid_from, then by id', () => {
    const equals = [
      candidate('b', 50, [1, 0], '2024-01-01T00:00:00.000Z'),
      candidate('a', 50, [1, 0], '2024-01-01T00:00:00.000Z'),
      candidate('c', 50, [1, 0], '2025-01-01T00:00:00.000Z'),
    ]
    expect(score(equals, statistics).map((hit) => hit.candidate.id)).toEqual(['c', 'a', 'b'])
  })

  it('gives scores from 0 to 1 in the order of the ranking, for any statistics', () => {
    const anyStatistics = fc.record({
      documents: fc.nat(100_000),
      length: fc.nat(10_000_000),
      document_frequencies: fc.array(fc.nat(200_000), { minLength: 3, maxLength: 3 }),
    })
    const anyCandidates = fc.array(fc.tuple(fc.nat(10_000), fc.array(fc.nat(50), { minLength: 3, maxLength: 3 })), {
      maxLength: 20,
    })
    fc.assert(
      fc.property(anyStatistics, anyCandidates, (counted, found) => {
        const ranked = score(
          found.map(([length, frequencies], n) => candidate(`c${n}`, length, frequencies)),
          counted,
        )
        let last = Number.POSITIVE_INFINITY
        for (const hit of ranked) {
          expect(hit.score).toBeGreaterThanOrEqual(0)
          expect(hit.score).toBeLessThanOrEqual(1)
          expect(hit.bm25).toBeLessThanOrEqual(last)
          last = hit.bm25
        }
        expect(ranked.map((hit) => hit.score)).toEqual(ranked.map((hit) => hit.score).sort((x, y) => y - x))
      }),
    )
  })

  it('counts a record with all terms as an answer, but not one with a single common term of eight', () => {
    const eight: Statistics = {
      documents: 1000,
      length: 50_000,
      document_frequencies: [5, 5, 10, 20, 40, 80, 100, 300],
    }
    const [all, one] = score(
      [candidate('all', 50, Array(8).fill(1)), candidate('one', 50, [0, 0, 0, 0, 0, 0, 0, 3])],
      eight,
    )
    expect(all?.score).toBeGreaterThan(answers)
    expect(one?.score).toBeLessThan(answers)
  })

  it('counts a long record with the only term as an answer', () => {
    const single: Statistics = { ...statistics, document_frequencies: [10] }
    expect(score([candidate('long', 200, [1])], single)[0]?.score).toBeGreaterThan(answers)
  })

  it('weights a term by its occurrences in the query', () => {
    const found = [candidate('first', 50, [1, 0]), candidate('second', 50, [0, 1])]
    expect(score(found, statistics, [1, 1])[0]?.candidate.id).toBe('first')
    expect(score(found, statistics, [1, 5])[0]?.candidate.id).toBe('second')
  })
})

/** Without pairs and places. */
function score(found: readonly Candidate[], counted: Statistics, weights = counted.document_frequencies.map(() => 1)) {
  return scoreOf(found, counted, { weights, pairs: [] })
}

function candidate(
  id: string,
  length: number,
  frequencies: number[],
  valid_from = '2024-01-01T00:00:00.000Z',
): Candidate {
  return {
    id,
    record_id: id as RecordId,
    kind: 'decision',
    version: 1,
    valid_from,
    valid_to: null,
    length,
    frequencies,
  }
}
