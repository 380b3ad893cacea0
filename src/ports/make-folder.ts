import { existsSync, mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Creates a folder that only its owner can read, and the folders above it, unless they exist. The recursive mkdir of Node
 * never returns if the file system refuses new folders with ENOENT, as /proc does: it creates the parent again and again.
 */
export function makeFolder(path: string): void {
  if (isFolder(path)) return
  const parent = dirname(path)
  if (parent !== path) makeFolder(parent)
  try {
    mkdirSync(path, { mode: 0o700 })
  } catch (error) {
    // another process may have made it meanwhile
    if (!isFolder(path)) throw error
  }
}

/** Why a folder can't be created, in words for the operator. */
export function whyNoFolder(path: string): { found: string; remedy: string } {
  const existing = nearestExisting(path)
  if (!isFolder(existing)) return { found: `${existing} is not a directory`, remedy: 'Set another folder.' }
  return {
    found: `${path} does not exist, and this user can create no folder in ${existing}`,
    remedy: 'Create it, and make this user its owner, or set another folder.',
  }
}

/** The path itself, or the nearest folder or file above it that exists. */
export function nearestExisting(path: string): string {
  let existing = path
  while (!existsSync(existing)) existing = dirname(existing)
  return existing
}

export function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
}
