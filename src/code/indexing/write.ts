/** Writes rows, symbols and search documents of an attempt. Nothing of it is shown before the attempt is published. */
import { posix } from 'node:path'
import { inTurns } from '../../ports/in-turns.ts'
import type { TreeEntry } from '../../ports/mirrors.ts'
import { type CodeBlob, unpackText } from '../stored/blob.ts'
import { type CodeFile, codeFiles, contentKey, type FileType, fileRowId } from '../stored/file.ts'
import { type CodeSearchDocument, chunkDocument, codeIndex, nameDocument } from '../stored/search-document.ts'
import { type CodeSymbolRow, codeSymbols, symbolRow } from '../stored/symbol.ts'
import { notCleared, renew } from './attempt.ts'
import { keyOf, parsedBlobs } from './parse.ts'
import type { Attempt, IndexingPorts } from './ports.ts'

const symbolsAtOnce = 1_000
const bytesAtOnce = 1_000_000

interface Written {
  file: CodeFile
  blob: CodeBlob | undefined
}

/** Writes the entries, and returns their rows. undefined: another attempt has begun. */
export async function writeEntries(
  attempt: Attempt,
  entries: readonly TreeEntry[],
  cpp: boolean,
  ports: IndexingPorts,
): Promise<CodeFile[] | undefined> {
  const { search, parser } = ports
  const isFile = ({ type }: TreeEntry) => type === 'file' || type === 'executable'
  const { connected, generation, signal } = attempt
  const blobs = await parsedBlobs(connected.id, entries.filter(isFile), cpp, ports, {
    signal,
    onProgress: () => renew(connected.id, generation, ports),
  })
  const written = entries.map((entry): Written => {
    const key = isFile(entry) ? keyOf(entry, cpp, parser.version) : undefined
    const blob = key === undefined ? undefined : blobs.get(key)
    return { file: rowOfEntry(attempt, entry, blob), blob }
  })
  await writeRows(written, ports)
  for (const some of partsOf(written)) await search.upsert(codeIndex, documentsOf(some))
  if (await renew(connected.id, generation, ports)) return written.map(({ file }) => file)
  // while this worker stood still, its rows may have been removed. Without them nothing would name its documents
  await writeRows(written, ports)
  await notCleared(connected.id, ports)
  return undefined
}

async function writeRows(written: readonly Written[], { documents }: Pick<IndexingPorts, 'documents'>): Promise<void> {
  const files = written.map(({ file }) => file)
  await documents.upsertIfNewer(codeFiles, files, 'generation')
  const turn = inTurns()
  let rows: CodeSymbolRow[] = []
  for (const { file, blob } of written) {
    if (blob?.text == null) continue
    for (const [index, symbol] of blob.symbols.entries()) {
      rows.push(symbolRow(file, symbol, index))
      if (rows.length < symbolsAtOnce) continue
      await documents.upsertIfNewer(codeSymbols, rows, 'generation')
      rows = []
    }
    await turn()
  }
  if (rows.length > 0) await documents.upsertIfNewer(codeSymbols, rows, 'generation')
}

/** As many files together as memory allows: an upsert for each file would need a transaction for each. */
function* partsOf(written: readonly Written[]): Iterable<Written[]> {
  let part: Written[] = []
  let bytes = 0
  for (const one of written) {
    part.push(one)
    bytes += one.file.size ?? 0
    if (bytes < bytesAtOnce) continue
    yield part
    part = []
    bytes = 0
  }
  if (part.length > 0) yield part
}

function* documentsOf(written: readonly Written[]): Iterable<CodeSearchDocument> {
  for (const { file, blob } of written) {
    if (blob === undefined || blob.text === null) continue
    yield* documentsOfFile(file, blob, unpackText(blob.text).split(/\r?\n/))
  }
}

function* documentsOfFile(file: CodeFile, blob: CodeBlob, lines: readonly string[]): Iterable<CodeSearchDocument> {
  for (const [index, chunk] of blob.chunks.entries()) {
    const symbol = chunk.symbol === undefined ? undefined : blob.symbols[chunk.symbol]
    yield chunkDocument(file, index, chunk, symbol, lines)
  }
  for (const name of new Set(blob.symbols.map((symbol) => symbol.name))) yield nameDocument(file, name)
}

/** The folders around these paths. */
export function foldersOf(paths: Iterable<string>): Set<string> {
  const folders = new Set<string>()
  for (const path of paths) {
    for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1)) {
      const folder = path.slice(0, at)
      if (folders.has(folder)) break
      folders.add(folder)
    }
  }
  return folders
}

/** Marks paths as folders, or as gone. */
export async function writePaths(
  attempt: Attempt,
  paths: Iterable<string>,
  type: 'directory' | 'gone',
  { documents }: Pick<IndexingPorts, 'documents'>,
): Promise<void> {
  const rows = [...paths].map((path) => row(attempt, path, type))
  if (rows.length > 0) await documents.upsertIfNewer(codeFiles, rows, 'generation')
}

function rowOfEntry(attempt: Attempt, entry: TreeEntry, blob: CodeBlob | undefined): CodeFile {
  const type = entry.type === 'executable' ? 'file' : entry.type
  return {
    ...row(attempt, entry.path, type),
    content: contentKey(attempt.connected.id, entry.path, blob?.id ?? entry.blob),
    size: entry.size,
    blob: entry.blob,
    parsed: blob?.id ?? null,
    language: blob?.language ?? null,
    symbols: blob?.symbols.length ?? 0,
    chunks: blob?.chunks.length ?? 0,
    skipped: blob?.skipped ?? null,
  }
}

function row({ connected, generation }: Attempt, path: string, type: FileType): CodeFile {
  const parent = posix.dirname(path)
  return {
    id: fileRowId(connected.id, path, generation),
    workspace: connected.workspace,
    audience: connected.audience,
    repository: connected.id,
    content: '',
    path,
    parent: parent === '.' ? '' : parent,
    depth: path.split('/').length,
    type,
    leaf: type === 'directory' ? 0 : 1,
    size: null,
    blob: '',
    parsed: null,
    language: null,
    symbols: 0,
    chunks: 0,
    skipped: null,
    generation,
  }
}
