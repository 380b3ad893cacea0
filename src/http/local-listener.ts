/**
 * Listens on a local socket beside the port of an HTTP server. Connections of both have the same limits and the same
 * middleware.
 */
import { chmodSync } from 'node:fs'
import type { Server } from 'node:http'
import { createServer } from 'node:net'

export interface LocalListener {
  /**
   * `path`: of a socket in a folder that only this user may open, or of a named pipe on Windows. Nothing may be there.
   * Rejects if the file system has no sockets.
   */
  listen(path: string): Promise<void>
  /** Removes the socket. Resolves when its connections have ended; `server` closes them. */
  close(): Promise<void>
}

export function localListener(server: Server): LocalListener {
  const listener = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => server.emit('connection', socket))
  return {
    listen: (path) =>
      new Promise((resolve, reject) => {
        listener.once('error', reject)
        listener.listen(path, () => {
          listener.off('error', reject)
          if (process.platform !== 'win32') chmodSync(path, 0o600)
          resolve()
        })
      }),
    close: () =>
      new Promise((resolve) => {
        if (listener.listening) listener.close(() => resolve())
        else resolve()
      }),
  }
}
