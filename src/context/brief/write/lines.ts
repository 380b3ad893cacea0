/** Writes the lines of a brief that are no records: conflicts, questions and persons, with their citations. */
import type { Audience } from '../../../ids.ts'
import type { OpenQuestion } from '../../../questions/schema.ts'
import { type SeenBy, seenLabel } from '../../../questions/who-sees.ts'
import { isPrivate } from '../../../records/audience.ts'
import type { OutcomeStatus } from '../../../records/body.ts'
import { dateTold, isUndated, undated } from '../../../records/imported.ts'
import { type ConflictResponse, titleWithStatus } from '../../../records/present/present.ts'
import type { Envelope } from '../../../records/record.ts'
import { askedOf } from '../../trust.ts'
import type { Material } from '../choose/material.ts'
import type { Item } from '../find/found.ts'
import { cutAtWord } from '../text/cut.ts'
import { inLine, oneLine } from '../text/in-line.ts'
import { plainText } from '../text/plain-text.ts'
import { summaryOf } from '../text/summary.ts'
import type { Page } from './page.ts'

/** Approximate characters of each summary. */
const asked = 240
const askedInShort = 100
const longestMessage = 600
/** Code points if lines are short: of what no longer holds, and of what superseded it. */
const goneInShort = 80
const newerInShort = 40
/** Lines that name who decided what, and the persons and the decisions in one line. */
const mostDeciders = 8
const mostPersons = 6
const mostDecided = 4
/** Code points. If titles must be shorter, these decisions are listed by their numbers alone. */
const shortestNamed = 80

/** Names both records and cites the newer one. `isShort`: with cut names, and without the reason. */
export function conflictLine(
  { message: said, source, superseded_by }: ConflictResponse,
  { named }: Material,
  page: Page,
  isShort: boolean,
): string {
  // both may have the same title: the date tells them apart
  const record = named.get(source.id ?? '')
  const day = record ? dateTold(record) : dayOf(source.occurred_at ?? '')
  const message = said.replace(superseded, (_, gone: string, newer: string, date: string, reason = '') => {
    const [was, is] = isShort ? [cutAtWord(gone, goneInShort), cutAtWord(newer, newerInShort)] : [gone, newer]
    return `“${was}” (${day}) was superseded by “${is}” (${date}).${isShort ? '' : reason}`
  })
  return `- ${inLine(cutAtWord(message, longestMessage))}${citationOf(superseded_by.id, named, page)}`
}

/** Ends in the question's id, which context.resolve takes. */
export function questionLine(question: OpenQuestion, material: Material, page: Page, isShort = false): string {
  return asksLine(question, material, page, isShort) + seenLine(material.seenBy.get(question.question_id))
}

function asksLine(question: OpenQuestion, { named }: Material, page: Page, isShort: boolean): string {
  const about = named.get(question.subject?.id ?? '')
  const cited = `${citationOf(question.subject?.id, named, page)} \`${question.question_id}\``
  const urgent = question.priority === 'blocking' ? '**Answer this first:** ' : ''
  if (question.reason === 'pending_judgment' && about) {
    const proposal = about.proposal ?? about
    const title = inLine(isShort ? cutAtWord(proposal.title, 2 * askedInShort) : proposal.title)
    const proposed = isUndated(proposal) ? `proposed, ${undated}` : `proposed ${dateTold(proposal)}`
    const facts = [proposed, ...privacyOf(proposal)].join(', ')
    // the claim is the title followed by the judgment
    const judgment = isShort ? '' : `\n  ${inLine(summaryOf(question.claim.slice(proposal.title.length + 1), asked))}`
    return `- ${urgent}Accept or reject **${title}** (${facts})${cited}${judgment}`
  }
  const length = isShort ? askedInShort : asked
  const both = bothStatements(question, length)
  const words = askedOf({ ...question, claim: both ?? summaryOf(question.claim, length) })
  return `- ${urgent}${inLine(both === undefined ? cutAtWord(words, 2 * length) : words)}${cited}`
}

