/** Reads a backup line by line. Throws DamagedBackup if the file is no backup, is incomplete, or has a newer format. */
import { createReadStream } from 'node:fs'
import { createGunzip } from 'node:zlib'
import { backupFormat, DamagedBackup, type End, type Header, type Line } from './lines.ts'

export interface Read {
  header: Header
  lines: AsyncGenerator<Line>
}

export async function readBackup(file: string): Promise<Read> {
  const texts = textsOf(file)
  const first = await texts.next()
  const header = first.done ? undefined : (parsed(first.value) as Partial<Header>)
  if (header?.precedent !== 'backup') throw new DamagedBackup(`${file} is not a backup of Precedent.`)
  if ((header.format ?? 0) > backupFormat) {
    throw new DamagedBackup(`${file} was made by a newer version of Precedent. Restore it with that version.`)
  }
  return { header: header as Header, lines: linesIn(file, texts) }
}

/** Throws DamagedBackup if the end line is missing. */
async function* linesIn(file: string, texts: AsyncGenerator<string>): AsyncGenerator<Line> {
  let read = 0
  for await (const text of texts) {
    const line = parsed(text)
    if (Array.isArray(line)) {
      read += 1
      yield line as Line
      continue
    }
    if ((line as Partial<End>)?.end === true && (line as End).lines === read) return
    break
  }
  throw new DamagedBackup(`${file} is incomplete: it ends after ${read} lines.`)
}

async function* textsOf(file: string): AsyncGenerator<string> {
  const source = createReadStream(file)
  const unzipped = source.pipe(createGunzip())
  // pipe() does not forward errors: without this line, the reader would wait for ever
  source.on('error', (error) => unzipped.destroy(error))
  try {
    const decoder = new TextDecoder('utf-8', { fatal: true })
    let rest = ''
    for await (const chunk of unzipped) {
      const lines = (rest + decoder.decode(chunk as Buffer, { stream: true })).split('\n')
      rest = lines.pop() as string
      yield* lines
    }
    if (rest !== '') yield rest
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw new DamagedBackup(`${file} does not exist.`)
    throw new DamagedBackup(`${file} can't be read as a backup: ${(error as Error).message}`, { cause: error })
  } finally {
    source.destroy()
    unzipped.destroy()
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined // the caller reports a line that is not JSON
  }
}
