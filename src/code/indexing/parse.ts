/** Parses the blobs of some entries, except those that are stored already. */
import { posix } from 'node:path'
import { instant } from '../../ports/clock.ts'
import type { ParsedFile } from '../../ports/code-parser.ts'
import type { Blob, TreeEntry } from '../../ports/mirrors.ts'
import { blobKey, type CodeBlob, codeBlobs, packText } from '../stored/blob.ts'
import type { IndexingPorts } from './ports.ts'
import { keepBlobs } from './unused-blobs.ts'

/** Bytes. The parser skips larger files, so they are not read. */
const mostBytes = 512 * 1024
/** Files in memory while they are parsed. */
const parsedAtOnce = 8

type Ports = Pick<IndexingPorts, 'documents' | 'mirrors' | 'parser' | 'clock'>

interface Wanted {
  key: string
  entry: TreeEntry
}

export function keyOf({ blob, path }: TreeEntry, cpp: boolean, version: string): string {
  return blobKey(blob, posix.basename(path), cpp, version)
}

/** By key. `entries`: files only. `onProgress` is called while it parses: a hundred files may take long. */
export async function parsedBlobs(
  repository: string,
  entries: readonly TreeEntry[],
  cpp: boolean,
  { documents, mirrors, parser, clock }: Ports,
  { signal, onProgress }: { signal: AbortSignal; onProgress(): Promise<unknown> },
): Promise<Map<string, CodeBlob>> {
  const wanted = new Map(
    entries.map((entry): [string, Wanted] => {
      const key = keyOf(entry, cpp, parser.version)
      return [key, { key, entry }]
    }),
  )
  const ids = [...wanted.keys()]
  const stored =
    ids.length === 0 ? [] : await documents.find(codeBlobs, { where: { id: { in: ids } }, limit: ids.length })
  await keepBlobs(stored, { documents, clock })
  const found = new Map(stored.map((blob) => [blob.id, blob]))
  const missing = [...wanted.values()].filter(({ key }) => !found.has(key))
  const blobs = mirrors.blobs(
    repository,
    missing.map(({ entry }) => entry.blob),
    mostBytes,
    signal,
  )
  let at = 0
  let parsing: Promise<CodeBlob>[] = []
  async function keepParsed(): Promise<void> {
    const made = await Promise.all(parsing)
    parsing = []
    // another worker may have stored the same one
    await documents.insertMany(codeBlobs, made)
    for (const blob of made) found.set(blob.id, blob)
    await onProgress()
  }
  for await (const blob of blobs) {
    parsing.push(parsedBlob(missing[at++] as Wanted, blob))
    if (parsing.length === parsedAtOnce) await keepParsed()
  }
  await keepParsed()
  return found

  async function parsedBlob({ key, entry }: Wanted, { bytes }: Blob): Promise<CodeBlob> {
    const parsed: ParsedFile =
      bytes === undefined
        ? { symbols: [], chunks: [], skipped: 'too_large' }
        : await parser.parse({ path: entry.path, bytes }, { cpp }, signal)
    return {
      id: key,
      language: parsed.language ?? null,
      symbols: parsed.symbols,
      chunks: parsed.chunks,
      skipped: parsed.skipped ?? null,
      text: bytes === undefined || parsed.skipped !== undefined ? null : await packText(bytes),
      // its row is still to be written
      unused_since: instant(clock),
    }
  }
}
