/** Turns one parsed record, and what the rest of the tree says about it, into the input of `decision.record`. */

import {
  categories,
  type DecisionInput,
  decisionBounds,
  decisionImportItem,
  significances,
} from '../../decisions/input.ts'
import { type OutcomeImportItem, outcomeImportItem } from '../../decisions/outcome-input.ts'
import type { DecisionContext } from '../../records/body.ts'
import type { DecisionStatus, Source } from '../../records/record.ts'
import { cut } from '../../records/title.ts'
import { codePoints, isVisible, mostItems, mostNameCharacters, mostTextCharacters } from '../../validation/schema.ts'
import { wordKey } from './document/dictionary.ts'
import { joined } from './document/markdown.ts'
import { splitNotice } from './notice.ts'
import { chosenAmong, namedInStatus } from './options/chosen.ts'
import { isMarked, nameOf, type Option, saidOf, tickedAmong } from './options/names.ts'
import type { Note, ParsedAdr } from './parse.ts'

/** What is known about a record from its path, from git and from the other records. */
export interface TreeRecord {
  externalId: string
  /** Source name and path of the file. */
  path: string
  url: string | undefined
  title: string
  status: DecisionStatus
  decidedAt: string | undefined
  /** external_ids. */
  supersedes: string[]
  supersessionReason: string | undefined
  related: { relation: 'Amends' | 'Amended by'; externalId: string; title: string; path: string }[]
}

/** undefined: the record can't be imported as a decision. A note says why. */
export function decisionOf(adr: ParsedAdr, inTree: TreeRecord, note: (note: Note) => void): DecisionInput | undefined {
  const within = (text: string, most: number, what: string) => {
    if (codePoints(text) > most) note({ line: 1, message: `${what} was cut to ${most} characters` })
    return cut(text, most)
  }
  const told = bodyOf(adr, inTree, note)
  const { notice, rest } = splitNotice(told.judgment, adr.status?.word === 'superseded')
  if (rest === '' && notice !== '')
    note({ line: 1, message: 'the text only says what became of this record: the title was taken as the decision' })
  const judgment = rest === '' ? inTree.title : rest
  const body = notice === '' ? told : { ...told, judgment, context: joined(notice, told.context) }
  const rationale = joined(adr.parts.rationale, body.chosen)
  const input = {
    title: within(inTree.title, decisionBounds.title, 'the title'),
    judgment: within(body.judgment, decisionBounds.judgment, 'the decision'),
    ...contextOf(adr, body, within),
    ...(isVisible(rationale) ? { rationale: within(rationale, decisionBounds.text, 'the rationale') } : {}),
    ...(isVisible(body.consequences)
      ? { consequences: within(body.consequences, decisionBounds.text, 'the consequences') }
      : {}),
    ...(inTree.decidedAt === undefined ? {} : { decided_at: inTree.decidedAt }),
    decided_by: adr.deciders.slice(0, mostItems).map((name) => cut(name, mostNameCharacters)),
    status: inTree.status,
    category: oneOf(categories, adr.category) ?? 'architecture',
    ...significanceOf(adr),
    surface: 'adr',
    entities: adr.tags.slice(0, mostItems).map((tag) => ({ type: 'tag', name: cut(tag, mostNameCharacters) })),
    sources: sourcesOf(inTree),
    supersedes: inTree.supersedes.slice(0, mostItems),
    ...(inTree.supersessionReason === undefined || !isVisible(inTree.supersessionReason)
      ? {}
      : { supersession_reason: cut(inTree.supersessionReason, decisionBounds.supersessionReason) }),
    external_id: inTree.externalId,
  }
  if (inTree.supersedes.length > mostItems)
    note({ line: 1, message: `it supersedes more than ${mostItems} records: the others are ignored` })
  const checked = decisionImportItem.safeParse(input)
  if (checked.success) return checked.data
  const [issue] = checked.error.issues
  note({ line: 1, message: `not imported as a decision: ${issue?.path.join('.')}: ${issue?.message}` })
  return undefined
}

/** Its outcomes, each with the file as its source: without title and url, which may change while the outcome stays. */
export function outcomesOf(adr: ParsedAdr, inTree: TreeRecord, note: (note: Note) => void): OutcomeImportItem[] {
  const path = cut(inTree.path, 1000)
  const sources: Source[] = [{ type: 'adr', id: inTree.externalId, provenance: { class: 'repo', path } }]
  return adr.outcomes.flatMap((one) => {
    const checked = outcomeImportItem.safeParse({ ...one, sources })
    if (checked.success) return [checked.data]
    const [issue] = checked.error.issues
    note({ line: 1, message: `an outcome was not imported: ${issue?.path.join('.')}: ${issue?.message}` })
    return []
  })
}

interface Body {
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
function bodyOf(adr: ParsedAdr, inTree: TreeRecord, note: (note: Note) => void): Body {
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

type Within = (text: string, most: number, what: string) => string

function contextOf(adr: ParsedAdr, body: Body, within: Within): { context?: string | DecisionContext } {
  const { context, alternatives } = body
  if (alternatives.length === 0 && adr.drivers.length === 0) {
    return isVisible(context) ? { context: within(context, decisionBounds.context, 'the context') } : {}
  }
  const constraints = adr.drivers.slice(0, mostItems).map((driver) => within(driver, mostTextCharacters, 'a driver'))
  return {
    context: {
      ...(isVisible(context) ? { summary: within(context, mostTextCharacters, 'the context') } : {}),
      ...(constraints.length === 0 ? {} : { constraints }),
      ...(alternatives.length === 0
        ? {}
        : {
            alternatives: alternatives.slice(0, mostItems).map(({ title, why_not }) => ({
              title: cut(title, mostNameCharacters),
              ...(why_not === undefined ? {} : { why_not: within(why_not, mostTextCharacters, 'an alternative') }),
            })),
          }),
    },
  }
}

function sourcesOf(inTree: TreeRecord): Source[] {
  const own: Source = {
    type: 'adr',
    id: inTree.externalId,
    title: cut(inTree.title, 500),
    ...(inTree.url === undefined ? {} : { url: inTree.url }),
    ...(inTree.decidedAt === undefined ? {} : { occurred_at: inTree.decidedAt }),
    provenance: { class: 'repo', path: cut(inTree.path, 1000) },
  }
  const related = inTree.related.map(
    ({ relation, externalId, title, path }): Source => ({
      type: 'decision',
      id: externalId,
      title: cut(`${relation}: ${title}`, 500),
      provenance: { class: 'repo', path: cut(path, 1000) },
    }),
  )
  return [own, ...related].slice(0, mostItems)
}

function significanceOf(adr: ParsedAdr) {
  const significance = oneOf(significances, adr.significance)
  return significance === undefined ? {} : { significance }
}

function oneOf<Value extends string>(values: readonly Value[], said: string | undefined): Value | undefined {
  const key = wordKey(said ?? '')
  return values.find((value) => wordKey(value) === key)
}
