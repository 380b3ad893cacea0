/** Tells whether the text above the first section (the lead) says what was decided. */
import type { Section } from './document/headings.ts'
import { besideDecision, isOwn } from './own-sections.ts'

/**
 * It does if no section is left that could say it: there is none for the context or the decision, and the lead is followed by
 * its consequences, by reasons for it, or by nothing but options before its consequences.
 */
export function isLeadDecision(sections: readonly Section[]): boolean {
  if (sections.some(({ kind }) => orDecision.has(kind))) return false
  const told = sections.filter(
    (section) => isOwn(section) && !besideDecision.has(section.kind) && section.kind !== 'links',
  )
  const [first] = told
  if (!first) return false
  if (first.kind === 'consequences' || isReason(first)) return true
  const end = told.findIndex(({ kind }) => kind === 'consequences')
  return end > 0 && told.slice(0, end).every((section) => isReason(section) || ofOptions.has(section.kind))
}

type Kinds = ReadonlySet<Section['kind']>

/** With a context, what stands above it is rather an introduction. */
const orDecision: Kinds = new Set<Section['kind']>(['context', 'decision', 'proposal'])
const ofOptions: Kinds = new Set<Section['kind']>(['options', 'option', 'details', 'drivers'])

/** “Why not two”. */
function isReason({ kind, heading }: Section): boolean {
  return kind === 'rationale' || /^(?:why|warum|weshalb|wieso|pourquoi|por qu[eé])(?!\p{L})/iu.test(heading)
}
