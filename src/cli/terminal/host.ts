/** What the command uses of the process that it runs in. */
import type { Readable, Writable } from 'node:stream'
import type { WriteStream } from 'node:tty'

/** Usually `process`. Tests pass another one, so that they can run the command within their own process. */
export interface Host {
  stdin: Readable & { isTTY?: boolean }
  stdout: Output
  stderr: Output
  /** Calls `listener` for each signal. */
  on(signal: 'SIGINT' | 'SIGTERM', listener: () => void): unknown
  exit(code: number): void
}

/** The properties of a stream that tell whether it is a terminal, and what the terminal can do. */
export type Output = Writable & Partial<Pick<WriteStream, 'isTTY' | 'columns' | 'hasColors'>>
