/** Two statements of which one denies what the other says, by “not” or by an opposite word. */
import type { Alignment } from './align.ts'
import type { Found } from './difference-score.ts'
import { isCompared, statesALimit } from './modality.ts'
import { haveOtherTimes } from './scope.ts'
import type { Statement } from './statement.ts'

export function denialBetween(a: Statement, b: Statement, aligned: Alignment): Found | undefined {
  const kind = kindOf(a, b)
  if (!kind || haveOtherTimes(a.text, b.text)) return undefined
  // “from 49 euros on it is free” and “above 49 euros nothing is charged” say the same
  const haveValues = a.values.length > 0 && b.values.length > 0
  if (haveValues && isCompared(a.text) && isCompared(b.text)) return undefined
  return { kind, aligned, isLimit: statesALimit(a.text) && statesALimit(b.text) }
}

function kindOf(a: Statement, b: Statement): 'negation' | 'opposite' | undefined {
  for (const [of, sign] of a.opposites) {
    const other = b.opposites.get(of)
    if (other === undefined) continue
    const differs = (sign === other) === (a.isDenied !== b.isDenied)
    if (differs) return sign === other ? 'negation' : 'opposite'
    if (sign !== other) return undefined
  }
  return a.isDenied === b.isDenied ? undefined : 'negation'
}

/** “Open” and “closed”. */
export const haveOpposites = (a: Statement, b: Statement) =>
  [...a.opposites].some(([of, sign]) => b.opposites.has(of) && b.opposites.get(of) !== sign)
