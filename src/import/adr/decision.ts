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
import type { Source } from '../../records/record.ts'
import { cut } from '../../records/title.ts'
import { codePoints, isVisible, mostItems, mostNameCharacters, mostTextCharacters } from '../../validation/schema.ts'
import { type Body, bodyOf } from './body.ts'
import { wordKey } from './document/dictionary.ts'
import { joined } from './document/markdown.ts'
import { splitNotice } from './notice.ts'
import type { Note, ParsedAdr } from './parse.ts'
import type { TreeRecord } from './tree-record.ts'

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
