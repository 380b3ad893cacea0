/** From one parsed record and what the tree says of it to the input of `decision.record`. */
import {
  categories,
  type DecisionInput,
  decisionBounds,
  decisionImportItem,
  significances,
} from '../../decisions/input.ts'
import type { DecisionContext } from '../../records/body.ts'
import type { DecisionStatus, Source } from '../../records/record.ts'
import { codePoints, mostItems, mostNameCharacters, mostTextCharacters } from '../../records/schema.ts'
import { cut } from '../../records/title.ts'
import { wordKey } from './dictionary.ts'
import { joined } from './markdown.ts'
import { chosenAmong, type Option } from './options.ts'
import type { Note, ParsedAdr } from './parse.ts'

/** What the tree knows of a record beyond its own text. */
export interface Standing {
  externalId: string
  /** Source name and path: where the text stands. */
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

/** undefined with a note where it can't be made into one. */
export function decisionOf(adr: ParsedAdr, standing: Standing, note: (note: Note) => void): DecisionInput | undefined {
  const within = (text: string, most: number, what: string) => {
    if (codePoints(text) > most) note({ line: 1, message: `${what} was cut to ${most} characters` })
    return cut(text, most)
  }
  const body = bodyOf(adr, standing, note)
  const rationale = joined(adr.parts.rationale, body.chosen)
  const input = {
    title: within(standing.title, decisionBounds.title, 'the title'),
    judgment: within(body.judgment, decisionBounds.judgment, 'the decision'),
    ...contextOf(adr, body, within),
    ...(rationale === '' ? {} : { rationale: within(rationale, decisionBounds.text, 'the rationale') }),
    ...(body.consequences === ''
      ? {}
      : { consequences: within(body.consequences, decisionBounds.text, 'the consequences') }),
    ...(standing.decidedAt === undefined ? {} : { decided_at: standing.decidedAt }),
    decided_by: adr.deciders.slice(0, mostItems).map((name) => cut(name, mostNameCharacters)),
    status: standing.status,
    category: oneOf(categories, adr.category) ?? 'architecture',
    ...significanceOf(adr),
    surface: 'adr',
    entities: adr.tags.slice(0, mostItems).map((tag) => ({ type: 'tag', name: cut(tag, mostNameCharacters) })),
    sources: sourcesOf(standing),
    supersedes: standing.supersedes.slice(0, mostItems),
    ...(standing.supersessionReason === undefined
      ? {}
      : { supersession_reason: cut(standing.supersessionReason, decisionBounds.supersessionReason) }),
    external_id: standing.externalId,
  }
  if (standing.supersedes.length > mostItems)
    note({ line: 1, message: `supersedes more than ${mostItems} records: the rest was left out` })
  const checked = decisionImportItem.safeParse(input)
  if (checked.success) return checked.data
  const [issue] = checked.error.issues
  note({ line: 1, message: `not imported as a decision: ${issue?.path.join('.')}: ${issue?.message}` })
  return undefined
}

interface Body {
  judgment: string
  context: string
  consequences: string
  /** What is said of the option that was chosen. */
  chosen: string
  alternatives: { title: string; why_not?: string }[]
}

/**
 * The decision section; without one the sections that no dictionary has, for one of them tells it; without those the
 * whole text. What else a record says stands in its context.
 */
function bodyOf(adr: ParsedAdr, standing: Standing, note: (note: Note) => void): Body {
  const { parts } = adr
  const chosen = chosenAmong(adr.options, parts.decision)
  const alternatives = adr.options
    .filter((option) => !chosen.includes(option))
    .map(({ title, text }) => ({ title, ...(text === '' ? {} : { why_not: text }) }))
  const related = standing.related.map(({ relation, title }) => `${relation}: ${title}`)
  const context = (...texts: string[]) => joined(...texts, parts.links, ...related)
  const rest = { consequences: parts.consequences, chosen: joined(...chosen.map(toldOf)), alternatives }
  if (parts.decision !== '') {
    return { judgment: parts.decision, context: context(parts.context, parts.other), ...rest }
  }
  if (parts.other !== '') {
    note({ line: 1, message: 'no section is called the decision: those of other names stand for it' })
    return { judgment: parts.other, context: context(parts.context), ...rest }
  }
  const structured = parts.context !== '' || parts.consequences !== ''
  if (structured) note({ line: 1, message: 'no section says what was decided: the whole text stands for it' })
  if (parts.whole === '') note({ line: 1, message: 'no text says what was decided: the title stands for it' })
  const judgment = parts.whole === '' ? standing.title : parts.whole
  return { judgment, context: joined(...related), consequences: '', chosen: '', alternatives }
}

function toldOf({ title, text }: Option): string {
  return text === '' ? '' : `${title}\n\n${text}`
}

type Within = (text: string, most: number, what: string) => string

function contextOf(adr: ParsedAdr, body: Body, within: Within): { context?: string | DecisionContext } {
  const { context, alternatives } = body
  if (alternatives.length === 0 && adr.drivers.length === 0) {
    return context === '' ? {} : { context: within(context, decisionBounds.context, 'the context') }
  }
  const constraints = adr.drivers.slice(0, mostItems).map((driver) => within(driver, mostTextCharacters, 'a driver'))
  return {
    context: {
      ...(context === '' ? {} : { summary: within(context, mostTextCharacters, 'the context') }),
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

function sourcesOf(standing: Standing): Source[] {
  const own: Source = {
    type: 'adr',
    id: standing.externalId,
    title: cut(standing.title, 500),
    ...(standing.url === undefined ? {} : { url: standing.url }),
    ...(standing.decidedAt === undefined ? {} : { occurred_at: standing.decidedAt }),
    provenance: { class: 'repo', path: cut(standing.path, 1000) },
  }
  const related = standing.related.map(
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
