/** Splits what git prints at NUL characters, and reads paths and modes. */
import { type EntryType, MirrorError } from '../../ports/mirrors.ts'
import { longestPath, longestRecord } from './limits.ts'

/** The bytes between NUL characters. Rejects with MirrorError if there are too many without one. */
export async function* recordsOf(output: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let rest: Buffer = Buffer.alloc(0)
  for await (const bytes of output) {
    const all = rest.length === 0 ? bytes : Buffer.concat([rest, bytes])
    let start = 0
    for (let end = all.indexOf(0); end !== -1; end = all.indexOf(0, start)) {
      yield all.subarray(start, end)
      start = end + 1
    }
    rest = all.subarray(start)
    if (rest.length > longestRecord) {
      throw new MirrorError('too_large', `a path in the repository has more than ${longestRecord} bytes`)
    }
  }
  // git ends each record with a NUL: what follows the last one was cut off
}

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const lenient = new TextDecoder('utf-8', { ignoreBOM: true })

/** undefined: git would never check it out, because it would be outside the repository, or inside of `.git`. */
export function pathOf(bytes: Buffer): { path: string; isUtf8: boolean } | undefined {
  if (bytes.length > longestPath) return undefined
  const named = decoded(bytes)
  const isUnsafe = named.path.split('/').some((part) => ['', '.', '..'].includes(part) || part.toLowerCase() === '.git')
  return isUnsafe ? undefined : named
}

function decoded(bytes: Buffer): { path: string; isUtf8: boolean } {
  try {
    return { path: strict.decode(bytes), isUtf8: true }
  } catch {
    // the decoder throws for bytes that are not UTF-8
    return { path: lenient.decode(bytes), isUtf8: false }
  }
}

/** undefined: no entry of a commit has this mode. */
export function typeOf(mode: string): EntryType | undefined {
  if (mode === '120000') return 'symlink'
  if (mode === '160000') return 'submodule'
  // old repositories have 100664
  if (mode.startsWith('100')) return (Number.parseInt(mode, 8) & 0o111) === 0 ? 'file' : 'executable'
  return undefined
}
