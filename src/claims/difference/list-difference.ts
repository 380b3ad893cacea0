/** Two statements that list the same things, of which one leaves no room for more: “only A and B”, “A, B and C”. */
import type { Item } from '../reading/lists.ts'
import type { Statement } from '../reading/statement.ts'
import type { OwnWords } from './align.ts'

/** The words of the items that only one statement has; undefined if both lists may be right. */
export function otherItems(a: Statement, b: Statement): OwnWords | undefined {
  if (!a.isClosed && !b.isClosed) return undefined
  for (const one of a.lists) {
    for (const other of b.lists) {
      const shared = one.filter((item) => other.some((against) => areSame(item, against)))
      if (shared.length < (a.isClosed && b.isClosed ? 1 : 2)) continue
      const only = one.filter((item) => !isNamedIn(item, b))
      const against = other.filter((item) => !isNamedIn(item, a))
      const isContrary = (a.isClosed && against.length > 0) || (b.isClosed && only.length > 0)
      if (isContrary) return { a: new Set(only.flat()), b: new Set(against.flat()) }
    }
  }
  return undefined
}

const areSame = (one: Item, other: Item) => one.some((word) => other.includes(word))
/** Weekdays and other values are in lists, and not among the words. */
const isNamedIn = (item: Item, { words, context, lists }: Statement) =>
  item.some((word) => words.has(word) || context.has(word)) || lists.flat().some((other) => areSame(item, other))
