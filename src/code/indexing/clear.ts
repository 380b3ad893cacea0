/** Removes what no published attempt shows any more. It never removes what a newer attempt has written. */
import { type CodeFile, codeFiles } from '../stored/file.ts'
import { codeIndex, tombstone } from '../stored/search-document.ts'
import { codeSymbols } from '../stored/symbol.ts'
import type { IndexingPorts } from './ports.ts'

type Ports = Pick<IndexingPorts, 'documents' | 'search'>

const rowsAtOnce = 250

/** `current`: the contents that are still shown. */
export async function clearFiles(
  files: readonly CodeFile[],
  current: ReadonlySet<string>,
  generation: number,
  { documents, search }: Ports,
): Promise<void> {
  for (const file of files) {
    if (file.content === '' || current.has(file.content)) continue
    const symbols = Array.from({ length: file.symbols }, (_, at) => `${file.content}~${at}`)
    for (let from = 0; from < symbols.length; from += rowsAtOnce) {
      const some = symbols.slice(from, from + rowsAtOnce)
      await documents.delete(codeSymbols, some, { generation: { lte: generation } })
    }
    const chunks = Array.from({ length: file.chunks }, (_, at) => tombstone(file, at, generation))
    if (chunks.length > 0) await search.upsert(codeIndex, chunks)
  }
  // last: without its row, nothing would name the rest after a crash
  const ids = files.map(({ id }) => id)
  for (let from = 0; from < ids.length; from += rowsAtOnce) {
    await documents.delete(codeFiles, ids.slice(from, from + rowsAtOnce))
  }
}

/** The rows of attempts before `generation`, in pages. Each page must be cleared before the next is read. */
export async function* rowsBefore(
  repository: string,
  generation: number,
  { documents }: Pick<Ports, 'documents'>,
): AsyncIterable<CodeFile[]> {
  for (;;) {
    const rows = await documents.find(codeFiles, {
      where: { repository, generation: { lt: generation } },
      sort: [['generation', 'asc']],
      limit: rowsAtOnce,
    })
    if (rows.length === 0) return
    yield rows
  }
}
