/** Opens the source of an import on this machine. A folder is read completely; a file is read row by row. */
import { createReadStream } from 'node:fs'
import { realpath } from 'node:fs/promises'
import { streamSource } from '../../import/read.ts'
import { Problem } from '../../problem.ts'
import { usage } from '../terminal/failure.ts'
import { fingerprintOf, type ImportSource, wholeFolder } from './import-source.ts'

/** Throws Failure (usage) if the path can't be imported. */
export async function openSource(path: string, sourceName: string | undefined): Promise<ImportSource> {
  const options = sourceName === undefined ? {} : { source: sourceName }
  try {
    const real = await realpath(path).catch(() => path)
    const { rows, format, source } = await streamSource(path, options)
    const opened = { name: source, path: real, format, rows }
    if (format === 'adr') return await wholeFolder(opened)
    return { ...opened, fingerprint: () => fingerprintOf(createReadStream(real)) }
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    throw usage(error.message.replace(/^path: /, ''))
  }
}
