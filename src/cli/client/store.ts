/** Opens the store directly, with the settings of the service, for commands that need no running service. */
import { existsSync } from 'node:fs'
import type { Config } from '../../../config/load.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Documents } from '../../ports/documents.ts'
import { Failure } from '../terminal/failure.ts'

export interface Store {
  documents: Documents
  clock: Clock
  /** Names the store in messages. */
  where: string
  close(): Promise<void> | void
}

/**
 * The service may be running. Throws Failure if there is no store; `firstStart` says what the first start of the
 * service does.
 */
export async function openStore(firstStart: string): Promise<Store> {
  // imported here, so that the other commands start faster
  const { load } = await import('../../../config/load.ts')
  const [{ openDocuments }, { fileIn }] = await Promise.all([
    import('../../engines.ts'),
    import('../../engines/stores.ts'),
  ])
  const config = load(undefined, 'command')
  if (config.engines.mongodb === undefined && !existsSync(fileIn(config.dataDir))) {
    throw new Failure('failed', 'no_store', `There is no store in ${config.dataDir}.`, {
      remedy: `Set PRECEDENT_DATA_DIR to the data directory of the service. If the service has never run, start it with \`precedent serve\`: ${firstStart}.`,
    })
  }
  return { ...(await openDocuments(config)), where: placeOf(config) }
}

export function placeOf(config: Pick<Config, 'engines' | 'dataDir'>): string {
  return config.engines.mongodb === undefined ? config.dataDir : 'the database in MONGODB_URL'
}
