/** One object of a file, from whichever format, as the input of an operation. */
import type { z } from 'zod'
import { decisionImportItem } from '../decisions/input.ts'
import { memoryKinds, rememberInput } from '../memories/input.ts'
import { uuidPattern } from '../records/ids.ts'
import { isoInstant } from '../records/schema.ts'
import type { ImportedRow } from './read.ts'

export interface RowFile {
  /** Absolute. */
  path: string
  /** As it is reported: from the root. */
  name: string
  /** The line number after it is the external_id of a decision without one. */
  idPrefix: string
}

const mostIssues = 5

/**
 * A decision input, or a memory: `kind` is `memory`, then `memory_kind` says which, or is that kind itself. Without
 * `kind` it is a decision. `id` is the one that it had where it was exported. What isn't valid comes back as notes, one
 * a field.
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
    return [noteOf(file, line, `kind: ${JSON.stringify(kind)?.slice(0, 60)} is neither decision nor memory`)]
  }
  if (isMemory) {
    const { memory_kind, ...memory } = rest
    const input = { ...memory, kind: kind === 'memory' ? memory_kind : kind, ...instantIn(memory, 'occurred_at') }
    const read = rememberInput.safeParse(input)
    return read.success ? [{ kind: 'memory', ...place, memory: read.data }] : issuesOf(read.error, file, line)
  }
  const input = { external_id: `${file.idPrefix}${line}`, ...rest, ...instantIn(rest, 'decided_at') }
  const read = decisionImportItem.safeParse(input)
  return read.success ? [{ kind: 'decision', ...place, decision: read.data }] : issuesOf(read.error, file, line)
}

export function noteOf(file: RowFile, line: number, message: string): ImportedRow {
  return { kind: 'note', file: file.name, line, message }
}

function withoutNulls(object: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== null && value !== undefined))
}

/** A day alone is the first instant of it; an instant with an offset is the same one in UTC. */
function instantIn(object: Record<string, unknown>, field: string): Record<string, string> {
  const value = object[field]
  if (typeof value !== 'string' || isoInstant(value) !== undefined) return {}
  if (/^\d{4}-\d{2}-\d{2}$/.test(value)) return { [field]: `${value}T00:00:00.000Z` }
  if (!/^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?[+-]\d{2}:\d{2}$/.test(value)) return {}
  const date = new Date(value.replace(' ', 'T'))
  return Number.isNaN(date.getTime()) ? {} : { [field]: date.toISOString() }
}

function issuesOf(error: z.ZodError, file: RowFile, line: number): ImportedRow[] {
  return error.issues.slice(0, mostIssues).flatMap((issue) => {
    const path = issue.path.join('.')
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.map((key) =>
        noteOf(file, line, `${path === '' ? key : `${path}.${key}`}: unknown field: leave it out`),
      )
    }
    return [noteOf(file, line, `${path === '' ? 'row' : path}: ${issue.message}`)]
  })
}
