/**
 * Lets `precedent mcp` work beside a service on a data directory, which no second process can open: the process that
 * holds the lock of the directory also listens on a local socket.
 */
import { chmodSync, lstatSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Logger } from 'pino'
import { localPlaces } from '../config/local.ts'
import type { WebServer } from '../src/http/server.ts'
import { makeFolder } from '../src/ports/make-folder.ts'

/**
 * Only the process that holds the lock may call it: a socket that is already there is then of a process that died.
 * `log`: the service has a port too, so that an error is only logged. Some file systems have no sockets.
 */
export async function listenLocally(server: WebServer, dataDir: string, log: Logger | undefined): Promise<void> {
  const { socket, folder, key } = localPlaces(dataDir)
  try {
    makePrivate(dirname(key))
    if (folder !== undefined) {
      makePrivate(folder)
      rmSync(socket, { force: true })
    }
    await server.listenLocally(socket)
  } catch (error) {
    if (log === undefined) throw new Error(`cannot listen on ${socket}: ${(error as Error).message}`, { cause: error })
    log.warn({ err: error }, 'no local socket: `precedent mcp` needs PRECEDENT_URL to reach this service')
  }
}

/** Creates the folder if it is missing. Throws if it is not a folder of this user: somebody else may have made it. */
function makePrivate(folder: string): void {
  makeFolder(folder)
  const found = lstatSync(folder)
  const isOwn = process.getuid === undefined || found.uid === process.getuid()
  if (!found.isDirectory() || !isOwn) throw new Error(`${folder} is not a folder of this user: remove it`)
  if (process.platform !== 'win32' && (found.mode & 0o077) !== 0) chmodSync(folder, 0o700)
}
