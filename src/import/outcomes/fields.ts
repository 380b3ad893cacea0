/**
 * Reads outcomes from the fields of an object: of a line of JSON Lines, a row of CSV or the front matter of a record.
 * They are given as `outcome_status`, `outcome_notes` and `outcome_observed_at`, or as `outcome`: a text, an object, or a
 * list of objects (`outcomes`, as an export writes it).
 */
import { type OutcomeImportItem, outcomeImportItem } from '../../decisions/outcome-input.ts'
import { type Issue, Problem } from '../../problem.ts'
import type { DecisionStatus } from '../../records/record.ts'
import { validated } from '../../validation/validated.ts'
import { instantIn } from '../files/instants.ts'
import { isOnlyStatus, statusOfText } from './status.ts'

export const outcomeFieldNames = [
  'outcome',
  'outcomes',
  'outcome_status',
  'outcome_notes',
  'outcome_observed_at',
  'observed_at',
] as const

export interface OutcomesRead {
  /** In their order. */
  outcomes: OutcomeImportItem[]
  /** Fields that are not valid. */
  issues: Issue[]
  /** What was told about an outcome, but not whether it was good or bad: nothing was read then. */
  withoutStatus: boolean
}

export const whyNoStatus =
  'an outcome without a status was not imported: add outcome_status (success, failure or mixed)'

/** Why the outcomes of a decision with this status are left out; undefined if they are not. */
export function whyNoOutcome(status: DecisionStatus): string | undefined {
  if (status !== 'proposed' && status !== 'rejected') return undefined
  return `its outcome was not imported: the decision is ${status}, and only one that was decided has an outcome`
}

type Fields = Readonly<Record<string, unknown>>

/** `fields`: without nulls. Other fields than those of outcomes are ignored. */
export function outcomesIn(fields: Fields): OutcomesRead {
  const read: OutcomesRead = { outcomes: [], issues: [], withoutStatus: false }
  const given = outcomeFieldNames.filter((name) => fields[name] !== undefined)
  if (given.length === 0) return read
  const { outcome_observed_at, observed_at } = fields
  const structured = (['outcomes', 'outcome'] as const).find((name) => typeof fields[name] === 'object')
  if (structured !== undefined) {
    const [other] = given.filter((name) => name !== structured)
    if (other !== undefined) read.issues.push({ path: other, message: `leave it out: ${structured} says it` })
    else takeObjects(read, structured, fields[structured])
    return read
  }
  if (outcome_observed_at !== undefined && observed_at !== undefined) {
    read.issues.push({ path: 'observed_at', message: 'leave it out: outcome_observed_at says it' })
    return read
  }
  const date = outcome_observed_at === undefined ? 'observed_at' : 'outcome_observed_at'
  take(read, fromTexts(fields, fields[date]), (field) => (field === 'observed_at' ? date : field))
  return read
}

function takeObjects(read: OutcomesRead, name: string, value: unknown): void {
  const isList = Array.isArray(value)
  for (const [at, one] of (isList ? value : [value]).entries()) {
    const path = isList ? `${name}[${at}]` : name
    take(read, fromObject(one), (field) => (field === '' ? path : `${path}.${field}`))
  }
}

/** `{status, notes, observed_at, sources}`, also with the names of the API. */
function fromObject(value: unknown): unknown {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return value
  const { status, notes, ...rest } = value as Fields
  const said = rest.outcome_status ?? status
  return {
    ...rest,
    ...(said === undefined ? {} : { outcome_status: statusFrom(said) }),
    ...(notes === undefined ? {} : { outcome_notes: notes }),
    ...instantIn(rest, 'observed_at'),
  }
}

/** A text in `outcome` may begin with the status; beside `outcome_status` it is notes. */
function fromTexts(fields: Fields, observed_at: unknown): unknown {
  const told = [fields.outcome, fields.outcomes].find((one) => one !== undefined)
  const { outcome_notes, outcome_status = typeof told === 'string' ? statusOfText(told) : undefined } = fields
  const text = typeof told === 'string' && !isOnlyStatus(told) ? told.trim() : ''
  const notes = [text, ...(typeof outcome_notes === 'string' ? [outcome_notes] : [])].filter((one) => one !== '')
  return {
    ...(outcome_status === undefined ? {} : { outcome_status: statusFrom(outcome_status) }),
    ...(notes.length === 0 ? {} : { outcome_notes: notes.join('\n\n') }),
    ...(observed_at === undefined ? {} : { observed_at, ...instantIn({ observed_at }, 'observed_at') }),
  }
}

/** `Failed` is a failure, too. A word that is not known stays, so that the problem names it. */
function statusFrom(said: unknown): unknown {
  if (typeof said !== 'string') return said
  return isOnlyStatus(said) ? statusOfText(said) : said.trim().toLowerCase()
}

function take(read: OutcomesRead, input: unknown, pathOf: (field: string) => string): void {
  const isObject = input !== null && typeof input === 'object' && !Array.isArray(input)
  if (isObject && !('outcome_status' in input)) {
    read.withoutStatus = true
    return
  }
  try {
    read.outcomes.push(validated(outcomeImportItem, input))
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const issues = (error.details?.issues ?? []) as Issue[]
    read.issues.push(...issues.map(({ path, message }) => ({ path: pathOf(path), message })))
  }
}
