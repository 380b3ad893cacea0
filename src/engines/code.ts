/** Opens the mirrors of connected repositories and the index of their code. */
import { join } from 'node:path'
import type { Logger } from 'pino'
import { areShared } from '../../config/engines.ts'
import type { RepositorySettings } from '../../config/operator/repository-settings.ts'
import { gitVariables } from '../../config/programs.ts'
import { openServedSqlite } from '../adapters/sqlite/threaded.ts'
import type { IndexingPorts } from '../code/indexing/ports.ts'
import type { CodeSearch } from '../code/stored/search-document.ts'
import type { Clock } from '../ports/clock.ts'
import type { Mirrors } from '../ports/mirrors.ts'
import type { Close, Opened } from './opening.ts'
import { openDocumentsOn, openSearch } from './stores.ts'

/** Nothing is opened or loaded before the first call of open(). close() of the ports closes it. */
export interface CodePorts {
  settings: RepositorySettings
  open(): Promise<IndexingPorts>
}

export function codeOf(config: Opened, clock: Clock, log: Logger, closing: Close[]): { code?: CodePorts } {
  const settings = config.operator?.repositories
  if (settings === undefined) return {}
  let opened: Promise<IndexingPorts> | undefined
  return {
    code: {
      settings,
      open() {
        // tried again after a failure: a server may come back
        opened ??= openCode(config, clock, log, closing).catch((error) => {
          opened = undefined
          throw error
        })
        return opened
      },
    },
  }
}

/** Code has stores of its own, so that indexing never delays other writes, and backups leave them out. */
async function openCode(
  { engines, dataDir }: Opened,
  clock: Clock,
  log: Logger,
  closing: Close[],
): Promise<IndexingPorts> {
  const [{ openCodeParser }, { codeCollections }] = await Promise.all([
    import('../adapters/code-parser/parser.ts'),
    import('../code/stored/store.ts'),
  ])
  const file = areShared(engines)
    ? undefined
    : await openServedSqlite({ path: join(dataDir, 'code.db'), isDisposable: true })
  if (file) closing.push(() => file.close())
  const documents = await openDocumentsOn(engines, file, codeCollections, closing)
  const search = await openSearch(engines, file, closing, log)
  const parser = openCodeParser()
  closing.push(() => parser.close())
  const mirrors = await openMirrors(dataDir)
  // engines store the kind of a document as any word
  return { documents, search: search as unknown as CodeSearch, mirrors, parser, clock }
}

/** The mirrors of connected repositories, in the data directory. */
export async function openMirrors(dataDir: string): Promise<Mirrors> {
  const { gitMirrors } = await import('../adapters/git/mirrors.ts')
  return gitMirrors({ root: join(dataDir, 'mirrors'), machine: gitVariables() })
}
