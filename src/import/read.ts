/**
 * Reads what `precedent import` gets: a folder of decision records, one decision record, JSON Lines or CSV.
 *
 *   const reading = await readSource('docs/adr', {})
 *   const { rows } = await streamSource('decisions.jsonl', {})
 *   for await (const row of rows) …
 */
import type { Stats } from 'node:fs'
import { realpath, stat } from 'node:fs/promises'
import { basename, dirname, extname } from 'node:path'
import { invalid } from '../problem.ts'
import { readTree } from './adr/tree/tree.ts'
import { readCsv } from './csv.ts'
import type {
  Format,
  ImportedItem,
  ImportedMemory,
  ImportedRow,
  ImportedTask,
  ImportNote,
  Reading,
} from './files/reading.ts'
import { pathFrom, type Source, sourceOf } from './files/source.ts'
import { readJsonl } from './jsonl.ts'

export interface ReadOptions {
  /** The beginning of external_ids. Default: owner/name of the git remote, else the name of the root folder. */
  source?: string
  /** false: does not run git, neither for dates nor for the remote. */
  git?: boolean
}

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
  '.rst': 'adr',
}

/** Reads everything at once. Throws a Problem if the path can't be imported. Bad content becomes notes. */
export async function readSource(path: string, options: ReadOptions = {}): Promise<Reading> {
  const { source, root, format, rows } = await streamSource(path, options)
  const reading: Reading = { source, root, format, items: [], memories: [], tasks: [], notDecisions: [], notes: [] }
  for await (const { kind, ...row } of rows) {
    if (kind === 'decision') reading.items.push(row as ImportedItem)
    else if (kind === 'memory') reading.memories.push(row as ImportedMemory)
    else if (kind === 'task') reading.tasks.push(row as ImportedTask)
    else if (kind === 'note') reading.notes.push(row as ImportNote)
    else reading.notDecisions.push(row as Reading['notDecisions'][number])
  }
  return reading
}

/** Reads row by row: JSON Lines and CSV need memory for one row only. */
export async function streamSource(path: string, options: ReadOptions = {}): Promise<Stream> {
  const { real, found } = await existing(path)
  const format = found.isDirectory() ? 'adr' : formats[extname(real).toLowerCase()]
  if (!format) throw invalid('path', `${path} cannot be imported. Give a folder, or a .md, .rst, .jsonl or .csv file.`)
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

/** Reads a folder of a source that is not on this machine. '' is its root. */
export async function streamFolder(source: Source, folder: string): Promise<Stream> {
  const reading = await readTree(source, folder, { git: false })
  return { source: source.name, root: source.root, format: 'adr', rows: rowsOf(reading) }
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
      `${path} is neither a folder nor a regular file. Give a folder, or a .md, .rst, .jsonl or .csv file.`,
    )
  return { real, found }
}

async function* rowsOf(reading: Reading): AsyncGenerator<ImportedRow> {
  for (const item of reading.items) yield { kind: 'decision', ...item }
  for (const one of reading.notDecisions) yield { kind: 'not_decision', ...one }
  for (const note of reading.notes) yield { kind: 'note', ...note }
}
