/** The sections of a brief without a lens: which of the found records it lists, and under which heading. */
import type { Counted, Found, Item } from './found.ts'

export interface Section {
  heading: string
  items: Item[]
  /** The text if there are no items; null: leave the heading out. */
  otherwise: string | null
  /** A line below the heading; may be empty. */
  note: string
}

/** Records listed of each kind. */
const mostOfAKind = 8
const mostOutcomes = 3

/** Records in force, then matching records that are not. */
export function plainSections(found: Found): Section[] {
  const { decisions, others, memories } = found
  const of = (...kinds: Item['kind'][]) => memories.filter(({ kind }) => kinds.includes(kind)).slice(0, mostOfAKind)
  const sections: [string, Item[], Counted?][] = [
    ['Decisions in force', decisions, 'decision'],
    ['Constraints', of('constraint'), 'constraint'],
    ['Commitments', of('commitment'), 'commitment'],
    ['Facts', of('fact', 'correction'), 'fact'],
    ['From earlier sessions', of('session_outcome').slice(0, mostOutcomes)],
    ['Not in force', others],
  ]
  return sections.map(([heading, items, kind]) => {
    const note = kind === undefined ? '' : noteOn(kind, items.length, found)
    return { heading, items, otherwise: null, note }
  })
}

/** Says that records in force are left out, or may be; else empty. */
export function noteOn(kind: Counted, shown: number, { chosenFrom }: Found): string {
  if (chosenFrom === null) return ''
  const { count, isAll } = chosenFrom[kind]
  if (count > shown) {
    const all = isAll ? `all ${count}` : `the newest ${count}`
    return `The ${shown} most relevant of ${all} ${kind}s in force; search finds the others.`
  }
  return isAll ? '' : `There may be older ${kind}s; search finds them.`
}
