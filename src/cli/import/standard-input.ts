/** `precedent import -`: keeps standard input in a file while it is imported, because an import reads it more than once. */
import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdtemp, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { makeFolder } from '../../ports/make-folder.ts'
import type { Session } from '../client/session.ts'
import { type ExitCode, interrupted, usage } from '../terminal/failure.ts'
import { type ImportOptions, importPath } from './import-path.ts'

/** Prefix of external ids, unless `--source` names another one. */
const defaultSource = 'standard-input'

export async function importStandardInput(session: Session, options: ImportOptions): Promise<ExitCode> {
  const kept = join(session.settings.stateDir, 'standard-input')
  makeFolder(kept)
  const draft = await mkdtemp(join(kept, 'draft-'))
  try {
    const hash = await save(session, join(draft, 'input'))
    const name = `standard-input.${await formatOf(join(draft, 'input'))}`
    await rename(join(draft, 'input'), join(draft, name))
    // the same input has the same path, so that an interrupted import continues
    const folder = join(kept, hash)
    await rm(folder, { recursive: true, force: true })
    await rename(draft, folder)
    try {
      return await importPath(session, join(folder, name), { ...options, source: options.source ?? defaultSource })
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
}

/** The hash of what was read. */
async function save({ host, terminal, signal }: Session, file: string): Promise<string> {
  if (host.stdin.isTTY) terminal.note('Reading from the terminal. End with Ctrl-D on a line of its own.')
  const hash = createHash('sha256')
  const hashed = async function* (chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      hash.update(chunk)
      yield chunk
    }
  }
  await pipeline(host.stdin, hashed, createWriteStream(file, { mode: 0o600 }), { signal }).catch((error: unknown) => {
    throw signal.aborted ? interrupted() : error
  })
  return hash.digest('hex').slice(0, 40)
}

/** JSONL begins with an object, and a header of CSV does not. */
async function formatOf(file: string): Promise<'jsonl' | 'csv'> {
  for await (const chunk of createReadStream(file, { encoding: 'utf8' })) {
    const [first] = (chunk as string).trimStart()
    if (first !== undefined) return first === '{' ? 'jsonl' : 'csv'
  }
  throw usage('Standard input is empty.')
}
