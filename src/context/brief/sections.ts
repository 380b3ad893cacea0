/** Which of the records found a brief tells without a lens, and under which heading. */
import type { Found, Item } from './found.ts'

export interface Section {
  heading: string
  items: Item[]
  /** Said where there is nothing; null: then the heading is left out. */
  otherwise: string | null
  /** Said below the heading. */
  note?: string
}

/** So many of each are told. */
const mostOfAKind = 8
const mostOutcomes = 3

/** What holds, then what is not in force though it matches. */
export function plainSections(found: Found): Section[] {
  const { decisions, others, memories } = found
  const of = (...kinds: Item['kind'][]) => memories.filter(({ kind }) => kinds.includes(kind))
  const sections: [string, Item[]][] = [
    ['Decisions in force', decisions],
    ['Constraints', of('constraint').slice(0, mostOfAKind)],
    ['Commitments', of('commitment').slice(0, mostOfAKind)],
    ['Facts', of('fact', 'correction').slice(0, mostOfAKind)],
    ['From earlier sessions', of('session_outcome').slice(0, mostOutcomes)],
    ['Not in force', others],
  ]
  return sections.map(([heading, items]) => ({
    ...{ heading, items, otherwise: null },
    ...(items === decisions ? choiceOf(found) : {}),
  }))
}

/** Where decisions in force are left out. */
export function choiceOf({ decisions, chosenFrom }: Found): { note?: string } {
  if (chosenFrom === null || chosenFrom.count <= decisions.length) return {}
  const all = chosenFrom.isAll ? `all ${chosenFrom.count}` : `the newest ${chosenFrom.count}`
  return { note: `The ${decisions.length} that weigh most of ${all} decisions in force; search finds the others.` }
}
