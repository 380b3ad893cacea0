/** Finds in a parsed record what was decided, and divides the rest into context, consequences and alternatives. */
import { isVisible } from '../../validation/schema.ts'
import { joined } from './document/markdown.ts'
import { chosenAmong, namedInStatus } from './options/chosen.ts'
import { isMarked, nameOf, type Option, saidOf, tickedAmong } from './options/names.ts'
import type { Note, ParsedAdr } from './parse.ts'
import type { TreeRecord } from './tree-record.ts'

export interface Body {
  judgment: string
  context: string
  consequences: string
  /** The text of the chosen options. */
  chosen: string
  alternatives: { title: string; why_not?: string }[]
}

/**
 * The judgment is the first of these that the record has. Other sections become the context.
 * 1. What a Y-statement says was decided; the decision section; an option that is marked as chosen.
 * 2. The text above the first section, if it says what was decided, if all headings are known, or if only reasons, options
 *    and consequences follow it.
 * 3. The title, if the section for the decision is empty or there is no text at all.
 * 4. All sections with unknown headings: one of them probably contains the decision.
 * 5. The whole text.
 */
export function bodyOf(adr: ParsedAdr, inTree: TreeRecord, note: (note: Note) => void): Body {
  const { parts } = adr
  const named = chosenAmong(adr.options, {
    decision: parts.decision,
    title: inTree.title,
    status: adr.status?.text ?? '',
    isRejected: inTree.status === 'rejected',
  })
  // nobody wrote what was chosen of a single option
  const isOnlyOne = parts.isUndecided && inTree.status === 'accepted' && adr.options.length === 1
  const chosen = isOnlyOne ? adr.options : named
  const alternatives = adr.options
    .filter((option) => !chosen.includes(option) && isVisible(option.title))
    .map(({ title, text }) => ({ title: nameOf(title), ...(isVisible(text) ? { why_not: text } : {}) }))
  const related = inTree.related.map(({ relation, title }) => `${relation}: ${title}`)
  const context = (...texts: string[]) => joined(...texts, parts.links, ...related)
  const rest = { consequences: parts.consequences, chosen: joined(...chosen.map(toldOf)), alternatives }
  if (parts.decision !== '' && !adr.yStatement) {
    // code says little without the sentence above the first section that tells what it is for
    return parts.lead !== '' && /^(?:```|~~~)/.test(parts.decision)
      ? { judgment: joined(parts.lead, parts.decision), context: context(parts.other), ...rest }
      : { judgment: parts.decision, context: context(parts.context, parts.other), ...rest }
  }
  if (adr.yStatement) {
    const { text, decision, neglected, rationale, consequences, rest: below } = adr.yStatement
    return {
      judgment: parts.decision === '' ? decision : joined(decision, below),
      context: context(parts.context.includes(text) ? '' : text, parts.context, parts.other),
      consequences: joined(consequences ?? '', parts.consequences),
      chosen: joined(rationale ?? '', rest.chosen),
      alternatives: alternatives.length === 0 ? neglected.map((title) => ({ title })) : alternatives,
    }
  }
  const [marked] = chosen
  const others = [...tickedAmong(adr.options), ...namedInStatus(adr.options, adr.status?.text ?? '')]
  if (marked && (isMarked(marked) || others.includes(marked))) {
    // nothing else says what was decided, so the text above the options belongs to it
    const isWithLead = parts.lead !== '' && !parts.isUndecided
    return {
      judgment: joined(saidOf(marked), isWithLead ? parts.lead : ''),
      context: context(isWithLead ? '' : parts.context, parts.other),
      ...rest,
      chosen: '',
    }
  }
  const leadDecides =
    saysWhatWasDecided.test(parts.lead) || parts.isLeadDecision || !(parts.hasUnknown || parts.isUndecided)
  if (parts.lead !== '' && leadDecides) {
    return { judgment: parts.lead, context: context(parts.other), ...rest }
  }
  // the pros and cons of options don't say which one was chosen
  const isOnlyOptions = parts.other !== '' && !parts.hasUnknown
  const [only] = chosen
  if (isOnlyOne && only) {
    note({ line: 1, message: 'no text says what was decided: the only option was taken as the decision' })
    return { judgment: only.title, context: context(parts.context, parts.other), ...rest, chosen: only.text }
  }
  // nor do its reasons
  const isOnlyReasons = adr.signs.reasons > 0 && parts.rationale !== '' && parts.other === ''
  if (parts.isUndecided || !isVisible(parts.whole) || isOnlyOptions || isOnlyReasons) {
    note({ line: 1, message: 'no text says what was decided: the title was taken as the decision' })
    return { judgment: inTree.title, context: context(parts.context, parts.other), ...rest }
  }
  if (parts.other !== '') {
    const { unknown, deciding, undecided, besideOptions } = parts
    const isApart = unknown !== ''
    const which = deciding === '' ? 'with other names' : 'with a sentence such as “We decided …”'
    note({
      line: 1,
      message: `no section is named as the decision: the sections ${which} were taken as the decision`,
    })
    return {
      judgment: deciding === '' ? (isApart ? unknown : parts.other) : deciding,
      context: context(parts.context, undecided, isApart ? besideOptions : ''),
      ...rest,
    }
  }
  const structured = parts.context !== '' || parts.consequences !== ''
  if (structured)
    note({ line: 1, message: 'no section says what was decided: the whole text was taken as the decision' })
  return { judgment: parts.whole, context: joined(...related), consequences: '', chosen: '', alternatives }
}

/** “We decided on one file”. */
const saysWhatWasDecided =
  /\bwe (?:have |therefore |thus )*(?:decided?|chosen?|choose|opted|selected|adopt(?:ed)?|agreed)\b/i

function toldOf({ title, text }: Option): string {
  return isVisible(text) ? `${title}\n\n${text}` : ''
}
