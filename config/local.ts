/** Where a service on a data directory listens for programs of the same user, and where their key is. */
import { createHash } from 'node:crypto'
import { realpathSync } from 'node:fs'
import { userInfo } from 'node:os'
import { dirname, join } from 'node:path'

export interface LocalPlaces {
  /** A Unix socket, or a named pipe on Windows. */
  socket: string
  /** The folder of the socket, which only its user may open. undefined: a named pipe has none. */
  folder: string | undefined
  /** The file with the key of `precedent mcp`. */
  key: string
}

/** Bytes. Linux takes 107 and macOS 103. A longer path would be cut without an error. */
const longestSocket = 100

/**
 * Every process that names the same directory gets the same places, whatever its path to it and its TMPDIR: programs
 * that an editor starts often have another environment than those of a terminal.
 */
export function localPlaces(dataDir: string, platform: NodeJS.Platform = process.platform): LocalPlaces {
  const directory = realPath(dataDir)
  const own = join(directory, 'local')
  const key = join(own, 'key')
  const name = createHash('sha256').update(directory).digest('hex').slice(0, 32)
  if (platform === 'win32') return { socket: `\\\\.\\pipe\\precedent-${name}`, folder: undefined, key }
  const socket = join(own, 'socket')
  if (Buffer.byteLength(socket) <= longestSocket) return { socket, folder: own, key }
  const short = join('/tmp', `precedent-${process.getuid?.() ?? 0}`, name)
  return { socket: short, folder: dirname(short), key }
}

/** The name of the user of this process. undefined: the system knows no name for it, as in some containers. */
export function userOfSystem(): string | undefined {
  try {
    return userInfo().username || undefined
  } catch {
    return undefined // throws if there is no entry for this user
  }
}

/** A directory that does not exist yet has no real path. */
function realPath(directory: string): string {
  try {
    return realpathSync(directory)
  } catch {
    return directory
  }
}
