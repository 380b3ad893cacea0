/**
 * Reads what `precedent import` is given: a folder of decision records or one of them, a file of JSON lines, a CSV file.
 *
 *   const reading = await readSource('docs/adr', {})
 *   const { rows } = await streamSource('decisions.jsonl', {})
 *   for await (const row of rows) …
 */
import type { Stats } from 'node:fs'
import { realpath, stat } from 'node:fs/promises'
import { basename, dirname, extname } from 'node:path'
import { invalid } from '../problem.ts'
import { readTree } from './adr/tree.ts'
import { readCsv } from './csv.ts'
import { readJsonl } from './jsonl.ts'
import type { Format, ImportedItem, ImportedMemory, ImportNote, Reading } from './reading.ts'
import { pathFrom, sourceOf } from './source.ts'

export interface ReadOptions {
  /** What external_ids begin with; else the remote's owner/name, else the root folder's name. */
  source?: string
  /** false: git is not asked, neither for dates nor for the remote. */
  git?: boolean
}

/** One thing read, in the order of files and lines. */
export type ImportedRow =
  | ({ kind: 'decision' } & ImportedItem)
  | ({ kind: 'memory' } & ImportedMemory)
  | ({ kind: 'note' } & ImportNote)
  | { kind: 'not_decision'; file: string; reason: string }

export interface Stream {
  source: string
  root: string
  format: Format
  rows: AsyncIterable<ImportedRow>
}

const formats: Record<string, Format> = {
  '.jsonl': 'jsonl',
  '.ndjson': 'jsonl',
  '.csv': 'csv',
  '.tsv': 'csv',
  '.md': 'adr',
  '.mdx': 'adr',
  '.markdown': 'adr',
}

/** Reads all of it at once. Throws a Problem if the path cannot be imported. Bad content never throws: it becomes notes. */
export async function readSource(path: string, options: ReadOptions = {}): Promise<Reading> {
  const { source, root, format, rows } = await streamSource(path, options)
  const reading: Reading = { source, root, format, items: [], memories: [], notDecisions: [], notes: [] }
  for await (const { kind, ...row } of rows) {
    if (kind === 'decision') reading.items.push(row as ImportedItem)
    else if (kind === 'memory') reading.memories.push(row as ImportedMemory)
    else if (kind === 'note') reading.notes.push(row as ImportNote)
    else reading.notDecisions.push(row as Reading['notDecisions'][number])
  }
  return reading
}

/** Row by row: of JSON lines and CSV no more than one is held at a time. */
export async function streamSource(path: string, options: ReadOptions = {}): Promise<Stream> {
  const { real, found } = await existing(path)
  const format = found.isDirectory() ? 'adr' : formats[extname(real).toLowerCase()]
  if (!format) throw invalid('path', `${path} cannot be imported. Give a folder, or a .md, .jsonl or .csv file.`)
  const source = await sourceOf(real, options)
  const base = { source: source.name, root: source.root, format }
  if (format !== 'adr') {
    const file = { path: real, name: pathFrom(source.root, real), idPrefix: `${source.name}/${basename(real)}#` }
    return { ...base, rows: format === 'jsonl' ? readJsonl(file) : readCsv(file) }
  }
  const folder = pathFrom(source.root, found.isDirectory() ? real : dirname(real))
  const only = found.isDirectory() ? {} : { only: basename(real) }
  const reading = await readTree(source, folder, { git: options.git !== false, ...only })
  return { ...base, rows: rowsOf(reading) }
}

async function existing(path: string): Promise<{ real: string; found: Stats }> {
  let real: string
  try {
    real = await realpath(path)
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code
    throw invalid(
      'path',
      code === 'ENOENT'
        ? `${path} does not exist. Check the path.`
        : `${path} cannot be read (${code}). Check its permissions.`,
    )
  }
  const found = await stat(real)
  if (!found.isDirectory() && !found.isFile())
    throw invalid(
      'path',
      `${path} is neither a folder nor a regular file. Give a folder, or a .md, .jsonl or .csv file.`,
    )
  return { real, found }
}

async function* rowsOf(reading: Reading): AsyncGenerator<ImportedRow> {
  for (const item of reading.items) yield { kind: 'decision', ...item }
  for (const one of reading.notDecisions) yield { kind: 'not_decision', ...one }
  for (const note of reading.notes) yield { kind: 'note', ...note }
}
