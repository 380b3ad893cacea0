/** What tells that a newer statement changes an older one about the same subject. */
import { LRUCache } from 'lru-cache'
import { type Value, valuesApart, valuesIn } from '../../../questions/compare/claims/values.ts'
import type { Sentence } from './likeness.ts'

/** Both sentences state a value of one kind, and each has one that the other lacks. */
export function hasOtherValue(older: Sentence, newer: Sentence): boolean {
  const apart = valuesApart(valuesOf(older.text), valuesOf(newer.text))
  const kinds = new Set(apart.a.map(kindOf))
  return apart.b.some((value) => kinds.has(kindOf(value)))
}

const valuesOf = remembered((sentence) => valuesIn(sentence).values)

/** The same sentences are compared for many pairs and many briefs. */
function remembered<T extends object>(read: (sentence: string) => T): (sentence: string) => T {
  const known = new LRUCache<string, T>({ max: 1_000 })
  return (sentence) => {
    const found = known.get(sentence) ?? read(sentence)
    known.set(sentence, found)
    return found
  }
}

function kindOf(value: Value): string {
  return value.type === 'date' ? value.kind : value.dimension
}
