/** Whether two statements give different values. */
import { LRUCache } from 'lru-cache'
import { type Value, valuesApart, valuesIn } from '../../../questions/compare/claims/values.ts'

/** UTF-16 units of a text that are read. */
const mostRead = 2_000

/** Each text states a value that the other one does not state, and both values are of one kind, such as amounts of money. */
export function hasOtherValue(older: string, newer: string): boolean {
  const apart = valuesApart(valuesOf(older), valuesOf(newer))
  const kinds = new Set(apart.a.map(kindOf))
  return apart.b.some((value) => kinds.has(kindOf(value)))
}

/** The same texts are compared for many pairs and many briefs. */
const known = new LRUCache<string, readonly Value[]>({ max: 1_000 })

function valuesOf(text: string): readonly Value[] {
  const read = text.slice(0, mostRead)
  const found = known.get(read) ?? valuesIn(read).values
  known.set(read, found)
  return found
}

function kindOf(value: Value): string {
  return value.type === 'date' ? value.kind : value.dimension
}
