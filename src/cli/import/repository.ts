/** Opens a connected repository as the source of an import, on the machine that has the operator's file. */
import { load } from '../../../config/load.ts'
import { openMirrors } from '../../engines/code.ts'
import { mirrorSource } from '../../import/files/mirror.ts'
import { streamFolder } from '../../import/read.ts'
import { MirrorError } from '../../ports/mirrors.ts'
import { Problem } from '../../problem.ts'
import { Failure, usage } from '../terminal/failure.ts'
import { inLine } from '../terminal/terminal.ts'
import { type ImportSource, wholeFolder } from './import-source.ts'

export interface FromRepository {
  /** Its full name. */
  repo: string
  /** Path from the root. undefined: the root. */
  folder: string | undefined
  source: string | undefined
}

/** Throws Failure: no such repository, no such folder, or the remote can't be fetched. */
export async function openRepository(
  { repo, folder = '', source }: FromRepository,
  signal: AbortSignal,
): Promise<ImportSource> {
  const settings = load()
  const connected = settings.operator?.repositories?.connected.find(
    ({ name }) => name.toLowerCase() === repo.toLowerCase(),
  )
  if (connected === undefined) {
    throw usage(
      `No connected repository has the name “${inLine(repo)}”.`,
      'Name one of the file of PRECEDENT_CONFIG, and run this where the service has this file.',
    )
  }
  const path = folder.replace(/^(?:\.?\/)+|^\.$|\/+$/g, '')
  const mirrors = await openMirrors(settings.dataDir)
  try {
    const opened = await mirrorSource(connected, mirrors, { name: source, signal })
    const { rows, format } = await streamFolder(opened, path)
    return await wholeFolder({ name: opened.name, path: `repository ${connected.id} ${path}`, format, rows })
  } catch (error) {
    if (error instanceof Problem) throw usage(error.message)
    if (!(error instanceof MirrorError)) throw error
    throw new Failure('failed', 'unreachable', `${inLine(connected.name)} can’t be fetched: ${error.message}`, {
      remedy: '`precedent repos doctor` checks it.',
    })
  }
}
