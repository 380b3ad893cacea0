/** Splits the text of a record into context, decision, rationale, consequences and the rest. */

import { isVisible } from '../../validation/schema.ts'
import { clean } from './document/clean.ts'
import { decidingIn, saysWhatWasDecided } from './document/deciding.ts'
import { wordKey } from './document/dictionary.ts'
import { type AdrDocument, blocksIn, sectionsIn } from './document/document.ts'
import type { Section } from './document/headings.ts'
import { joined, span } from './document/markdown.ts'
import { isBoilerplate, isUnfilled, pointsElsewhere } from './document/placeholder.ts'
import { besideDrivers } from './drivers.ts'
import { isLeadDecision } from './lead.ts'
import type { FieldsRead, Span } from './metadata/fields.ts'
import { isReasonOfStatus, splitReasons } from './metadata/reasons.ts'
import { tellsMore } from './notice.ts'
import { isBlank, type Option } from './options/names.ts'
import { besideDecision, isOwn } from './own-sections.ts'
import { isReason, limitingRemarks, reasonsBesideStatus, statusRemarks } from './remarks.ts'

export interface Parts {
  context: string
  /** The text above the first section. `context` begins with it. Empty if there is a section for the context. */
  lead: string
  /** The text above the first section says what was decided, because no section could say it (lead.ts). */
  isLeadDecision: boolean
  decision: string
  rationale: string
  consequences: string
  /** Sections with unknown headings, in their order. Also the text in sections of options that belongs to no option. */
  other: string
  /** Of `other`: the sections that are not about options. */
  unknown: string
  /** The parts of `unknown` that say what was decided, and the other parts. Both are empty if no part says it. */
  deciding: string
  undecided: string
  /** Of `other`: the text in sections of options. */
  besideOptions: string
  /** The section for the decision is empty. */
  isUndecided: boolean
  /** Whether `other` has text of a section that is not about options. */
  hasUnknown: boolean
  /**
   * Sections of references and histories, the text beside drivers, and remarks on the status that are no reasons. They are
   * the end of the context.
   */
  links: string
  /** The whole text, without title and metadata. */
  whole: string
}

/** Each section contributes its text without the sections of another kind inside it. */
export function readParts(
  document: AdrDocument,
  { fields, blocks, inside: metadata, others }: FieldsRead,
  options: readonly Option[],
  status: string | undefined,
): Parts {
  const { sections, text } = document
  const pieces: Record<
    'context' | 'decision' | 'proposal' | 'rationale' | 'consequences' | 'other' | 'links',
    string[]
  > = {
    context: [],
    decision: [],
    proposal: [],
    rationale: [],
    consequences: [],
    other: [],
    links: [],
  }
  const first = sections.find((section) => isOwn(section) && section.kind !== null && !unstructured.has(section.kind))
  const decides = sections.some(({ kind }) => kind === 'decision' || kind === 'proposal')
  // without a context section, the sections above drivers, options and decision are the context
  const hasContext = sections.some(({ kind }) => kind === 'context')
  const belowContext = sections.find(({ kind }) => kind === 'drivers' || kind === 'options' || kind === 'decision')
  const contextEnd = decides ? (belowContext?.start ?? 0) : 0
  const firstConsequences = sections.find(({ kind }) => kind === 'consequences')
  const remarks = statusRemarks(fields)
  const besideOptions: string[] = []
  for (const section of sections) {
    if (!isOwn(section) && !isLeftInMetadata(section)) continue
    const apart = [
      ...metadata.filter(({ start }) => start >= section.bodyStart && start < section.end),
      ...sectionsIn(document, section).filter(isOwn),
    ]
    const body = without(
      text,
      section.bodyStart,
      section.end,
      apart.sort((a, b) => a.start - b.start),
    )
    if (!isVisible(body) || isUnfilled(body) || isBoilerplate(body)) continue
    const titled = `${'#'.repeat(Math.min(section.level, 6))} ${section.heading}\n\n${body}`
    // without a decision section, a summary says what was decided
    if (section.kind === 'context' && !decides && summaries.has(wordKey(section.heading))) pieces.other.push(titled)
    else if (section.kind === 'context') pieces.context.push(body)
    else if (section.kind === 'decision') {
      const said = decidingIn(document, section)
      if (said !== '') {
        pieces.decision.push(said)
        pieces.other.push(titled)
      } else if (pointsElsewhere(body)) pieces.links.push(titled)
      else pieces.decision.push(body)
    } else if (section.kind === 'proposal') pieces.proposal.push(body)
    else if (section.kind === 'rationale') pieces.rationale.push(body)
    else if (section.kind === 'consequences')
      pieces.consequences.push(section.parent?.kind === 'decision' || section !== firstConsequences ? titled : body)
    else if (
      isLeftInMetadata(section) ||
      section.kind === 'links' ||
      section.kind === 'history' ||
      section.kind === 'aside'
    )
      pieces.links.push(titled)
    else if (section.kind === 'drivers') pieces.links.push(besideDrivers(document, section))
    else if (section.kind === null)
      (section.start < contextEnd && !hasContext ? pieces.context : pieces.other).push(titled)
    else if (section.kind === 'options' || section.kind === 'details') {
      const beyond = textBeyondOptions(titled, body, options)
      besideOptions.push(...beyond)
      pieces.other.push(...beyond)
    } else if (section.kind === 'status') {
      for (const remark of remarks.splice(0))
        (isReasonOfStatus(remark, status) ? pieces.rationale : pieces.links).push(`Status: ${remark}`)
    }
  }
  const above = blocksBetween(document, document.title?.end ?? 0, sections[0]?.start ?? text.length, blocks)
  const preamble = isVisible(above) ? above : ''
  for (const line of others) (isReason(line, status) ? pieces.rationale : pieces.links).push(line)
  for (const reason of reasonsBesideStatus(fields)) pieces.rationale.push(reason)
  pieces.links.push(...limitingRemarks(fields).filter((remark) => !preamble.includes(remark)))
  const structured = first !== undefined
  const ofOptions = new Set(besideOptions)
  const join = (...lists: string[][]) => joined(...lists.flat()).trim()
  const decisions = pieces.decision.length > 0 ? pieces.decision : pieces.proposal
  const proposals = decisions === pieces.proposal ? [] : pieces.proposal
  const unknown = [...proposals, ...pieces.other.filter((text) => !ofOptions.has(text))]
  const deciding = unknown.filter(saysWhatWasDecided)
  const { decision, reasons } = splitReasons(join(decisions))
  // nobody filled in the template
  const saysNothing = join([preamble], ...Object.values(pieces)) === '' && options.every(isBlank)
  const filled = saysNothing ? '' : joined(preamble, withoutMetadata(document))
  return {
    context: structured ? join([preamble], pieces.context) : '',
    lead: structured && pieces.context.length === 0 ? preamble : '',
    isLeadDecision: isLeadDecision(sections),
    decision,
    isUndecided: decision === '' && sections.some((section) => section.kind === 'decision' && isOwn(section)),
    rationale: join([reasons], pieces.rationale),
    consequences: structured ? join(pieces.consequences) : '',
    other: structured ? join(proposals, pieces.other) : '',
    besideOptions: structured ? join(besideOptions) : '',
    unknown: structured ? join(unknown) : '',
    deciding: structured ? join(deciding) : '',
    undecided: deciding.length === 0 ? '' : join(unknown.filter((text) => !deciding.includes(text))),
    hasUnknown: proposals.length > 0 || pieces.other.length > besideOptions.length,
    links: structured ? join(pieces.links) : join(limitingRemarks(fields), others),
    whole: structured ? filled : join([preamble], [withoutAsides(document)]),
  }
}

