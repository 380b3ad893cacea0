/** Tells whether the text above the first section is the decision. */
import type { Section } from './document/headings.ts'
import { isOwn } from './own-sections.ts'

/**
 * The record has no section for the context or the decision, and what follows the lead are reasons for it, what follows from
 * it, or only options: so no section is left that could say what was decided.
 */
export function isLeadDecision(sections: readonly Section[]): boolean {
  if (sections.some(({ kind }) => kind !== null && sayMore.has(kind))) return false
  const told = sections.filter((section) => isOwn(section) && !(section.kind !== null && besides.has(section.kind)))
  const [first] = told
  if (!first) return false
  if (first.kind === 'consequences' || isReason(first)) return true
  const end = told.findIndex(({ kind }) => kind === 'consequences')
  return end > 0 && told.slice(0, end).every((section) => isReason(section) || ofOptions.has(section.kind))
}

type Kind = Section['kind']

const sayMore: ReadonlySet<Kind> = new Set<Kind>(['context', 'decision', 'proposal'])
const besides: ReadonlySet<Kind> = new Set<Kind>([
  ...(['status', 'date', 'deciders', 'metadata', 'links', 'history', 'aside', 'outcome'] as const),
])
const ofOptions: ReadonlySet<Kind> = new Set<Kind>(['options', 'option', 'details', 'drivers'])

/** “Why not two”. */
function isReason({ kind, heading }: Section): boolean {
  return kind === 'rationale' || /^(?:why|warum|weshalb|wieso|pourquoi|por qu[eé])(?!\p{L})/iu.test(heading)
}
