/** The output of a session in the guard. It is read only while the worker has given credit for it. */
import type { ChildProcess } from 'node:child_process'
import type { Readable } from 'node:stream'
import { costOf, outputWindow, type Source } from './messages.ts'

export interface GuardedOutput {
  read(child: ChildProcess): void
  credit(bytes: number): void
  /** The first process has ended: reads what the pipes still hold, but no longer than this. */
  finish(ms: number): void
  close(): void
  /** Resolves when all of it was sent, or it was closed. */
  ended: Promise<void>
}

/** Bytes. More than the pipes of a process can hold: it is sent without credit, because the process has ended. */
const mostInPipes = 1024 * 1024

export function guardedOutput(send: (from: Source, bytes: Uint8Array) => void): GuardedOutput {
  const open = new Set<Readable>()
  let credit = outputWindow
  let timer: NodeJS.Timeout | undefined
  let resolve: () => void = () => {}
  const ended = new Promise<void>((done) => {
    resolve = done
  })

  function readFrom(stream: Readable, from: Source): void {
    open.add(stream)
    stream.on('data', (bytes: Buffer) => {
      send(from, bytes)
      give(-costOf(bytes))
    })
    // an error of a pipe is its end
    stream.on('error', () => {})
    stream.once('close', () => {
      open.delete(stream)
      if (open.size === 0) close()
    })
  }

  function give(bytes: number): void {
    credit += bytes
    for (const stream of open) {
      if (credit <= 0) stream.pause()
      else if (stream.isPaused()) stream.resume()
    }
  }

  function close(): void {
    clearTimeout(timer)
    for (const stream of open) stream.destroy()
    resolve()
  }

  return {
    ended,
    read({ stdout, stderr }) {
      if (stdout !== null) readFrom(stdout, 'stdout')
      if (stderr !== null) readFrom(stderr, 'stderr')
    },
    credit: give,
    finish(ms) {
      timer = setTimeout(close, ms)
      give(mostInPipes)
    },
    close,
  }
}
