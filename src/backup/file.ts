/** A backup as a gzip file that is whole or not there. Only its owner reads it: it holds all that anybody may see. */
import { open, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'

/** The file itself; in a folder a new one, called by its instant. */
export async function placeFor(path: string, now: Date): Promise<string> {
  const isFolder = await stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  )
  return isFolder
    ? join(path, `precedent-${now.toISOString().replace(/\.\d+/, '').replaceAll(/[-:]/g, '')}.jsonl.gz`)
    : path
}

/** Replaces the file once all is written and durable. Resolves with its bytes. */
export async function writeBackup(file: string, lines: AsyncIterable<string>, signal: AbortSignal): Promise<number> {
  const draft = `${file}.${process.pid}.part`
  try {
    const handle = await open(draft, 'wx', 0o600)
    try {
      const append = async (pieces: AsyncIterable<Buffer>) => {
        for await (const piece of pieces) await handle.appendFile(piece)
      }
      // joined: a write for each line would cost more than the line
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
