/** Turns one object of a JSON Lines or CSV file into the input of an operation. */
import { decisionImportItem } from '../decisions/input.ts'
import { uuidPattern } from '../ids.ts'
import { memoryKinds, rememberInput } from '../memories/input.ts'
import { type Issue, Problem } from '../problem.ts'
import { taskImportItem } from '../tasks/import-item.ts'
import { validated } from '../validation/validated.ts'
import { instantIn } from './files/instants.ts'
import type { ImportedRow } from './files/reading.ts'
import { outcomeFieldNames, outcomesIn, whyNoOutcome, whyNoStatus } from './outcomes/fields.ts'

export interface RowFile {
  /** Its bytes from the beginning, in pieces. A file that was not read to its end is closed. */
  chunks(): AsyncIterable<Uint8Array>
  /** Path from the root, as in reports. */
  name: string
  /** A decision without an external_id gets this prefix and its line number as external_id. */
  idPrefix: string
}

/** Issues that are reported of one row. */
const mostIssues = 5

/**
 * Returns one decision, memory or task, or a note for each invalid field. The object is a memory if its `kind` is a kind
 * of memory, or is `memory` and `memory_kind` is the kind. Without `kind` it is a task if it has a name and no field that
 * a decision needs, else a decision. `id` is its id in the store that it was exported from.
 */
export function rowsOfObject(object: Record<string, unknown>, file: RowFile, line: number): ImportedRow[] {
  const { kind = isTask(Object.keys(object)) ? 'task' : undefined, ...rest } = withoutNulls(object)
  const place: { file: string; line: number; id?: string } = { file: file.name, line }
  if (typeof rest.id === 'string' && uuidPattern.test(rest.id)) {
    place.id = rest.id.toLowerCase()
    delete rest.id
  }
  const isMemory = kind === 'memory' || (memoryKinds as readonly unknown[]).includes(kind)
  if (kind === 'task') return taskRows({ ...clearedIn(object), ...rest }, file, place)
  if (!isMemory && kind !== undefined && kind !== 'decision') {
    return [noteOf(file, line, `kind: must be decision, memory or task, not ${JSON.stringify(kind)?.slice(0, 60)}`)]
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
  const { outcomes, issues, withoutStatus } = outcomesIn(rest)
  const own = Object.fromEntries(Object.entries(rest).filter(([name]) => !outcomeNames.has(name)))
  const input = { external_id: `${file.idPrefix}${line}`, ...own, ...instantIn(own, 'decided_at') }
  const remarks = withoutStatus ? [noteOf(file, line, whyNoStatus, true)] : []
  const read = (): ImportedRow => {
    const decision = validated(decisionImportItem, input)
    const why = outcomes.length > 0 ? whyNoOutcome(decision.status) : undefined
    if (why !== undefined) remarks.push(noteOf(file, line, why, true))
    return { kind: 'decision', ...place, decision, outcomes: why === undefined ? outcomes : [] }
  }
  return [...orNotes(input, decisionNeeds, file, line, read, issues), ...remarks]
}

/** Whether these are the fields of a task that does not say its kind. */
export function isTask(fields: readonly string[]): boolean {
  return !fields.includes('kind') && fields.includes('name') && !decisionNeeds.some((field) => fields.includes(field))
}

const decisionNeeds = ['title', 'judgment']

/** Fields of a task that null returns to their defaults. */
const clearable = Object.entries(taskImportItem.shape).flatMap(([field, schema]) =>
  schema.safeParse(null).success ? [field] : [],
)

function clearedIn(object: Record<string, unknown>): Record<string, null> {
  return Object.fromEntries(clearable.filter((field) => object[field] === null).map((field) => [field, null]))
}

function taskRows(
  given: Record<string, unknown>,
  file: RowFile,
  place: { file: string; line: number; id?: string },
): ImportedRow[] {
  const dates = { ...instantIn(given, 'start_at'), ...instantIn(given, 'due_at') }
  const input = { external_id: `${file.idPrefix}${place.line}`, ...given, ...dates }
  return orNotes(input, ['name'], file, place.line, () => ({
    kind: 'task',
    ...place,
    task: validated(taskImportItem, input),
  }))
}

const outcomeNames: ReadonlySet<string> = new Set(outcomeFieldNames)

/** `remark`: the row itself was imported. */
export function noteOf(file: RowFile, line: number, message: string, remark = false): ImportedRow {
  return { kind: 'note', file: file.name, line, message, ...(remark ? { remark } : {}) }
}

function withoutNulls(object: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== null && value !== undefined))
}

/**
 * The row that `read` returns, or a note for each field that is missing or not valid. `others`: what is wrong with fields
 * that `read` does not look at.
 */
function orNotes(
  input: object,
  needed: readonly string[],
  file: RowFile,
  line: number,
  read: () => ImportedRow,
  others: readonly Issue[] = [],
): ImportedRow[] {
  const found: Issue[] = []
  try {
    const row = read()
    if (others.length === 0) return [row]
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const missing = needed.filter((field) => !(field in input))
    found.push(...missing.map((path) => ({ path, message: 'is required: add it' })))
    found.push(...((error.details?.issues ?? []) as Issue[]).filter(({ path }) => !missing.includes(path)))
  }
  return [...found, ...others]
    .slice(0, mostIssues)
    .map(({ path, message }) => noteOf(file, line, path === '' ? message : `${path}: ${message}`))
}
