/**
 * Reads how a decision worked out, from front matter and from sections such as `## Outcome` or `## Results after a year`.
 * `Decision Outcome` and `Consequences` are parts of the decision itself. A section without a plain status is, too.
 */
import type { OutcomeImportItem } from '../../decisions/outcome-input.ts'
import { cut } from '../../records/title.ts'
import { codePoints, mostTextCharacters } from '../../validation/schema.ts'
import { outcomeFieldNames, outcomesIn, whyNoOutcome, whyNoStatus } from '../outcomes/fields.ts'
import { isOnlyStatus, statusOfText } from '../outcomes/status.ts'
import { wordKey } from './document/dictionary.ts'
import { type AdrDocument, liftDecision } from './document/document.ts'
import type { FrontMatter } from './document/front-matter.ts'
import type { Section } from './document/headings.ts'
import { plainText } from './document/markdown.ts'
import { unitsBetween } from './document/units.ts'
import { findDate } from './metadata/dates.ts'
import type { Status } from './metadata/status.ts'
import { textOf } from './parts.ts'

interface Note {
  line: number
  message: string
}

export interface OutcomesTold {
  /** Front matter first, then sections in their order. */
  outcomes: OutcomeImportItem[]
  notes: Note[]
}

/** Headings of what was seen later: the word alone, or with a time, a date or a status. */
const headings =
  /^(?:(?<bare>outcomes?)|(?:actual|observed|eventual) (?:outcomes?|results?)|(?:in )?retrospect(?:ive)?s?|retrospektive|ruckblick|bilan|retrospectiva|retrospettiva|terugblik|ретроспектива|回顾|回顧|复盘|振り返り)(?<rest>\s*[:(–—].*| - .*| (?:after|since|as of|so far|in production|in practice|\d{4}).*)?$|^(?:outcomes?|results?) (?:after|since|as of|so far|in production|in practice)\b.*$/u
/** Kinds of sections around it in which it is about something else, such as one option. */
const elsewhere: ReadonlySet<string | null> = new Set([
  ...['status', 'date', 'deciders', 'metadata', 'context', 'drivers'],
  ...['options', 'details', 'option', 'proposal'],
])
const labelled =
  /^[^\p{L}]*(?<label>outcome status|status|outcome|result|verdict|observed(?: at| on)?|date)[*_`]{0,3}\s*[:：][*_`]{0,3}\s*(?<value>.+)$/iu
/** Lines of a section in which a status or date is looked for, and those in which another status is. */
const mostLines = { told: 5, searched: 200 }

/** Sections that are read get the kind `outcome`, so that they are no part of the decision. */
export function readOutcomes(document: AdrDocument, front: FrontMatter, status: Status | undefined): OutcomesTold {
  const told: OutcomesTold = { outcomes: [], notes: [] }
  const note = (line: number, message: string) => told.notes.push({ line, message })
  const fields = fieldsOf(front)
  const line = Math.min(...outcomeFieldNames.map((name) => front.fields.get(wordKey(name))?.line ?? 1))
  const read = outcomesIn(fields)
  for (const { path, message } of read.issues) note(line, `${path}: ${message}`)
  if (read.withoutStatus) note(line, whyNoStatus)
  const found = sectionsOf(document, note)
  const why = whyNoOutcome(status?.word === 'rejected' ? 'rejected' : isDecided(status) ? 'accepted' : 'proposed')
  if (why !== undefined) {
    const first = read.outcomes.length > 0 ? line : found.find((one) => one.outcome.outcome_status)?.section.line
    if (first !== undefined) note(first, why)
    return told
  }
  // `outcome_status` alone is the status of the last section about an outcome
  const last = found.at(-1)
  const [stated, ...others] = read.outcomes
  if (last && stated && others.length === 0 && stated.outcome_notes === null) {
    last.outcome.outcome_status = stated.outcome_status
    last.outcome.observed_at = stated.observed_at ?? last.outcome.observed_at
  } else told.outcomes.push(...read.outcomes)
  for (const { section, outcome } of found) {
    const { outcome_status, ...rest } = outcome
    if (outcome_status === undefined) {
      if (!/^outcomes$/iu.test(section.heading)) note(section.line, noStatusIn(section))
      continue
    }
    section.kind = 'outcome'
    if (codePoints(rest.outcome_notes ?? '') > mostTextCharacters) {
      note(section.line, `the outcome was cut to ${mostTextCharacters} characters`)
    }
    const outcome_notes = rest.outcome_notes === null ? null : cut(rest.outcome_notes, mostTextCharacters)
    told.outcomes.push({ ...rest, outcome_status, outcome_notes })
  }
  // a section that was taken for a second decision is none
  liftDecision(document.sections)
  return told
}

const isDecided = (status: Status | undefined) => status?.word !== 'proposed' && status?.word !== 'unknown'

function noStatusIn({ heading }: Section): string {
  return `the section ${JSON.stringify(heading.slice(0, 60))} was not imported as an outcome, because it begins with no status: add outcome_status (success, failure or mixed) to the front matter, or begin it with one of these words`
}

/** The fields of front matter as an import knows them from JSON Lines. */
function fieldsOf(front: FrontMatter): Record<string, unknown> {
  const fields: Record<string, unknown> = {}
  for (const name of outcomeFieldNames) {
    const { values = [], maps = [] } = front.fields.get(wordKey(name)) ?? {}
    const objects = maps.map((map) =>
      Object.fromEntries(Object.entries(map).map(([key, value]) => field(key.replaceAll(' ', '_'), value))),
    )
    if (objects.length > 0) fields[name] = objects.length === 1 ? objects[0] : objects
    else if (values.length > 0) fields[name] = field(name, values.join('\n'))[1]
  }
  return fields
}

/** A date in any form that can be read in one way only. */
function field(name: string, value: string): [string, string] {
  const found = name.endsWith('observed_at') ? findDate(value) : undefined
  return [name, found && !found.eitherOrder ? found.iso : value]
}

interface Found {
  section: Section
  outcome: Omit<OutcomeImportItem, 'outcome_status'> & Partial<Pick<OutcomeImportItem, 'outcome_status'>>
}

/** Sections about outcomes that have a text or a status. */
function sectionsOf(document: AdrDocument, note: (line: number, message: string) => void): Found[] {
  const { sections } = document
  const decision = sections.find(({ kind, heading }) => kind === 'decision' && !matchOf(heading))
  const found: Found[] = []
  for (const section of sections) {
    const match = matchOf(section.heading)
    if (!match || isElsewhere(section) || section.start < (found.at(-1)?.section.end ?? 0)) continue
    const { bare, rest = '' } = match.groups ?? {}
    // without another section that is the decision, a section named Outcome is
    if (decision ? section.start < decision.start : bare !== undefined) continue
    const body = textOf(document, section)
    const { outcome_status, dates, isOnlyLabels } = saidIn(document, section, rest)
    if (outcome_status === undefined && isOpen(body)) continue
    const outcome_notes = body === '' || isOnlyLabels || isOnlyStatus(plainText(body)) ? null : body
    const observed_at = dateIn([...dates, section.heading], (message) => note(section.line, message))
    const status = outcome_status === undefined ? {} : { outcome_status }
    found.push({ section, outcome: { ...status, outcome_notes, observed_at, sources: [] } })
  }
  return found
}

/**
 * The status that the heading, a line such as `Status: failed` or the first line begins with. Lines that begin with
 * different ones are about several things: then there is none.
 */
function saidIn(document: AdrDocument, { bodyStart, end }: Section, rest: string) {
  const lines = unitsBetween(document, bodyStart, end)
    .slice(0, mostLines.searched)
    .map(({ source }) => {
      const { label, value = source } = labelled.exec(source)?.groups ?? {}
      const text = plainText(value)
      const isDate = label !== undefined && /^(?:observed|date)/i.test(label)
      return { label, text, isDate, status: isDate ? undefined : statusOfText(text) }
    })
  const first = lines.slice(0, mostLines.told)
  const told = first.find(({ label, status }) => label !== undefined && status)?.status ?? first[0]?.status
  const isOne = new Set(lines.flatMap(({ status }) => status ?? [])).size === 1
  return {
    outcome_status: statusOfText(rest) ?? (isOne ? told : undefined),
    dates: first.filter(({ isDate }) => isDate).map(({ text }) => text),
    isOnlyLabels: first.length === lines.length && lines.every(({ label }) => label !== undefined),
  }
}

function matchOf(heading: string): RegExpExecArray | null {
  const bare = heading.replace(/\{#[^}]*\}\s*$/, '').replace(/^\s*(?:\d+(?:\.\d+)*[.):]?|[ivx]+[.)])\s+/i, '')
  return headings.exec(
    bare
      .normalize('NFKD')
      .replace(/\p{M}+/gu, '')
      .toLowerCase()
      .replace(/^[^\p{L}\p{N}]+/u, '')
      .trim(),
  )
}

function isElsewhere({ parent }: Section): boolean {
  return parent !== null && (elsewhere.has(parent.kind) || isElsewhere(parent))
}

/** Nothing was said yet. */
function isOpen(body: string): boolean {
  return /^[^\p{L}\p{N}]*(?:tbd|tba|todo|to be (?:determined|decided|defined|added|done)|n\/?a|none|pending|open|unknown|not yet\P{L}*.{0,40})?[^\p{L}\p{N}]*$/iu.test(
    body,
  )
}

function dateIn(texts: readonly string[], note: (message: string) => void): string | null {
  for (const text of texts) {
    const found = findDate(text)
    if (found === undefined) continue
    const said = JSON.stringify(text.slice(0, 40))
    if (found.eitherOrder) {
      note(
        `${said}: the date of the outcome was not read, because day and month may be swapped: write it as YYYY-MM-DD`,
      )
      continue
    }
    if (found.dayUnknown) note(`${said} names no day of its month: read as the first`)
    return found.iso
  }
  return null
}
