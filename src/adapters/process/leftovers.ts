/** What sessions have left behind on this machine whose worker and guard died together. */
import { tmpdir } from 'node:os'
import { removeFolders, sessionsWithFolders } from './folders.ts'
import { runningSessions } from './process-list.ts'
import { endProcesses, usualGraceMs } from './processes.ts'

interface Options {
  graceMs?: number
  /** Where temporary directories are made. */
  temporaryIn?: string
}

/**
 * Whether a session that was found on this machine may go on. It must be true for a session that is not known, because
 * another service may run on the same machine. `hasGuard` is false if its processes have none: nobody extends or ends
 * them.
 */
export type IsBelieved = (session: string, hasGuard: boolean) => Promise<boolean>

/** Ends the processes and removes the directories of sessions that are not believed any more. */
export async function endLeftovers(
  isBelieved: IsBelieved,
  { graceMs = usualGraceMs, temporaryIn = tmpdir() }: Options = {},
): Promise<void> {
  const running = await runningSessions()
  const found = new Set([...running.keys(), ...(await sessionsWithFolders(temporaryIn))])
  await Promise.all(
    [...found].filter(isSessionId).map(async (session) => {
      // a directory without processes may be that of a session that starts just now
      if (await isBelieved(session, running.get(session) ?? true)) return
      await endProcesses({ session }, graceMs)
      await removeFolders(temporaryIn, session)
    }),
  )
}

/** Ids of sessions are part of the names of directories. Other processes may carry anything under the same name. */
export function isSessionId(id: string): boolean {
  return /^[\w-]{1,100}$/.test(id)
}
