/** Removes what no published attempt shows any more. It never removes what a newer attempt has written. */
import { chunks } from '../../ports/chunks.ts'
import { type CodeFile, codeFiles } from '../stored/file.ts'
import { codeIndex, nameTombstone, tombstone } from '../stored/search-document.ts'
import { codeSymbols } from '../stored/symbol.ts'
import type { IndexingPorts } from './ports.ts'
import { mayBeUnused } from './unused-blobs.ts'

type Ports = Pick<IndexingPorts, 'documents' | 'search' | 'clock'>

const rowsAtOnce = 250
const namesAtOnce = 50
/** Symbols of these names that are looked at. */
const mostSymbols = 10_000

/** `current`: the contents that are still shown. */
export async function clearFiles(
  files: readonly CodeFile[],
  current: ReadonlySet<string>,
  generation: number,
  ports: Ports,
): Promise<void> {
  const { documents, search } = ports
  const dead = files.filter(({ content }) => content !== '' && !current.has(content))
  await mayBeUnused(dead, ports)
  for (const file of dead) {
    const names = new Set<string>()
    const symbols = Array.from({ length: file.symbols }, (_, at) => `${file.content}~${at}`)
    for (const some of chunks(symbols, rowsAtOnce)) {
      const where = { id: { in: some } }
      for (const { name } of await documents.find(codeSymbols, { where, limit: some.length, fields: ['name'] }))
        names.add(name)
      await documents.delete(codeSymbols, some, { generation: { lte: generation } })
    }
    const tombstones = Array.from({ length: file.chunks }, (_, at) => tombstone(file, at, generation))
    for (const some of chunks([...names], namesAtOnce)) {
      const gone = await namesGone(file.repository, some, ports)
      tombstones.push(...gone.map((name) => nameTombstone(file, name, generation)))
    }
    if (tombstones.length > 0) await search.upsert(codeIndex, tombstones)
  }
  // tombstones are durable only now
  const [first] = dead
  if (first !== undefined) await search.refresh(codeIndex, first.workspace)
  // last: without its row, nothing would name the rest after a crash
  const ids = files.map(({ id }) => id)
  for (const some of chunks(ids, rowsAtOnce)) await documents.delete(codeFiles, some)
}

/** Those that no symbol of the repository has any more. */
async function namesGone(
  repository: string,
  names: readonly string[],
  { documents }: Pick<Ports, 'documents'>,
): Promise<string[]> {
  const keys = [...new Set(names.map((name) => name.toLowerCase()))]
  const where = { repository, name_key: { in: keys } }
  const left = await documents.find(codeSymbols, { where, limit: mostSymbols, fields: ['name'] })
  // there may be more: names that stay too long only lead readers to nothing
  if (left.length === mostSymbols) return []
  const there = new Set(left.map(({ name }) => name))
  return names.filter((name) => !there.has(name))
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
