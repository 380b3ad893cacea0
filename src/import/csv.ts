/**
 * Reads CSV with a header. The columns are the fields of decisions, memories, tasks and outcomes. A list is separated by `;`
 * or is JSON; an object is JSON; an empty cell means no value. The header tells the separator: comma, semicolon or tab.
 */
import { CsvError } from 'csv-parse'
import { decisionImportItem } from '../decisions/input.ts'
import { rememberInput } from '../memories/input.ts'
import { taskImportItem } from '../tasks/import-item.ts'
import { type CsvRecord, recordsIn } from './csv-records.ts'
import type { ImportedRow } from './files/reading.ts'
import { outcomeFieldNames } from './outcomes/fields.ts'
import { isTask, noteOf, type RowFile, rowsOfObject } from './row.ts'

const fields: ReadonlySet<string> = new Set([
  'kind',
  'memory_kind',
  ...Object.keys(decisionImportItem.shape),
  ...Object.keys(rememberInput.shape),
  ...outcomeFieldNames,
])
/** Decisions of other systems have columns of these names that mean something else. */
const taskFields: ReadonlySet<string> = new Set(Object.keys(taskImportItem.shape))
const lists: ReadonlySet<string> = new Set([
  ...['decided_by', 'supersedes', 'topics', 'entities', 'sources'],
  ...['assignees', 'labels', 'decision_ids'],
])

export async function* readCsv(file: RowFile): AsyncGenerator<ImportedRow> {
  let columns: (string | undefined)[] | undefined
  let kind = {}
  let lastLine = 0

  function* rowsOf({ record, lines }: CsvRecord): Generator<ImportedRow> {
    const line = lastLine + 1
    lastLine = lines
    if (columns === undefined) {
      columns = columnsOf(record)
      if (isTask(columns.filter((one) => one !== undefined))) kind = { kind: 'task' }
      yield* unknownColumns(record, columns, file)
    } else if (record.length !== columns.length) {
      yield noteOf(
        file,
        line,
        `the row was not imported: it has ${count(record.length)}, and the header has ${columns.length}. Quote cells that contain the separator.`,
      )
    } else yield* rowsOfObject({ ...kind, ...objectOf(record, columns) }, file, line)
  }

  try {
    for await (const one of recordsIn(file)) {
      if ('record' in one) yield* rowsOf(one)
      else yield noteOf(file, one.line, `the row was not imported: ${one.skipped}`)
    }
    if (columns === undefined)
      yield noteOf(file, 1, 'there is no header. The first line must name the fields, such as title and judgment.')
  } catch (error) {
    // the disk failed, not the CSV: do not import a part of the file as if it were all of it
    if (!(error instanceof CsvError)) throw error
    yield noteOf(
      file,
      lastLine + 1,
      `nothing from here on was imported, because it is not CSV: ${error.message.slice(0, 200)}`,
    )
  }
}

const count = (cells: number) => (cells === 1 ? '1 cell' : `${cells} cells`)

/** `Decided at` becomes `decided_at`. undefined: no field has that name. */
function columnsOf(header: readonly string[]): (string | undefined)[] {
  const names = header.map((one) =>
    one
      .trim()
      .toLowerCase()
      .replace(/[\s-]+/g, '_'),
  )
  const mayHoldTasks = names.includes('kind') || isTask(names)
  const isKnown = (name: string) => fields.has(name) || (mayHoldTasks && taskFields.has(name))
  return names.map((name) => (isKnown(name) && name !== 'idempotency_key' ? name : undefined))
}

function* unknownColumns(
  header: readonly string[],
  columns: readonly (string | undefined)[],
  file: RowFile,
): Generator<ImportedRow> {
  for (const [at, column] of columns.entries()) {
    const name = JSON.stringify((header[at] ?? '').slice(0, 60))
    if (column === undefined)
      yield noteOf(
        file,
        1,
        `column ${name} was not imported, because no field has this name. Rename it, or leave it out.`,
      )
    else if (columns.indexOf(column) !== at) yield noteOf(file, 1, `column ${name} occurs twice: the last one is used`)
  }
}

function objectOf(record: readonly string[], columns: readonly (string | undefined)[]): Record<string, unknown> {
  const object: Record<string, unknown> = {}
  for (const [at, column] of columns.entries()) {
    const cell = record[at] ?? ''
    if (column !== undefined && cell.trim() !== '') object[column] = cellValue(column, cell)
  }
  return object
}

function cellValue(column: string, cell: string): unknown {
  const text = cell.trim()
  if (lists.has(column)) {
    const json = text.startsWith('[') ? jsonOf(text) : undefined
    return (
      json ??
      text
        .split(';')
        .map((item) => item.trim())
        .filter((item) => item !== '')
        .map((item) => itemOf(column, item))
    )
  }
  if (column === 'context' && text.startsWith('{')) return jsonOf(text) ?? cell
  if ((column === 'outcome' || column === 'outcomes') && /^[{[]/.test(text)) return jsonOf(text) ?? cell
  if (column === 'visibility') return visibilityOf(text)
  return cell
}

/** `person: Ada` is an entity. `https://…` and `ticket: 12` are sources. */
function itemOf(column: string, item: string): unknown {
  const [, type = '', rest = ''] = /^([^:]{1,100}):\s*(.+)$/su.exec(item) ?? []
  if (column === 'entities') return type === '' ? { type: 'entity', name: item } : { type, name: rest }
  if (column !== 'sources') return item
  if (/^https?:\/\//i.test(item)) return { type: 'url', url: item }
  return type === '' ? { type: 'document', id: item } : { type, id: rest }
}

function visibilityOf(text: string): unknown {
  if (text.startsWith('{')) return jsonOf(text)
  const [scope = '', team] = text.split(':').map((part) => part.trim())
  return team === undefined ? { scope } : { scope, team_id: team }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
