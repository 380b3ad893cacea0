/** Files that hold texts given in quotes. The tokens of the index cannot tell: a text may be part of a word, or `!==`. */
import type { Documents } from '../../../ports/documents.ts'
import { inTurns } from '../../../ports/in-turns.ts'
import { type CodeBlob, codeBlobs, unpackText } from '../../stored/blob.ts'
import type { CodeFile } from '../../stored/file.ts'
import { pathsFrom, shownFiles } from '../../stored/shown-files.ts'
import type { ServedRepository } from '../repositories.ts'

/** Files and bytes whose texts are read at once. Reading a row holds the thread. */
const filesAtOnce = 20
const bytesAtOnce = 1024 * 1024

/** What one search may read. It is used up. */
export interface Budget {
  /** Bytes of files that are unpacked. */
  bytes: number
  /** Rows of files that are looked at one after the other, without the index. */
  rows: number
  /** Files that are read through. */
  files: number
}

export const wholeBudget = (): Budget => ({ bytes: 8 * 1024 * 1024, rows: 5_000, files: 1_000 })

export type Parsed = Pick<CodeBlob, 'symbols' | 'chunks'> & { text: string }

/**
 * The parsed blobs of these files, each with its text, in their order. Files without a text are left out, and those that
 * exceed the budget.
 */
export async function* parsedFiles(
  files: Iterable<CodeFile>,
  documents: Documents,
  budget: Pick<Budget, 'bytes'>,
): AsyncGenerator<{ file: CodeFile; parsed: Parsed }> {
  const turn = inTurns()
  for (const some of batchesOf(files, budget)) {
    const ids = [...new Set(some.flatMap(({ parsed }) => parsed ?? []))]
    const fields = ['id', 'text', 'symbols', 'chunks'] as const
    const rows = await documents.find(codeBlobs, { where: { id: { in: ids } }, limit: filesAtOnce, fields })
    await turn()
    const blobs = new Map(rows.map((row) => [row.id, row]))
    for (const file of some) {
      const blob = file.parsed === null ? undefined : blobs.get(file.parsed)
      if (blob === undefined || blob.text === null) continue
      yield { file, parsed: { symbols: blob.symbols, chunks: blob.chunks, text: await unpackText(blob.text) } }
      await turn()
    }
  }
}

function* batchesOf(files: Iterable<CodeFile>, budget: Pick<Budget, 'bytes'>): Iterable<CodeFile[]> {
  let batch: CodeFile[] = []
  let bytes = 0
  for (const file of files) {
    const size = file.size ?? 0
    if (file.parsed === null || file.skipped !== null || size > budget.bytes) continue
    if (batch.length === filesAtOnce || (batch.length > 0 && bytes + size > bytesAtOnce)) {
      yield batch
      batch = []
      bytes = 0
    }
    budget.bytes -= size
    bytes += size
    batch.push(file)
  }
  if (batch.length > 0) yield batch
}

/** `wanted`: all of them; `unwanted`: none of them. Whatever their case. */
export function holds(text: string, wanted: readonly string[], unwanted: readonly string[]): boolean {
  const lower = text.toLowerCase()
  return (
    wanted.every((one) => lower.includes(one.toLowerCase())) &&
    !unwanted.some((one) => lower.includes(one.toLowerCase()))
  )
}

/** What is read through. */
interface Looked {
  served: Iterable<ServedRepository>
  /** No path begins with two of them. */
  beginnings: readonly string[]
  fits(file: CodeFile): boolean
}

/** Shown files that fit, by repository and path, until the budget is used up. */
export async function* everyFile(
  { served, beginnings, fits }: Looked,
  documents: Documents,
  budget: Budget,
): AsyncGenerator<{ file: CodeFile; parsed: Parsed }> {
  const turn = inTurns()
  const byName = [...served].sort((x, y) => (x.name_key < y.name_key ? -1 : 1))
  for (const repository of byName) {
    for (const beginning of beginnings) {
      // a look-up that finds nothing costs too
      budget.rows -= 1
      for await (const paths of pathsFrom(repository.id, beginning, documents)) {
        budget.rows -= paths.length
        const files = await shownFiles(repository, paths, documents)
        for await (const one of parsedFiles(files.filter(fits), documents, budget)) {
          yield one
          budget.files -= 1
          if (budget.files <= 0) return
        }
        if (budget.rows <= 0 || budget.bytes <= 0) return
        await turn()
      }
      if (budget.rows <= 0) return
    }
  }
}
