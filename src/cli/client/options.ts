/**
 * Parsers of option values. Each returns the value that the service expects. For a bad value it throws
 * InvalidArgumentError, whose message commander prints after the name of the option.
 */
import { InvalidArgumentError, Option } from 'commander'
import { uuidPattern } from '../../ids.ts'
import type { Visibility } from '../../records/audience.ts'
import { instantWithOffset, isoInstant } from '../../validation/schema.ts'
import { usage } from '../terminal/failure.ts'
import { inLine } from '../terminal/terminal.ts'

/** For options that may be repeated: collects their values. */
export function repeated<T>(read: (text: string) => T): (text: string, before: T[] | undefined) => T[] {
  return (text, before = []) => [...before, read(text)]
}

function oneOf(values: readonly string[]): (text: string) => string {
  return (text) => {
    if (values.includes(text)) return text
    throw new InvalidArgumentError(`Allowed choices are ${values.join(', ')}.`)
  }
}

/** An option with fixed values that may be repeated. */
export function someOf(flags: string, description: string, values: readonly string[]): Option {
  return new Option(flags, `${description}; may be repeated`).choices(values).argParser(repeated(oneOf(values)))
}

export const anyText = (text: string): string => text

export function wholeNumber(least: number, most: number): (text: string) => number {
  return (text) => {
    const value = Number(text)
    if (/^\d+$/.test(text) && value >= least && value <= most) return value
    throw new InvalidArgumentError(`Give a whole number from ${least} to ${most}.`)
  }
}

export function fraction(text: string): number {
  const value = Number(text)
  if (text.trim() !== '' && value >= 0 && value <= 1) return value
  throw new InvalidArgumentError('Give a number from 0 to 1.')
}

export function memoryId(text: string): string {
  if (uuidPattern.test(text)) return text
  throw new InvalidArgumentError('It is not the id of a memory. `precedent search` shows the ids of memories.')
}

/** Parses an instant. A day without a time becomes the instant `timeOfDay` (UTC) of this day. */
export function instantAt(timeOfDay: string): (text: string) => string {
  return (text) => {
    const whole = /^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text}T${timeOfDay}Z` : text
    const instant = isoInstant(whole) ?? instantWithOffset(whole)
    if (instant !== undefined) return instant
    throw new InvalidArgumentError(
      'It is not a date. Give a day such as 2030-01-31 or an instant such as 2030-01-31T12:00:00Z.',
    )
  }
}

/** For starts: a decision of a day is in force from the beginning of this day. */
export const startOfDay = instantAt('00:00:00.000')
/**
 * For ends: a key that expires on a day works until the end of this day, and a search as of a day includes the whole
 * day.
 */
export const endOfDay = instantAt('23:59:59.999')

export function visibility(text: string): Visibility {
  if (text === 'workspace' || text === 'private') return { scope: text }
  const team = /^team:(.+)$/.exec(text)?.[1]
  if (team !== undefined && uuidPattern.test(team)) return { scope: 'team', team_id: team }
  throw new InvalidArgumentError('Give workspace, private or team:UUID.')
}

/** Parses `https://…`, `ticket: 12`, the name of a document, or JSON. A CSV import accepts the same forms. */
export function source(text: string): object {
  if (text.startsWith('{')) return jsonObject(text, '--source')
  if (/^https?:\/\//i.test(text)) return { type: 'url', url: text }
  const [, type, id] = /^([^:]{1,100}):\s*(.+)$/su.exec(text) ?? []
  if (text.trim() === '') throw new InvalidArgumentError(`It is empty. Give ${sourceForms}.`)
  if (type === undefined || id === undefined) return { type: 'document', id: text }
  const spoken = type === 'meeting' || type === 'conversation'
  return { type, id, ...(spoken ? { provenance: { class: type } } : {}) }
}

export const sourceForms = 'a URL, TYPE:ID such as ticket:12, the name of a document, or JSON; may be repeated'

export function jsonObject(text: string, what: string): Record<string, unknown> {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw usage(`${what} is not JSON: ${inLine((error as Error).message)}.`)
  }
  if (value !== null && typeof value === 'object' && !Array.isArray(value)) return value as Record<string, unknown>
  throw usage(`${what} is not a JSON object.`)
}
