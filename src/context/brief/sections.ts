/** Which of the records found a brief tells without a lens, and under which heading. */
import type { Counted, Found, Item } from './found.ts'

export interface Section {
  heading: string
  items: Item[]
  /** Said where there is nothing; null: then the heading is left out. */
  otherwise: string | null
  /** Said below the heading, where it is not empty. */
  note: string
}

/** So many of each are told. */
const mostOfAKind = 8
const mostOutcomes = 3

/** What holds, then what is not in force though it matches. */
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

/** Where some that are in force are left out, or may be; else empty. */
export function noteOn(kind: Counted, told: number, { chosenFrom }: Found): string {
  if (chosenFrom === null) return ''
  const { count, isAll } = chosenFrom[kind]
  if (count > told) {
    const all = isAll ? `all ${count}` : `the newest ${count}`
    return `The ${told} that weigh most of ${all} ${kind}s in force; search finds the others.`
  }
  return isAll ? '' : `There may be older ${kind}s: search finds them.`
}
