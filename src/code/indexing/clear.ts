/** Removes what no published attempt shows any more. It never removes what a newer attempt has written. */
import { chunks } from '../../ports/chunks.ts'
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
    for (const some of chunks(symbols, rowsAtOnce)) {
      await documents.delete(codeSymbols, some, { generation: { lte: generation } })
    }
    const tombstones = Array.from({ length: file.chunks }, (_, at) => tombstone(file, at, generation))
    if (tombstones.length > 0) await search.upsert(codeIndex, tombstones)
  }
  // last: without its row, nothing would name the rest after a crash
  const ids = files.map(({ id }) => id)
  for (const some of chunks(ids, rowsAtOnce)) await documents.delete(codeFiles, some)
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
