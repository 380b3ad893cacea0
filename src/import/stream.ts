/** Reads the rows of an import. The source says how folders and files are read: on this machine or in a browser. */
import { posix } from '../text/posix.ts'
import type { Translator } from './adr/translated/translator.ts'
import { readTree } from './adr/tree/tree.ts'
import { readCsv } from './csv.ts'
import type { Format, ImportedRow, Reading } from './files/reading.ts'
import type { Source } from './files/source.ts'
import { readJsonl } from './jsonl.ts'
import type { RowFile } from './row.ts'

export interface Stream {
  source: string
  root: string
  format: Format
  rows: AsyncIterable<ImportedRow>
}

const formats: Record<string, Format> = {
  jsonl: 'jsonl',
  ndjson: 'jsonl',
  csv: 'csv',
  tsv: 'csv',
  md: 'adr',
  mdx: 'adr',
  markdown: 'adr',
  rst: 'adr',
  adoc: 'adr',
  asciidoc: 'adr',
}

/** By the ending of its name. undefined: a file of that name can't be imported. */
export function formatOf(path: string): Format | undefined {
  const [, ending = ''] = /[^/.][^/]*\.([^./]+)$/.exec(path) ?? []
  return formats[ending.toLowerCase()]
}

/** Decision records of a folder. '' is the root. `only`: only this file of the folder. */
export async function streamOfTree(
  source: Source,
  folder: string,
  reading: { openTranslator(): Translator; only?: string },
): Promise<Stream> {
  return { ...originOf(source), format: 'adr', rows: rowsOf(await readTree(source, folder, reading)) }
}

/** JSON Lines and CSV need memory for one row only. */
export function streamOfFile(source: Source, format: 'jsonl' | 'csv', file: Omit<RowFile, 'idPrefix'>): Stream {
  const withPrefix = { ...file, idPrefix: `${source.name}/${posix.basename(file.name)}#` }
  return { ...originOf(source), format, rows: format === 'jsonl' ? readJsonl(withPrefix) : readCsv(withPrefix) }
}

function originOf({ name, root }: Source) {
  return { source: name, root }
}

async function* rowsOf(reading: Reading): AsyncGenerator<ImportedRow> {
  for (const item of reading.items) yield { kind: 'decision', ...item }
  for (const one of reading.notDecisions) yield { kind: 'not_decision', ...one }
  for (const note of reading.notes) yield { kind: 'note', ...note }
}