/** The claim of a contradiction with each statement shortened: a person must choose one of the two. undefined: another claim. */
function bothStatements({ reason, claim }: OpenQuestion, length: number): string | undefined {
  const both = reason === 'contradiction' ? twoStatements.exec(claim) : null
  if (!both) return undefined
  const [, newer = '', between = '', older = '', end = ''] = both
  const shortened = (text: string) => cutAtWord(oneLine(plainText(text)), length)
  return `“${shortened(newer)}${between}${shortened(older)}${end}`
}

const date = `(?:[\\d-]+|${undated})`
/** The message of a conflict: “Use Redis” was superseded by “Use Postgres” (2026-01-02). Reason: Too slow. */
const superseded = new RegExp(
  `^“([\\s\\S]+?)” was superseded by “([\\s\\S]+?)” \\((${date})\\)\\.( Reason: [\\s\\S]*)?$`,
)
/** The claim of a contradiction: “They are ten” (2026-01-02), or “they are five” (no date)? */
const twoStatements = new RegExp(`^“([\\s\\S]+)(” \\(${date}\\), or “)([\\s\\S]+)(” \\(${date}\\)\\?)$`)

/** Says who sees the answer, for a question that only some see. The page says that everyone sees the other answers. */
export function seenLine(seenBy: SeenBy | undefined): string {
  if (seenBy === undefined || seenBy.question === 'workspace') return ''
  const { answer, question } = seenBy
  const narrower = answer === question ? '' : `, or ${whoSees(question)} if \`visibility\` says so`
  return `\n  ${seenLabel} ${whoSees(answer)}${narrower}.`
}

/** In words, for a reader who belongs to the audience. */
function whoSees(audience: Audience): string {
  if (audience === 'workspace') return 'everyone in the workspace'
  return audience.startsWith('team:') ? 'the team' : 'you alone'
}

/** One line for each person with decisions, or for those with the same ones; those with most decisions first. */
export function deciderLines({ used, bodies }: Material, page: Page, longestTitle: number): string[] {
  // where titles would be cut short, the number alone is clearer
  const nameOf = (record: Item['record']) =>
    longestTitle < shortestNamed ? '' : `“${inLine(cutAtWord(titleWithStatus(record), longestTitle))}” `
  const by = new Map<string, Item['record'][]>()
  for (const { record } of used) {
    if (record.status === 'proposed') continue
    for (const name of new Set(bodies.get(record.id)?.decided_by ?? [])) by.set(name, [...(by.get(name) ?? []), record])
  }
  const together = new Map<string, { persons: string[]; decided: Item['record'][] }>()
  for (const [name, decided] of [...by].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const key = decided.map(({ id }) => id).join()
    const { persons } = together.get(key) ?? { persons: [] }
    together.set(key, { persons: [...persons, name], decided })
  }
  const lines = [...together.values()].sort((a, b) => b.decided.length - a.decided.length)
  return lines.slice(0, mostDeciders).map(({ persons, decided }) => {
    const who = persons.slice(0, mostPersons).map((name) => `**${inLine(cutAtWord(name, longestTitle))}**`)
    const what = decided.slice(0, mostDecided).map((record) => nameOf(record) + page.cite(record))
    return `- ${who.join(', ')}${more(persons, mostPersons)} decided ${what.join(', ')}${more(decided, mostDecided)}`
  })
}

const more = ({ length }: readonly unknown[], most: number) => (length > most ? ` and ${length - most} more` : '')

function citationOf(id: string | undefined, named: Material['named'], page: Page): string {
  const record = named.get(id ?? '')
  return record ? ` ${page.cite(record)}` : ''
}

/** What a decision's line says of an outcome that a reader must know before relying on the decision. */
export const cautionOf: Partial<Record<OutcomeStatus, string>> = { failure: 'failed', mixed: 'worked in part' }

/** “private” if only this reader sees the record: without the word, a reader may quote it to others. */
export function privacyOf(record: Pick<Envelope, 'audience'>): string[] {
  return isPrivate(record) ? ['private'] : []
}

export function dayOf(instant: string): string {
  return instant.slice(0, 10)
}
