/** Parsed blobs. Each is parsed once for its language and version of the parser, whatever repositories have it. */
import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { deflateRaw, inflateRawSync } from 'node:zlib'
import type { Chunk, CodeSymbol, Skipped } from '../../ports/code-parser.ts'
import type { Collection } from '../../ports/documents.ts'

export interface CodeBlob {
  /** blobKey */
  id: string
  language: string | null
  symbols: CodeSymbol[]
  chunks: Chunk[]
  skipped: Skipped | null
  /** packText; null if the file was skipped. */
  text: string | null
  /** An instant: perhaps no row uses it since then (indexing/unused-blobs.ts). null: some row does. */
  unused_since: string | null
}

/**
 * The name is part of the key, because it tells the language. `cpp`: headers of a repository with C++ are C++.
 */
export function blobKey(blob: string, fileName: string, cpp: boolean, parserVersion: string): string {
  const named = [blob, fileName, fileName.endsWith('.h') && cpp, parserVersion]
  return createHash('sha256').update(JSON.stringify(named)).digest('base64url').slice(0, 27)
}

/** Deflated, as base64: an engine of documents stores no bytes. */
export async function packText(bytes: Uint8Array): Promise<string> {
  return (await promisify(deflateRaw)(bytes)).toString('base64')
}

export function unpackText(packed: string): string {
  return unpackBytes(packed).toString('utf8')
}

/** At most 512 KB, which takes less time than a thread would need to begin. */
function unpackBytes(packed: string): Buffer {
  return inflateRawSync(Buffer.from(packed, 'base64'))
}

const newline = 10

/** Only these lines are decoded: of a large file that takes a tenth of the time. Counted from 1, `end` included. */
export function unpackLines(packed: string, { start, end }: Pick<Chunk, 'start' | 'end'>): string[] {
  const bytes = unpackBytes(packed)
  const from = afterLines(bytes, 0, start - 1)
  if (from === undefined) return []
  const to = afterLines(bytes, from, end - start + 1)
  return bytes
    .toString('utf8', from, to === undefined ? bytes.length : to - 1)
    .split('\n')
    .map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line))
}

/** The first byte after so many ends of lines; undefined: there are fewer. */
function afterLines(bytes: Buffer, from: number, count: number): number | undefined {
  let at = from
  for (let line = 0; line < count; line++) {
    const end = bytes.indexOf(newline, at)
    if (end === -1) return undefined
    at = end + 1
  }
  return at
}

export const codeBlobs: Collection<CodeBlob> = {
  name: 'code_blobs',
  fields: {
    id: 'string',
    language: 'string',
    symbols: 'json',
    chunks: 'json',
    skipped: 'string',
    text: 'string',
    unused_since: 'instant',
  },
  unique: [],
  indexes: [['unused_since', 'id']],
}
