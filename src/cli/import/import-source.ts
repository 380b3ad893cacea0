/** What is imported: its rows, and what tells whether it is still the same. */
import type { Format, ImportedRow } from '../../import/files/reading.ts'
import { createSha256 } from '../../text/sha256.ts'

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

/** A folder is read completely, because its files refer to each other. */
export async function wholeFolder(of: Omit<ImportSource, 'fingerprint'>): Promise<ImportSource> {
  const rows: ImportedRow[] = []
  for await (const row of of.rows) rows.push(row)
  const decisions = rows.flatMap((row) => (row.kind === 'decision' ? [[row.decision, row.outcomes]] : []))
  return {
    ...of,
    rows: each(rows),
    async fingerprint() {
      const hash = createSha256()
      for (const decision of decisions) hash.update(`${JSON.stringify(decision)}\n`)
      return { hash: hash.hex(), lines: decisions.length }
    },
  }
}

/** Of a file that is read row by row: the hash of its bytes, and how many lines it has. */
export async function fingerprintOf(chunks: AsyncIterable<Uint8Array>): Promise<{ hash: string; lines: number }> {
  const hash = createSha256()
  let lines = 0
  let last = newline
  for await (const chunk of chunks) {
    hash.update(chunk)
    for (let at = chunk.indexOf(newline); at >= 0; at = chunk.indexOf(newline, at + 1)) lines += 1
    last = chunk.at(-1) ?? last
  }
  return { hash: hash.hex(), lines: last === newline ? lines : lines + 1 }
}

const newline = 0x0a

export async function* each<T>(all: readonly T[]): AsyncGenerator<T> {
  yield* all
}
