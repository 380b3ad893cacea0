/** Turns one object of a JSON Lines or CSV file into the input of an operation. */
import { decisionImportItem } from '../decisions/input.ts'
import { uuidPattern } from '../ids.ts'
import { memoryKinds, rememberInput } from '../memories/input.ts'
import { type Issue, Problem } from '../problem.ts'
import { isoInstant } from '../validation/schema.ts'
import { validated } from '../validation/validated.ts'
import type { ImportedRow } from './files/reading.ts'

export interface RowFile {
  /** Absolute path. */
  path: string
  /** Path from the root, as in reports. */
  name: string
  /** A decision without an external_id gets this prefix and its line number as external_id. */
  idPrefix: string
}

/** Issues that are reported of one row. */
const mostIssues = 5

/**
 * Returns one decision or memory, or a note for each invalid field. The object is a memory if its `kind` is a kind of
 * memory, or is `memory` and `memory_kind` is the kind. Without `kind` it is a decision. `id` is its id in the store
 * that it was exported from.
 */
export function rowsOfObject(object: Record<string, unknown>, file: RowFile, line: number): ImportedRow[] {
  const { kind, ...rest } = withoutNulls(object)
  const place: { file: string; line: number; id?: string } = { file: file.name, line }
  if (typeof rest.id === 'string' && uuidPattern.test(rest.id)) {
    place.id = rest.id.toLowerCase()
    delete rest.id
  }
  const isMemory = kind === 'memory' || (memoryKinds as readonly unknown[]).includes(kind)
  if (!isMemory && kind !== undefined && kind !== 'decision') {
    return [noteOf(file, line, `kind: must be decision or memory, not ${JSON.stringify(kind)?.slice(0, 60)}`)]
  }
  if (isMemory) {
    const { memory_kind, ...memory } = rest
    const input = { ...memory, kind: kind === 'memory' ? memory_kind : kind, ...instantIn(memory, 'occurred_at') }
    return orNotes(input, ['content'], file, line, () => ({
      kind: 'memory',
      ...place,
      memory: validated(rememberInput, input),
    }))
  }
  const input = { external_id: `${file.idPrefix}${line}`, ...rest, ...instantIn(rest, 'decided_at') }
  return orNotes(input, ['title', 'judgment'], file, line, () => ({
    kind: 'decision',
    ...place,
    decision: validated(decisionImportItem, input),
  }))
}

export function noteOf(file: RowFile, line: number, message: string): ImportedRow {
  return { kind: 'note', file: file.name, line, message }
}

function withoutNulls(object: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== null && value !== undefined))
}

/** A day becomes its first instant. An instant with an offset becomes the same instant in UTC. */
function instantIn(object: Record<string, unknown>, field: string): Record<string, string> {
  const value = object[field]
  if (typeof value !== 'string' || isoInstant(value) !== undefined) return {}
  if (/^\d{4}-\d{2}-\d{2}$/.test(value)) return { [field]: `${value}T00:00:00.000Z` }
  if (!/^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?[+-]\d{2}:\d{2}$/.test(value)) return {}
  const date = new Date(value.replace(' ', 'T'))
  return Number.isNaN(date.getTime()) ? {} : { [field]: date.toISOString() }
}

/** The row that `read` returns, or a note for each field that is missing or not valid. */
function orNotes(input: object, needed: readonly string[], file: RowFile, line: number, read: () => ImportedRow) {
  try {
    return [read()]
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const missing = needed.filter((field) => !(field in input))
    const issues = ((error.details?.issues ?? []) as Issue[]).filter(({ path }) => !missing.includes(path))
    return [
      ...missing.map((field) => `${field}: is required: add it`),
      ...issues.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`)),
    ]
      .slice(0, mostIssues)
      .map((message) => noteOf(file, line, message))
  }
}
