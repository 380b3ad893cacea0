/** Two statements of which one denies what the other says, by “not” or by an opposite word. */
import type { Alignment } from './align.ts'
import type { Found } from './difference-score.ts'
import { haveOtherTimes } from './scope.ts'
import type { Statement } from './statement.ts'

export function denialBetween(a: Statement, b: Statement, aligned: Alignment): Found | undefined {
  const kind = kindOf(a, b)
  if (!kind || haveOtherTimes(a.text, b.text)) return undefined
  // a start and an end: “opens on 1 August” and “closes on 30 September”
  if (kind === 'opposite' && aligned.values.a.length > 0 && aligned.values.b.length > 0) return undefined
  return { kind, aligned }
}

function kindOf(a: Statement, b: Statement): 'negation' | 'opposite' | undefined {
  for (const [of, sign] of a.opposites) {
    const other = b.opposites.get(of)
    if (other === undefined) continue
    const differs = (sign === other) === (a.isDenied !== b.isDenied)
    if (differs) return sign === other ? 'negation' : 'opposite'
    if (sign !== other) return undefined
  }
  if (haveOtherStates(a, b)) return 'opposite'
  return denies(a, b) === denies(b, a) ? undefined : 'negation'
}

/** Whether the statement denies something. A denied state counts only if the other statement does not mention the state. */
const denies = ({ isDenied, states }: Statement, other: Statement) =>
  isDenied !== [...states].some(([state, isStateDenied]) => isStateDenied && !other.states.has(state))

/** “Open” and “closed”, “enabled” and “disabled”. */
export const haveOpposites = (a: Statement, b: Statement) =>
  haveOtherStates(a, b) || [...a.opposites].some(([of, sign]) => b.opposites.has(of) && b.opposites.get(of) !== sign)

const haveOtherStates = (a: Statement, b: Statement) =>
  [...a.states].some(([state, isDenied]) => b.states.has(state) && b.states.get(state) !== isDenied)
