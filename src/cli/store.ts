/** The store itself, by the settings of the service, for verbs that need no running service. */
import { existsSync } from 'node:fs'
import type { Config } from '../../config/load.ts'
import type { Clock } from '../ports/clock.ts'
import type { Documents } from '../ports/documents.ts'
import { Failure } from './failure.ts'

export interface Store {
  documents: Documents
  clock: Clock
  /** How the store is called where a person reads it. */
  where: string
  close(): Promise<void> | void
}

/** Beside a service that may be running. Throws Failure where there is no store; `orStart` says what a start would do. */
export async function openStore(orStart: string): Promise<Store> {
  // only here: the other verbs start faster without the engines
  const { load } = await import('../../config/load.ts')
  const { fileIn, openDocuments } = await import('../engines.ts')
  const config = load()
  if (config.engines.mongodb === undefined && !existsSync(fileIn(config.dataDir))) {
    throw new Failure('failed', 'no_store', `There is no store in ${config.dataDir}.`, {
      remedy: `Set PRECEDENT_DATA_DIR to the folder that the service uses, or start the service: ${orStart}.`,
    })
  }
  return { ...(await openDocuments(config)), where: placeOf(config) }
}

export function placeOf(config: Pick<Config, 'engines' | 'dataDir'>): string {
  return config.engines.mongodb === undefined ? config.dataDir : 'the store that MONGODB_URL names'
}
