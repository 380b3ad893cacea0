/** Two statements that list the same things, of which one leaves no room for more: “only A and B”, “A, B and C”. */
import { type Alignment, alignedWithout } from './align.ts'
import type { Found } from './difference-score.ts'
import type { Item } from './lists.ts'
import { haveOtherTopics } from './scope.ts'
import type { Statement } from './statement.ts'

export interface OtherItems {
  a: ReadonlySet<string>
  b: ReadonlySet<string>
}

/** The words of the items that only one statement has; undefined if both lists may be right. */
export function otherItems(a: Statement, b: Statement): OtherItems | undefined {
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

/** “Only Ada and Grace may open it” and “Joan opens it every morning”. */
export function itemOutside(a: Statement, b: Statement, aligned: Alignment): Found | undefined {
  if (haveOtherTopics(a.text, b.text)) return undefined
  const names = namesOutside(a, b) ?? namesOutside(b, a)
  const listed = new Set([...a.lists, ...b.lists].flat(2))
  return names && { kind: 'list', isOutside: true, aligned: alignedWithout(aligned, { a: listed, b: names }) }
}

/** The names that `b` alone has, if `a` gives a complete list of names, and no other name that `b` has not. */
function namesOutside(a: Statement, b: Statement): ReadonlySet<string> | undefined {
  const listed = new Set(a.lists.flat(2))
  if (!a.isClosed || a.isDenied || b.isDenied || ![...listed].some((word) => a.names.has(word))) return undefined
  if ([...listed].some((word) => b.words.has(word))) return undefined
  const isOwn =
    (one: Statement, { words, context }: Statement) =>
    (name: string) =>
      one.names.has(name) && !words.has(name) && !context.has(name)
  const names = [...b.names].filter(isOwn(b, a))
  return names.length > 0 && [...a.names].filter(isOwn(a, b)).every((name) => listed.has(name))
    ? new Set(names)
    : undefined
}

const areSame = (one: Item, other: Item) => one.some((word) => other.includes(word))
const isNamedIn = (item: Item, { words, context }: Statement) =>
  item.some((word) => words.has(word) || context.has(word))
