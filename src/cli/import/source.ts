/** Opens the source of an import on this machine. A folder is read completely; a file is read row by row. */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { realpath } from 'node:fs/promises'
import { streamSource } from '../../import/read.ts'
import { Problem } from '../../problem.ts'
import { usage } from '../terminal/failure.ts'
import { type ImportSource, wholeFolder } from './import-source.ts'

/** Throws Failure (usage) if the path can't be imported. */
export async function openSource(path: string, sourceName: string | undefined): Promise<ImportSource> {
  const options = sourceName === undefined ? {} : { source: sourceName }
  try {
    const real = await realpath(path).catch(() => path)
    const { rows, format, source } = await streamSource(path, options)
    const opened = { name: source, path: real, format, rows }
    return format === 'adr' ? await wholeFolder(opened) : { ...opened, fingerprint: () => fingerprintOfFile(real) }
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    throw usage(error.message.replace(/^path: /, ''))
  }
}

async function fingerprintOfFile(path: string): Promise<{ hash: string; lines: number }> {
  const hash = createHash('sha256')
  let lines = 0
  let last = 0x0a
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    hash.update(chunk)
    for (let at = chunk.indexOf(0x0a); at >= 0; at = chunk.indexOf(0x0a, at + 1)) lines += 1
    last = chunk.at(-1) ?? last
  }
  return { hash: hash.digest('hex'), lines: last === 0x0a ? lines : lines + 1 }
}
