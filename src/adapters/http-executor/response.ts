/** Reads the response of an executor: its lines go into the queue, and it is read no further while the queue is full. */
import type { IncomingMessage } from 'node:http'
import { lineSplitter } from '../../ports/lines.ts'
import { refusalOf } from '../webhook/post.ts'
import type { LineQueue } from './line-queue.ts'

export interface Exchange {
  /** Fails if the next line does not come in time. undefined: no line is wanted now. */
  wait(what: string | undefined): void
  fail(message: string): void
  done(): void
}

const noLine = 'sent no line'

export function readResponse(response: IncomingMessage, queue: LineQueue, { wait, fail, done }: Exchange): void {
  const splitter = lineSplitter('stdout')
  const flaw = flawOf(response)
  // also if it is refused below: an error without a listener would end the process
  response.on('error', () => {
    queue.add([...splitter.end()])
    fail('The connection closed before the response was complete.')
  })
  if (flaw !== undefined) {
    fail(flaw)
    return
  }
  wait(noLine)
  queue.onDrained(() => {
    if (!response.isPaused()) return
    wait(noLine)
    response.resume()
  })
  response.on('data', (chunk: Buffer) => {
    const lines = [...splitter.push(chunk)]
    if (lines.length > 0) wait(noLine)
    queue.add(lines.filter(isOutput))
    if (!queue.isFull()) return
    response.pause()
    wait(undefined)
  })
  response.once('end', () => {
    queue.add([...splitter.end()].filter(isOutput))
    done()
  })
}

/** An empty object only keeps the connection alive. */
function isOutput({ text }: { text: string }): boolean {
  return !/^\s*\{\s*\}\s*$/.test(text)
}

/** Why the response fails before its body is read. */
function flawOf({ statusCode = 0, headers }: IncomingMessage): string | undefined {
  const refused = refusalOf(statusCode)
  if (refused !== undefined) return refused
  if ((headers['content-encoding'] ?? 'identity') !== 'identity') return 'The receiver encoded its response.'
  const tellsItsEnd = headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined
  if (tellsItsEnd || statusCode === 204) return undefined
  return 'The response has neither Content-Length nor chunked encoding, so its end could not be told from a crash.'
}