const summaries: ReadonlySet<string> = new Set(['abstract', 'overview', 'summary'])

/** Sections that say nothing about the form of the rest. */
const unstructured: ReadonlySet<string> = new Set(['outcome', 'history', 'aside'])

/** A section of options that contains more than its options, such as a table or running text. */
function textBeyondOptions(titled: string, body: string, options: readonly Option[]): string[] {
  if (options.length > 0 && options.every(isBlank)) return []
  const contained = options.filter(({ title, text }) => body.includes(title) || (text !== '' && body.includes(text)))
  const length = contained.reduce(
    (sum, { title, text }) => sum + title.length + (body.includes(text) ? text.length : 0),
    0,
  )
  return length > body.length * 0.6 ? [] : [titled]
}

function without(text: string, start: number, end: number, inside: readonly Span[]): string {
  let from = start
  let kept = ''
  for (const section of inside) {
    if (section.start < from) continue
    kept += text.slice(from, section.start)
    from = section.end
  }
  return clean(kept + text.slice(from, Math.max(from, end)))
}

/** The introduction: blocks above the first section that are not metadata. */
function blocksBetween(document: AdrDocument, start: number, end: number, metadata: ReadonlySet<number>): string {
  // sorted like the blocks, so that one pass is enough
  const offsets = [...metadata].sort((a, b) => a - b)
  let next = 0
  const kept = blocksIn(document, start, end).filter((block) => {
    const [from, to] = span(block)
    if (block.type === 'html' || block.type === 'definition' || block.type === 'thematicBreak') return false
    // a component of the web site, such as <Status />
    if (/^<[A-Za-z][^<>]*>(?:<\/[A-Za-z]+>)?$/.test(document.text.slice(from, to).trim())) return false
    while (next < offsets.length && (offsets[next] as number) < from) next++
    if (block.type === 'blockquote' && tellsMore(document.text.slice(from, to))) return true
    return !(next < offsets.length && (offsets[next] as number) < to)
  })
  return clean(kept.map((block) => document.text.slice(...span(block))).join('\n\n'))
}

/** The text of a section with its subsections, as Markdown. */
export function textOf({ text }: AdrDocument, { bodyStart, end }: Section): string {
  const body = without(text, bodyStart, end, [])
  return isUnfilled(body) ? '' : body
}

/** All sections but those that never hold the decision. */
function withoutAsides({ text, sections }: AdrDocument): string {
  const asides = sections.filter(({ kind }) => kind !== null && unstructured.has(kind))
  const start = sections[0]?.start ?? text.length
  return asides.length === 0 ? text.slice(start) : without(text, start, text.length, asides)
}

/** All sections but those of metadata. */
function withoutMetadata({ text, sections }: AdrDocument): string {
  const apart = sections.filter(({ kind }) => besideDecision.has(kind))
  return without(text, sections[0]?.start ?? text.length, text.length, apart)
}

/** An unknown subsection of a status, a date or the deciders: no field has its text. */
function isLeftInMetadata({ kind, parent }: Section): boolean {
  return (kind === null || kind === 'links') && parent !== null && metadataOfRecord.has(parent.kind)
}

const metadataOfRecord: ReadonlySet<Section['kind']> = new Set(['status', 'date', 'deciders'])
