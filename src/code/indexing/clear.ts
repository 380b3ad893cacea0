/** Removes what no published attempt shows any more. It never removes what a newer attempt has written. */
import { chunks } from '../../ports/chunks.ts'
import { type CodeFile, codeFiles } from '../stored/file.ts'
import { chunkId, codeIndex, nameId } from '../stored/search-document.ts'
import { codeSymbols } from '../stored/symbol.ts'
import type { IndexingPorts } from './ports.ts'
import { mayBeUnused } from './unused-blobs.ts'

type Ports = Pick<IndexingPorts, 'documents' | 'search' | 'clock'>

const rowsAtOnce = 250
const documentsAtOnce = 1_000
const namesAtOnce = 50
/** Symbols of these names that are looked at. */
const mostSymbols = 10_000

/**
 * `files`: rows of one repository. `current`: the contents that are still shown. `generation`: of an attempt that is newer
 * than all rows that are removed.
 */
export async function clearFiles(
  files: readonly CodeFile[],
  current: ReadonlySet<string>,
  generation: number,
  ports: Ports,
): Promise<void> {
  const dead = files.filter(({ content }) => content !== '' && !current.has(content))
  const [first] = dead
  if (first !== undefined) {
    await mayBeUnused(dead, ports)
    const symbols = dead.flatMap((file) => Array.from({ length: file.symbols }, (_, at) => `${file.content}~${at}`))
    const names = await namesGone(first.repository, symbols, new Set(dead.map(({ content }) => content)), ports)
    // while their symbols are still there: otherwise nothing would tell the names after a crash
    const gone = [
      ...names.map((name) => nameId(first, name)),
      ...dead.flatMap((file) => Array.from({ length: file.chunks }, (_, at) => chunkId(file, at))),
    ]
    for (const ids of chunks(gone, documentsAtOnce)) {
      await ports.search.remove(codeIndex, first.workspace, ids, generation)
    }
    for (const ids of chunks(symbols, rowsAtOnce)) {
      await ports.documents.delete(codeSymbols, ids, { generation: { lte: generation } })
    }
    await ports.search.refresh(codeIndex, first.workspace)
  }
  // last: without its row, nothing would name the rest after a crash
  const ids = files.map(({ id }) => id)
  for (const some of chunks(ids, rowsAtOnce)) await ports.documents.delete(codeFiles, some)
}

/** The names of these symbols that no symbol of other contents of the repository has. */
async function namesGone(
  repository: string,
  symbols: readonly string[],
  dead: ReadonlySet<string>,
  { documents }: Pick<Ports, 'documents'>,
): Promise<string[]> {
  const names = new Set<string>()
  for (const some of chunks(symbols, rowsAtOnce)) {
    const found = await documents.find(codeSymbols, {
      where: { id: { in: some } },
      limit: some.length,
      fields: ['name'],
    })
    for (const { name } of found) names.add(name)
  }
  const gone: string[] = []
  for (const some of chunks([...names], namesAtOnce)) gone.push(...(await unused(some)))
  return gone

  async function unused(some: readonly string[]): Promise<readonly string[]> {
    const name_key = { in: [...new Set(some.map((name) => name.toLowerCase()))] }
    const where = { repository, name_key }
    const found = await documents.find(codeSymbols, { where, limit: mostSymbols, fields: ['name', 'content'] })
    const used = new Set(found.filter(({ content }) => !dead.has(content)).map(({ name }) => name))
    const left = some.filter((name) => !used.has(name))
    if (found.length < mostSymbols || left.length === 0) return left
    // there may be more. A single name that stays too long only leads readers to nothing
    if (some.length === 1) return []
    const middle = some.length >> 1
    return [...(await unused(some.slice(0, middle))), ...(await unused(some.slice(middle)))]
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
