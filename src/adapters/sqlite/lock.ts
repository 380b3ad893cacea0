/**
 * Makes sure that only one process uses a data directory. The kernel holds each lock on a separate SQLite file, so it
 * ends with the process, even after a crash.
 *
 * A process that serves only agents (`precedent mcp`) stands in for a service: when a service starts, it gets the
 * directory. For this, the service first claims the directory. The stand-in sees the claim and gives up its lock, and no
 * other stand-in takes it.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { DatabaseSync } from '@photostructure/sqlite'
import { makeFolder, whyNoFolder } from '../../ports/make-folder.ts'
import { createPrivate } from './base/database.ts'
import { engineFailure } from './base/failure.ts'

export class DirectoryInUse extends Error {}

export interface DirectoryLock {
  release(): void
}

/** How a process wants to use the directory. `alone`: at once or not at all, as a restore does. */
export type DirectoryUse = 'alone' | 'service' | 'stand-in'

/** ms for which a service waits until a stand-in has stopped. */
const longestWait = 30_000
const retryEvery = 50
/** ms. Stand-ins look at the claim every now and then, each time for less than this. */
const longestLook = 2_000
/** The code of SQLite for a lock that another process holds. */
const busy = 5

/**
 * Creates the directory if it is missing, readable only by its owner, and locks it. Throws DirectoryInUse if another
 * process has the lock.
 */
export function lockDirectory(directory: string): DirectoryLock {
  return lockFile(directory, 'lock.sqlite', 0)
}

/** The same, in the way of `use`. */
export async function lockDirectoryFor(use: DirectoryUse, directory: string): Promise<DirectoryLock> {
  if (use === 'alone') return lockDirectory(directory)
  if (use === 'stand-in') {
    if (isClaimed(directory)) throw inUse(directory)
    return lockDirectory(directory)
  }
  const claim = lockFile(directory, claimName, longestLook)
  try {
    const lock = await lockWithin(longestWait, directory)
    return {
      release() {
        lock.release()
        claim.release()
      },
    }
  } catch (error) {
    claim.release()
    throw error
  }
}

/** Whether a service uses the directory, or waits for it. */
export function isClaimed(directory: string): boolean {
  const path = join(directory, claimName)
  if (!existsSync(path)) return false
  const database = new DatabaseSync(path, { timeout: 0, readOnly: true })
  try {
    // a read takes a shared lock: others that look are no claim
    database.exec('SELECT 1 FROM sqlite_master')
    return false
  } catch (error) {
    if (!isBusy(error)) throw engineFailure(error, `cannot read ${path}`)
    return true
  } finally {
    database.close()
  }
}

const claimName = 'claim.sqlite'

async function lockWithin(ms: number, directory: string): Promise<DirectoryLock> {
  const until = performance.now() + ms
  for (;;) {
    try {
      return lockDirectory(directory)
    } catch (error) {
      if (!(error instanceof DirectoryInUse) || performance.now() > until) throw error
      await sleep(retryEvery)
    }
  }
}

function lockFile(directory: string, name: string, timeout: number): DirectoryLock {
  makeDirectory(directory)
  const path = join(directory, name)
  try {
    createPrivate(path)
    const database = new DatabaseSync(path, { timeout })
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
    throw isBusy(error) ? inUse(directory, error) : engineFailure(error, `cannot lock ${directory}`)
  }
}

function makeDirectory(directory: string): void {
  try {
    makeFolder(directory)
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException
    if (!refusals.has(code)) {
      const told = `cannot create the data directory ${directory}: ${message}. Set PRECEDENT_DATA_DIR to another folder.`
      throw new Error(told, { cause: error })
    }
    const { found, remedy } = whyNoFolder(directory)
    throw new Error(`PRECEDENT_DATA_DIR: ${found}. ${remedy}`, { cause: error })
  }
}

/** Codes for a path where this user can create no folder. Others, such as that of a full disk, need their own words. */
const refusals = new Set(['EACCES', 'EEXIST', 'ENOENT', 'ENOTDIR', 'EPERM', 'EROFS'])

function isBusy(error: unknown): boolean {
  return (error as { errcode?: number }).errcode === busy
}

function inUse(directory: string, cause?: unknown): DirectoryInUse {
  return new DirectoryInUse(
    `Another precedent process is using ${directory}. Stop it, or set PRECEDENT_DATA_DIR to another folder.`,
    {
      cause,
    },
  )
}
