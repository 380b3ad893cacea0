/** Makes sure that only one process uses a data directory. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { createPrivate } from './base/database.ts'
import { engineFailure } from './base/failure.ts'

export class DirectoryInUse extends Error {}

export interface DirectoryLock {
  release(): void
}

/**
 * Creates the directory if it is missing, readable only by its owner, and locks it. The kernel holds the lock on a
 * separate SQLite file, so it ends with the process, even after a crash. Throws DirectoryInUse if another process has
 * the lock.
 */
export function lockDirectory(directory: string): DirectoryLock {
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 })
  } catch (error) {
    throw new Error(`cannot create the data directory ${directory}: ${(error as Error).message}`, { cause: error })
  }
  const path = join(directory, 'lock.sqlite')
  try {
    createPrivate(path)
    const database = new DatabaseSync(path, { timeout: 0 })
    try {
      database.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE')
    } catch (error) {
      database.close()
      throw error
    }
    return {
      release() {
        if (database.isOpen) database.close()
      },
    }
  } catch (error) {
    const busy = (error as { errcode?: number }).errcode === 5
    if (!busy) throw engineFailure(error, `cannot lock ${directory}`)
    const message = `another precedent process is using ${directory}: stop it, or set PRECEDENT_DATA_DIR`
    throw new DirectoryInUse(message, { cause: error })
  }
}
