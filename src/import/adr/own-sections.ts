/** Which sections are separate texts, and which are a part of the section around them. */
import type { Section } from './document/headings.ts'
import { nearestKnown } from './document/headings.ts'

/** Kinds of sections with metadata, history or remarks: they contain no part of the decision. */
export const besideDecision: ReadonlySet<Section['kind']> = new Set<Section['kind']>([
  'status',
  'date',
  'deciders',
  'metadata',
  'history',
  'aside',
  'outcome',
])

/** Whether a section is separate text, and not a part of the section around it. */
export function isOwn(section: Section): boolean {
  if (section.kind === 'outcome') return true
  const around = nearestKnown(section)
  if (section.kind === null) return around === null && (section.parent === null || section.parent.kind !== null)
  if (around === null) return true
  if (around.kind === section.kind) return false
  if (around.kind === 'options' || around.kind === 'details' || around.kind === 'links' || around.kind === 'proposal')
    return false
  // what a decision leaves out is a part of it
  if (around.kind === 'decision' && /\b(?:scope|non-?goals)\b/i.test(section.heading)) return false
  return isOwn(around) && separateWithin[section.kind].includes(around.kind as string)
}

/** For each kind of section: the kinds of enclosing sections from whose text it is removed. */
const separateWithin: Record<NonNullable<Section['kind']>, readonly string[]> = {
  status: ['metadata'],
  date: ['metadata', 'status'],
  deciders: ['metadata', 'status'],
  metadata: [],
  context: ['decision'],
  drivers: ['context', 'decision'],
  options: ['context', 'decision', 'drivers'],
  details: ['context', 'decision', 'consequences'],
  option: ['context', 'decision'],
  decision: ['context'],
  proposal: [],
  rationale: ['decision'],
  consequences: ['decision'],
  links: ['decision', 'context', 'consequences'],
  history: ['status', 'decision', 'context', 'consequences'],
  // “Benefits” and “Drawbacks” below “Consequences” are consequences
  aside: ['status', 'decision', 'context'],
  outcome: [],
}
