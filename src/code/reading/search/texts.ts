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

/** A file as far as its text can be found. */
type Stored = Pick<CodeFile, 'parsed' | 'skipped' | 'size'>

/** With its text. */
export type Parsed = Pick<CodeBlob, 'symbols' | 'chunks'> & { text: string }

/**
 * The parsed blobs of these files, each with its text, in their order. Files without a text are left out, and those that
 * exceed the budget.
 */
export async function* parsedFiles<File extends Stored>(
  files: Iterable<File>,
  documents: Documents,
  budget: Pick<Budget, 'bytes'>,
): AsyncGenerator<{ file: File; parsed: Parsed }> {
  for await (const { file, packed } of packedFiles(files, documents, budget)) {
    yield { file, parsed: { ...packed, text: unpackText(packed.text) } }
  }
}

/** Like parsedFiles, but each text is packed, as it is stored (packText). Not all of it may be needed. */
export async function* packedFiles<File extends Stored>(
  files: Iterable<File>,
  documents: Documents,
  budget: Pick<Budget, 'bytes'>,
): AsyncGenerator<{ file: File; packed: Parsed }> {
  const turn = inTurns()
  for (const some of batchesOf(files, budget)) {
    const rows = await blobsOf(some, ['id', 'text', 'symbols', 'chunks'], documents)
    await turn()
    const blobs = new Map(rows.map((row) => [row.id, row]))
    for (const file of some) {
      const blob = file.parsed === null ? undefined : blobs.get(file.parsed)
      if (blob === undefined || blob.text === null) continue
      yield { file, packed: { symbols: blob.symbols, chunks: blob.chunks, text: blob.text } }
      await turn()
    }
  }
}

function* batchesOf<File extends Stored>(files: Iterable<File>, budget: Pick<Budget, 'bytes'>): Iterable<File[]> {
  let batch: File[] = []
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
  isHeld(text: string): boolean
}

/** Shown files that fit and whose texts hold what is looked for, by repository and path, until the budget is used up. */
export async function* everyFile(
  { served, beginnings, fits, isHeld }: Looked,
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
        const files = (await shownFiles(repository, paths, documents)).filter(fits)
        yield* parsedFiles(await filesHolding(isHeld, files, documents, budget), documents, { bytes: Infinity })
        if (budget.files <= 0) return
        if (budget.rows <= 0 || budget.bytes <= 0) return
        await turn()
      }
      if (budget.rows <= 0) return
    }
  }
}

/** Symbols and chunks are not read: most files do not hold the text. */
async function filesHolding(
  isHeld: (text: string) => boolean,
  files: readonly CodeFile[],
  documents: Documents,
  budget: Budget,
): Promise<CodeFile[]> {
  const turn = inTurns()
  const found: CodeFile[] = []
  for (const some of batchesOf(files, budget)) {
    const texts = new Map((await blobsOf(some, ['id', 'text'], documents)).map(({ id, text }) => [id, text]))
    await turn()
    for (const file of some) {
      const text = texts.get(file.parsed ?? '') ?? null
      if (text !== null && isHeld(unpackText(text))) found.push(file)
      await turn()
    }
    budget.files -= some.length
    if (budget.files <= 0) break
  }
  return found
}

function blobsOf<Field extends keyof CodeBlob>(
  files: readonly Stored[],
  fields: readonly Field[],
  documents: Documents,
) {
  const ids = [...new Set(files.flatMap(({ parsed }) => parsed ?? []))]
  return documents.find(codeBlobs, { where: { id: { in: ids } }, limit: filesAtOnce, fields })
}
