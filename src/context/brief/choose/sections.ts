/** Divides the found records into the sections of a brief, each with its heading. Handoffs have their own (handoff.ts). */
import type { Counted, Found, Item } from '../find/found.ts'

export interface Section {
  heading: string
  items: Item[]
  /** Each item in one short line. */
  isShort?: boolean
  /** Its records match the query less than those of other sections. */
  isLessRelevant?: boolean
  /** Its records have little or nothing in common with the query: the brief asks no question about them. */
  isUnrelated?: boolean
  /** Its heading names a topic, so its records stay under it. */
  isByTopic?: boolean
  /** The text if there are no items; null: leave the heading out. */
  otherwise: string | null
  /** Kinds that the heading names. undefined: any. */
  kinds?: readonly Item['kind'][]
  /** A line below the heading; may be empty. `shown`: the records that are told under it. */
  note(shown: number): string
}

/** Constraints and commitments listed without a query. */
export const mostBinding = 40
/** Facts and session outcomes listed without a query. */
const mostFacts = 3
const mostOutcomes = 3

/** With a query. The section with the best match comes first; what is told in one line follows. */
export function matchingSections(found: Found): Section[] {
  const { decisions, others, memories, also, related, binding } = found
  const of = (...kinds: Item['kind'][]) => memories.filter(({ kind }) => kinds.includes(kind))
  const sections: Section[] = [
    { ...plain('Decisions in force', decisions), kinds: ['decision'] },
    { ...plain('Constraints', of('constraint')), kinds: ['constraint'] },
    { ...plain('Commitments', of('commitment')), kinds: ['commitment'] },
    { ...plain('Facts', of('fact', 'correction')), kinds: ['fact', 'correction'] },
    { ...plain('From earlier sessions', of('session_outcome')), kinds: ['session_outcome'] },
  ]
  return [
    ...sections.sort((a, b) => bestMatch(b) - bestMatch(a)),
    { ...plain('Also recorded', also), isShort: true, isLessRelevant: true },
    { ...plain('Related', related), isShort: true, isLessRelevant: true, isUnrelated: true, note: relates },
    {
      ...plain('Also binding', binding),
      ...{ isShort: true, isLessRelevant: true, isUnrelated: true, note: alsoBinds },
      kinds: ['constraint', 'commitment', 'decision'],
    },
    { ...plain('Not in force', others), isShort: true },
  ]
}

function plain(heading: string, items: Item[]): Section {
  return { heading, items, otherwise: null, note: () => '' }
}

function bestMatch({ items }: Section): number {
  return Math.max(-1, ...items.map(({ match }) => match ?? 0))
}

function relates(shown: number): string {
  return shown === 0 ? '' : 'They have words of the records above, but few or none of the query.'
}

function alsoBinds(shown: number): string {
  return shown === 0 ? '' : 'Constraints and commitments that have little or nothing in common with the query.'
}

/** Without a query: what binds first, one line each. */
export function standingSections(found: Found): Section[] {
  const { decisions, memories, others } = found
  const binding = found.binding.slice(0, mostBinding)
  const of = (...kinds: Item['kind'][]) => memories.filter(({ kind }) => kinds.includes(kind))
  const counted = (heading: string, items: Item[], kind: Counted, ...kinds: Item['kind'][]): Section => {
    return { ...plain(heading, items), isShort: true, kinds, note: (shown) => noteOn(kind, shown, found) }
  }
  const outcomes = of('session_outcome').slice(0, mostOutcomes)
  return [
    counted(
      'Constraints',
      binding.filter(({ kind }) => kind === 'constraint'),
      'constraint',
      'constraint',
    ),
    counted(
      'Commitments',
      binding.filter(({ kind }) => kind === 'commitment'),
      'commitment',
      'commitment',
    ),
    counted('Decisions in force', decisions, 'decision', 'decision'),
    counted('Facts', of('fact', 'correction').slice(0, mostFacts), 'fact', 'fact', 'correction'),
    { ...plain('From earlier sessions', outcomes), isShort: true, kinds: ['session_outcome'] },
    { ...plain('Not in force', others), isShort: true },
  ]
}

/** Says that records in force are left out, or may be; else empty. */
export function noteOn(kind: Counted, shown: number, { chosenFrom }: Found): string {
  if (chosenFrom === null) return ''
  const { count, isAll } = chosenFrom[kind]
  if (count > shown) {
    const all = isAll ? `all ${count}` : `the newest ${count}`
    const chosen = shown === 1 ? 'The most relevant one' : `The ${shown} most relevant`
    return `${chosen} of ${all} ${kind}s in force; search finds the others.`
  }
  return isAll ? '' : `There may be older ${kind}s; search finds them.`
}
