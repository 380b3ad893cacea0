/** Two statements of which one denies what the other says, by “not” or by an opposite word. */
import { isContrasted } from './modality.ts'
import type { Statement } from './statement.ts'

export function denialBetween(a: Statement, b: Statement): 'negation' | 'opposite' | undefined {
  if (isContrasted(a.text) || isContrasted(b.text)) return undefined
  for (const [of, sign] of a.opposites) {
    const other = b.opposites.get(of)
    if (other === undefined) continue
    const differs = (sign === other) === (a.isDenied !== b.isDenied)
    if (differs) return sign === other ? 'negation' : 'opposite'
    if (sign !== other) return undefined
  }
  return a.isDenied === b.isDenied ? undefined : 'negation'
}

/** “Before the migration” and “after the migration”. */
export const haveOpposites = (a: Statement, b: Statement) =>
  [...a.opposites].some(([of, sign]) => b.opposites.has(of) && b.opposites.get(of) !== sign)
