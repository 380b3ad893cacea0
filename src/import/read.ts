/**
 * Reads what `precedent import` gets: a folder of decision records, one decision record, JSON Lines or CSV.
 *
 *   const reading = await readSource('docs/adr', {})
 *   const { rows } = await streamSource('decisions.jsonl', {})
 *   for await (const row of rows) …
 */
import { createReadStream, type Stats } from 'node:fs'
import { realpath, stat } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { invalid } from '../problem.ts'
import { openTranslator } from './adr/translated/node-translator.ts'
import { localSource, pathFrom } from './files/local-source.ts'
import type { ImportedItem, ImportedMemory, ImportedTask, ImportNote, Reading } from './files/reading.ts'
import type { Source } from './files/source.ts'
import { formatOf, type Stream, streamOfFile, streamOfTree } from './stream.ts'

export interface ReadOptions {
  /** The beginning of external_ids. Default: owner/name of the git remote, else the name of the root folder. */
  source?: string
  /** false: does not run git, neither for dates nor for the remote. */
  git?: boolean
}

/** Bytes of a JSON Lines or CSV file that are read at once. */
const chunkBytes = 256 * 1024

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
  const format = found.isDirectory() ? 'adr' : formatOf(real)
  if (!format)
    throw invalid('path', `${path} cannot be imported. Give a folder, or a .md, .rst, .adoc, .jsonl or .csv file.`)
  const source = await localSource(real, options)
  if (format !== 'adr') {
    const chunks = () => createReadStream(real, { highWaterMark: chunkBytes })
    return streamOfFile(source, format, { name: pathFrom(source.root, real), chunks })
  }
  const folder = pathFrom(source.root, found.isDirectory() ? real : dirname(real))
  return streamOfTree(source, folder, { openTranslator, ...(found.isFile() && { only: basename(real) }) })
}

/** Reads a folder of a source that is not on this machine. '' is its root. */
export function streamFolder(source: Source, folder: string): Promise<Stream> {
  return streamOfTree(source, folder, { openTranslator })
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
      `${path} is neither a folder nor a regular file. Give a folder, or a .md, .rst, .adoc, .jsonl or .csv file.`,
    )
  return { real, found }
}
