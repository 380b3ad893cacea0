/**
 * Writes a backup as a gzip file, completely or not at all. Only its owner can read it, because it holds all records
 * of all users.
 */
import { open, rename, rm, stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'

/**
 * The absolute path of the file. If `path` is a folder: a file in it, named by the time of the backup. undefined: it
 * ends like a folder, but there is none.
 */
export async function placeFor(path: string, now: Date): Promise<string | undefined> {
  const isFolder = await stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  )
  if (!isFolder) return path.endsWith('/') ? undefined : resolve(path)
  return resolve(path, `precedent-${now.toISOString().replace(/\.\d+/, '').replaceAll(/[-:]/g, '')}.jsonl.gz`)
}

/** Replaces the file once everything is written and durable. Resolves with its size in bytes. */
export async function writeBackup(file: string, lines: AsyncIterable<string>, signal: AbortSignal): Promise<number> {
  const draft = `${file}.${process.pid}.part`
  try {
    const handle = await open(draft, 'wx', 0o600)
    try {
      const append = async (pieces: AsyncIterable<Buffer>) => {
        for await (const piece of pieces) await handle.appendFile(piece)
      }
      // lines are joined, because one write for each line would be slow
      await pipeline(Readable.from(joined(lines), { objectMode: false }), createGzip({ level: 4 }), append, { signal })
      await handle.sync()
      await rename(draft, file)
      return (await stat(file)).size
    } finally {
      await handle.close()
    }
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
}

/** Characters. */
const pieceLength = 256 * 1024

async function* joined(lines: AsyncIterable<string>): AsyncGenerator<Buffer> {
  let piece = ''
  for await (const line of lines) {
    piece += line
    if (piece.length < pieceLength) continue
    yield Buffer.from(piece)
    piece = ''
  }
  yield Buffer.from(piece)
}
