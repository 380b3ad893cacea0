/** Files that hold texts given in quotes. The tokens of the index cannot tell: a text may be part of a word, or `!==`. */
import { chunks } from '../../../ports/chunks.ts'
import type { Documents } from '../../../ports/documents.ts'
import { inTurns } from '../../../ports/in-turns.ts'
import { type CodeBlob, codeBlobs, unpackText } from '../../stored/blob.ts'
import { type CodeFile, codeFiles } from '../../stored/file.ts'
import { shownFiles } from '../../stored/shown-files.ts'
import type { ServedRepository } from '../repositories.ts'

/** Files whose texts are read at once. */
const filesAtOnce = 20
/** Of one search: files and characters that are read through. */
const mostFiles = 2_000
const mostCharacters = 32 * 1024 * 1024
const rowsAtOnce = 500

export type Parsed = Pick<CodeBlob, 'symbols' | 'chunks'> & { text: string }

/** The parsed blobs of these files, each with its text, in batches. Files without a text are left out. */
export async function* parsedFiles(
  files: Iterable<CodeFile>,
  documents: Documents,
): AsyncGenerator<{ file: CodeFile; parsed: Parsed }> {
  const turn = inTurns()
  for (const some of chunks([...files], filesAtOnce)) {
    const ids = [...new Set(some.flatMap(({ parsed }) => parsed ?? []))]
    const fields = ['id', 'text', 'symbols', 'chunks'] as const
    const rows = await documents.find(codeBlobs, { where: { id: { in: ids } }, limit: filesAtOnce, fields })
    const blobs = new Map(rows.map((row) => [row.id, row]))
    for (const file of some) {
      const blob = file.parsed === null ? undefined : blobs.get(file.parsed)
      if (blob === undefined || blob.text === null) continue
      yield { file, parsed: { symbols: blob.symbols, chunks: blob.chunks, text: await unpackText(blob.text) } }
      await turn()
    }
  }
}

/** `wanted`: all of them; `unwanted`: none of them. Whatever their case. */
export function holds(text: string, wanted: readonly string[], unwanted: readonly string[]): boolean {
  const lower = text.toLowerCase()
  return (
    wanted.every((one) => lower.includes(one.toLowerCase())) &&
    !unwanted.some((one) => lower.includes(one.toLowerCase()))
  )
}

/** Shown files that fit, by repository and path, until so many were read that a search would take too long. */
export async function* everyFile(
  served: Iterable<ServedRepository>,
  fits: (file: CodeFile) => boolean,
  documents: Documents,
): AsyncGenerator<{ file: CodeFile; parsed: Parsed }> {
  let [files, characters] = [0, 0]
  for (const repository of served) {
    for await (const some of filesIn(repository, documents)) {
      for await (const one of parsedFiles(some.filter(fits), documents)) {
        files += 1
        characters += one.parsed.text.length
        yield one
        if (files >= mostFiles || characters >= mostCharacters) return
      }
    }
  }
}

async function* filesIn(repository: ServedRepository, documents: Documents): AsyncGenerator<CodeFile[]> {
  let last = ''
  for (;;) {
    const where = { repository: repository.id, path: { gt: last } }
    const sort = [['path', 'asc'] as const, ['generation', 'asc'] as const, ['id', 'asc'] as const]
    const rows = await documents.find(codeFiles, { where, sort, limit: rowsAtOnce, fields: ['path'] })
    const paths = [...new Set(rows.map(({ path }) => path))]
    yield (await shownFiles(repository, paths, documents)).filter(({ parsed }) => parsed !== null)
    if (rows.length < rowsAtOnce) return
    last = paths.at(-1) as string
  }
}
