/**
 * npm run quality -- pairs: precision and recall of the rules of open questions on the labelled claims. rules.test.ts
 * sets the same bars. Figures only: no text of a set is printed.
 */
import { type Row, row } from '../../bench/row.ts'
import {
  ambiguousNames,
  contradictionsOf,
  enoughPositives,
  type Figures,
  leastPrecision,
  misleadingPairs,
  mostMisled,
  ofTexts,
  precisionOf,
  recallOf,
  rulesOfTexts,
  sumOf,
} from './counts.ts'

const precisionGoal = { at_least: 100 * leastPrecision }
/** Of contradictions. */
const recallGoal = { at_least: 40 }

export function pairRows(): Row[] {
  const [shown, heldOut, misleading] = [
    contradictionsOf('development'),
    contradictionsOf('held-out'),
    misleadingPairs(),
  ]
  return [
    precision('pairs_shown', sumOf(shown), precisionGoal),
    // as many pairs again, none of them a contradiction: each of these sets has a bar of its own below
    precision('pairs_shown_and_misleading', sumOf([...shown, ...misleading]), null),
    recall('pairs_shown', sumOf(shown), recallGoal),
    precision('pairs_held_out', sumOf(heldOut), precisionGoal),
    recall('pairs_held_out', sumOf(heldOut), recallGoal),
    ...heldOut.flatMap((one) => {
      const name = `pairs_held_out_${one.set.replace('pairs-', '')}`
      return [precision(name, one, null), recall(name, one, null)]
    }),
    ...misleading.map(({ set, wrong, pairs }) => {
      return row(`pairs_${set.replace('-', '_')}_found`, (100 * wrong) / pairs, '%', { at_most: 100 * mostMisled })
    }),
    ...ofRule('pairs_shown_ambiguous_identity', ambiguousNames()),
    ...rulesOfTexts.flatMap((rule) => [
      ...ofRule(`texts_shown_${rule}`, ofTexts(rule, 'development')),
      ...ofRule(`texts_held_out_${rule}`, ofTexts(rule, 'held-out')),
    ]),
  ]
}

function ofRule(name: string, figures: Figures): Row[] {
  const goal = figures.positives >= enoughPositives ? precisionGoal : null
  return [precision(name, figures, goal), recall(name, figures, null)]
}

function precision(name: string, figures: Figures, goal: Row['goal']): Row {
  return row(`${name}_precision`, 100 * precisionOf(figures), '%', goal)
}

function recall(name: string, figures: Figures, goal: Row['goal']): Row {
  return row(`${name}_recall`, 100 * recallOf(figures), '%', goal)
}
