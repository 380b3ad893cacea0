/** Opens the source of an import. A folder is read completely; a file is read row by row. */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { realpath } from 'node:fs/promises'
import type { Format, ImportedRow } from '../../import/files/reading.ts'
import { streamSource } from '../../import/read.ts'
import { Problem } from '../../problem.ts'
import { usage } from '../terminal/failure.ts'

export interface ImportSource {
  /** Prefix of external ids. */
  name: string
  /** Absolute, without symbolic links. */
  path: string
  format: Format
  rows: AsyncIterable<ImportedRow>
  /** A hash of everything that is sent, computed on demand. `lines`: the approximate number of records. */
  fingerprint(): Promise<{ hash: string; lines: number }>
}

/** Throws Failure (usage) if the path can't be imported. */
export async function openSource(path: string, sourceName: string | undefined): Promise<ImportSource> {
  const options = sourceName === undefined ? {} : { source: sourceName }
  try {
    const real = await realpath(path).catch(() => path)
    const { rows, format, source } = await streamSource(path, options)
    const opened = { name: source, path: real, format, rows }
    return format === 'adr' ? await wholeFolder(opened) : { ...opened, fingerprint: () => fingerprintOfFile(real) }
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    throw usage(error.message.replace(/^path: /, ''))
  }
}

/** A folder is read completely, because its files refer to each other. */
export async function wholeFolder(of: Omit<ImportSource, 'fingerprint'>): Promise<ImportSource> {
  const rows: ImportedRow[] = []
  for await (const row of of.rows) rows.push(row)
  const decisions = rows.flatMap((row) => (row.kind === 'decision' ? [[row.decision, row.outcomes]] : []))
  return {
    ...of,
    rows: each(rows),
    async fingerprint() {
      const hash = createHash('sha256')
      for (const decision of decisions) hash.update(JSON.stringify(decision)).update('\n')
      return { hash: hash.digest('hex'), lines: decisions.length }
    },
  }
}

async function* each<T>(all: readonly T[]): AsyncGenerator<T> {
  yield* all
}

async function fingerprintOfFile(path: string): Promise<{ hash: string; lines: number }> {
  const hash = createHash('sha256')
  let lines = 0
  let last = 0x0a
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    hash.update(chunk)
    for (let at = chunk.indexOf(0x0a); at >= 0; at = chunk.indexOf(0x0a, at + 1)) lines += 1
    last = chunk.at(-1) ?? last
  }
  return { hash: hash.digest('hex'), lines: last === 0x0a ? lines : lines + 1 }
}
