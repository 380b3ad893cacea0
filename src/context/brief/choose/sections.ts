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
  /** A newer record that may have outdated one of its records is not moved into it. */
  isOfOwn?: boolean
  /** The text if there are no items; null: leave the heading out. */
  otherwise: string | null
  /** Kinds that the heading names. undefined: any. */
  kinds?: readonly Item['kind'][]
  /** A line below the heading; may be empty. `shown`: the records that are told under it. */
  note(shown: number): string
}

/** Whether the heading names this kind, or no kinds at all. */
export function isUnder({ kinds }: Section, { kind }: Item): boolean {
  return kinds === undefined || kinds.includes(kind)
}

export const alsoRecorded = 'Also recorded'

/** Constraints and commitments listed without a query. */
export const mostBinding = 40
/** Facts and session outcomes listed without a query. */
const mostFacts = 3
const mostOutcomes = 3

/** With a query. The section with the best match comes first; what is told in one line follows, but for the closest record. */
export function matchingSections({ decisions, others, memories, also, related, binding, places }: Found): Section[] {
  const sections = [
    ofKinds('Decisions in force', decisions, 'decision'),
    ofKinds('Constraints', memories, 'constraint'),
    ofKinds('Commitments', memories, 'commitment'),
    ofKinds('Facts', memories, 'fact', 'correction'),
    ofKinds('From earlier sessions', memories, 'session_outcome'),
  ]
  const notInForce = { ...plain('Not in force', others), isShort: true }
  const isClosest = [...sections, notInForce].every((section) => bestMatch(section) < bestMatch({ items: also }))
  const closest = isClosest ? also.slice(0, 1) : []
  const inOneLine = { isShort: true, isLessRelevant: true }
  const firstPlace = ({ items }: Section) => {
    return Math.min(...items.map(({ record }) => places.get(record.record_id) ?? places.size))
  }
  return bestFirst([
    // what may have outdated it keeps its own heading, unless it is of the same kind
    { ...plain('Closest record', closest), isLessRelevant: true, kinds: closest.map(({ kind }) => kind) },
    ...sections.sort((a, b) => bestMatch(b) - bestMatch(a) || firstPlace(a) - firstPlace(b)),
    { ...plain(alsoRecorded, also.slice(closest.length)), ...inOneLine },
    { ...plain('Related', related), ...inOneLine, isUnrelated: true, note: relates },
    {
      ...ofKinds('Also binding', binding, 'constraint', 'commitment', 'decision'),
      ...{ ...inOneLine, isUnrelated: true, note: alsoBinds },
    },
    notInForce,
  ])
}

/** Of equal matches the first one stays the first. */
function bestFirst(sections: readonly Section[]): Section[] {
  const best = Math.max(...sections.map(bestMatch))
  const first = sections.find((section) => bestMatch(section) === best) as Section
  return [first, ...sections.filter((section) => section !== first)]
}

function plain(heading: string, items: Item[]): Section {
  return { heading, items, otherwise: null, note: () => '' }
}

/** Its heading names these kinds, so it has no others. */
function ofKinds(heading: string, items: Item[], ...kinds: Item['kind'][]): Section {
  const own = items.filter(({ kind }) => kinds.includes(kind))
  return { ...plain(heading, own), kinds }
}

function bestMatch({ items }: Pick<Section, 'items'>): number {
  return Math.max(-1, ...items.map(({ match }) => match ?? 0))
}

function relates(shown: number): string {
  return shown === 0 ? '' : 'They have words of the records that are told, but few or none of the query.'
}

function alsoBinds(shown: number): string {
  return shown === 0 ? '' : 'Constraints and commitments that have little or nothing in common with the query.'
}

/** Without a query: what binds first, one line each. */
export function standingSections(found: Found): Section[] {
  const { decisions, memories } = found
  const binding = found.binding.slice(0, mostBinding)
  const first = (section: Section, most: number) => ({ ...section, items: section.items.slice(0, most) })
  const counted = (kind: Counted, section: Section): Section => {
    return { ...section, isShort: true, note: (shown) => noteOn(kind, shown, found) }
  }
  return [
    counted('constraint', ofKinds('Constraints', binding, 'constraint')),
    counted('commitment', ofKinds('Commitments', binding, 'commitment')),
    counted('decision', ofKinds('Decisions in force', decisions, 'decision')),
    counted('fact', first(ofKinds('Facts', memories, 'fact', 'correction'), mostFacts)),
    { ...first(ofKinds('From earlier sessions', memories, 'session_outcome'), mostOutcomes), isShort: true },
    // further decisions that may have outdated what is told (newer.ts)
    { ...plain(alsoRecorded, []), isShort: true, isLessRelevant: true },
  ]
}

/** Says that records in force are left out, or may be; else empty. */
export function noteOn(kind: Counted, shown: number, { chosenFrom }: Found): string {
  if (chosenFrom === null) return ''
  const { count, isAll } = chosenFrom[kind]
  if (shown === 0 && count > 0) {
    const them = count === 1 ? `1 ${kind}. Search finds it.` : `${count} ${kind}s. Search finds them.`
    return `In force, but not listed here: ${isAll ? '' : 'at least '}${them}`
  }
  if (count > shown) {
    return `${shown} of ${isAll ? '' : 'the newest '}${count} in force; search finds the others.`
  }
  return isAll ? '' : `There may be older ${kind}s; search finds them.`
}
