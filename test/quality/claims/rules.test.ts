/**
 * Precision and recall of the rules of open questions on the labelled claims (README.md). The rules were written with
 * the development part only. The tests print figures of the held-out part, but never its texts.
 */
import { describe, expect, it } from 'vitest'
import {
  ambiguousNames,
  contradictionsOf,
  enoughPositives,
  type Figures,
  leastPrecision,
  misleadingPairs,
  mostMisled,
  ofTexts,
  type Part,
  parts,
  precisionOf,
  recallOf,
  rulesOfTexts,
  sumOf,
} from './counts.ts'

/** ms. It takes half a minute on an idle machine. */
const allPairsWithin = 600_000

describe.each(parts)('rules of open questions on the %s part', (part) => {
  it('contradiction is precise on the pairs of each author', { timeout: allPairsWithin }, () => {
    const sets = contradictionsOf(part)
    for (const { set, right, wrong, positives } of sets) {
      console.log(`${part} ${set}: ${right} right, ${wrong} wrong, of ${positives} labelled`)
    }
    assertPrecise(part, 'contradiction', sumOf(sets))
  })

  it.each(rulesOfTexts)('%s has a precision of at least 0.95', (rule) => {
    assertPrecise(part, rule, ofTexts(rule, part))
  })
})

it('finds a contradiction in at most one in twenty pairs that are made to mislead', () => {
  for (const { set, right, wrong, pairs } of misleadingPairs()) {
    console.log(`${set}: ${wrong} of ${pairs} found`)
    expect(right).toBe(0)
    expect(wrong / pairs).toBeLessThanOrEqual(mostMisled)
  }
})

it('ambiguous_identity has a precision of at least 0.95', () => {
  assertPrecise('development', 'ambiguous_identity', ambiguousNames())
})

function assertPrecise(part: Part, name: string, figures: Figures): void {
  const { right, wrong, positives } = figures
  const found = right + wrong
  const precision = precisionOf(figures)
  console.log(
    `${part} ${name}: precision ${precision.toFixed(3)} (${right} of ${found} found), ` +
      `recall ${recallOf(figures).toFixed(3)} (of ${positives} labelled)`,
  )
  if (positives >= enoughPositives || part === 'development') expect(precision).toBeGreaterThanOrEqual(leastPrecision)
  expect(found).toBeGreaterThan(0)
}
