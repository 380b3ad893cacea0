/** Whether two statements give different values. */

import { oncePerText } from '../text/once-per-text.ts'
import { type Value, valuesApart, valuesIn } from './reading/values.ts'

/** UTF-16 units of a text that are read. */
const mostRead = 2_000

/** Each text states a value that the other one does not state, and both values are of one kind, such as amounts of money. */
export function hasOtherValue(older: string, newer: string): boolean {
  const apart = valuesApart(valuesOf(older), valuesOf(newer))
  const kinds = new Set(apart.a.map(kindOf))
  return apart.b.some((value) => kinds.has(kindOf(value)))
}

const valuesRead = oncePerText(1_000, (text): readonly Value[] => valuesIn(text).values)
const valuesOf = (text: string) => valuesRead(text.slice(0, mostRead))

function kindOf(value: Value): string {
  return value.type === 'date' ? value.kind : value.dimension
}
