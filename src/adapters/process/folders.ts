/** Temporary directories of sessions. Each is named after its session, so that leftovers of dead workers are found. */
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'

const prefix = 'precedent-session.'

/** Only this user can enter it. */
export function makeFolder(parent: string, session: string): Promise<string> {
  return mkdtemp(join(parent, `${prefix}${session}.`))
}

/** Removes those of the session. What can't be removed stays until a worker starts: no session waits for it. */
export async function removeFolders(parent: string, session: string): Promise<void> {
  const own = (await namesIn(parent)).filter((name) => name.startsWith(`${prefix}${session}.`))
  for (const name of own) await rm(join(parent, name), { recursive: true, force: true, maxRetries: 3 }).catch(() => {})
}

/** The sessions whose directories are in `parent`. */
export async function sessionsWithFolders(parent: string): Promise<string[]> {
  const names = (await namesIn(parent)).filter((name) => name.startsWith(prefix))
  return names.flatMap((name) => name.slice(prefix.length).split('.').slice(0, 1))
}

async function namesIn(parent: string): Promise<string[]> {
  // without the directory there are none
  return readdir(parent).catch(() => [])
}
