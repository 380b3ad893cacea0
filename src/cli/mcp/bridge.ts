/**
 * Connects an MCP client on standard input and output with the MCP endpoint of a service. Each line of the input is one
 * JSON-RPC frame and becomes one HTTP request. Answers are written in the order in which they come, a line each. The
 * endpoint is stateless, so no other state needs to be kept.
 */
import { once } from 'node:events'
import type { Readable, Writable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { carrier, type Route } from './carry.ts'
import { type Frame, frameOf, type RequestId, type RpcError } from './frame.ts'
import { linesOf } from './lines.ts'

export interface BridgeOptions {
  route: Route
  input: Readable
  output: Writable
  /** Ends the bridge. Answers that are due still get a short time. */
  signal: AbortSignal
  /** Prints a line for people. */
  note: (text: string) => void
}

/** Bytes of a frame. The service accepts no larger body. */
const mostLine = 8 * 1024 * 1024
/** Frames, and their bytes, that may be without an answer. If there are more, no line is read for a while. */
const mostPending = 256
const mostPendingBytes = 64 * 1024 * 1024
/** ms for the answers that are due when the input ends. A call of the service waits for at most 30 s. */
const lastAnswers = 40_000
/** The same after a signal. The client kills the process 2 s after it. */
const lastAnswersAfterSignal = 1_500

/** Resolves when the input has ended, or the signal was given, and the answers that were due are written. */
export async function bridge({ route, input, output, signal, note }: BridgeOptions): Promise<void> {
  const pending = new Map<Pending, Promise<void>>()
  let bytes = 0
  /** While the client does not read. */
  let full: Promise<unknown> | undefined
  const frames = carrier(route, write, note)

  function write(line: string): void {
    if (output.write(`${line}\n`) || full) return
    full = once(output, 'drain')
      .catch(() => {}) // the program ends with an error of its output
      .finally(() => {
        full = undefined
      })
  }

  const refuse = (error: RpcError) => write(JSON.stringify({ jsonrpc: '2.0', id: null, error }))

  function begin(frame: Frame): void {
    const one: Pending = { frame, stop: new AbortController() }
    bytes += frame.bytes.length
    const carried = frames.carry(frame, one.stop.signal).then(async () => {
      await full
      bytes -= frame.bytes.length
      pending.delete(one)
    })
    pending.set(one, carried)
  }

  /** The client wants no answer any more. The service learns it from the end of the connection. */
  function cancel(id: RequestId | undefined): void {
    for (const { frame, stop } of pending.keys()) {
      if (id !== undefined && !frame.isBatch && frame.ids.includes(id)) stop.abort()
    }
  }

  async function read(): Promise<void> {
    for await (const line of linesOf(input, mostLine)) {
      const frame = line === 'too long' ? tooLong : frameOf(line)
      if (frame === undefined) continue
      if ('code' in frame) refuse(frame)
      else if (frame.method === 'notifications/cancelled') cancel(frame.cancels)
      else begin(frame)
      await full
      while (pending.size >= mostPending || bytes >= mostPendingBytes) await Promise.race(pending.values())
    }
  }

  const stopping = new AbortController()
  const stopped = signal.aborted ? Promise.resolve() : once(signal, 'abort', { signal: stopping.signal })
  const isStopped = stopped.catch(() => {}) // nobody waits any more
  try {
    await Promise.race([read(), isStopped])
    const limits = { signal: stopping.signal }
    await Promise.race([
      Promise.all(pending.values()),
      sleep(lastAnswers, undefined, limits),
      isStopped.then(() => sleep(lastAnswersAfterSignal, undefined, limits)),
    ])
  } finally {
    stopping.abort()
    for (const { stop } of pending.keys()) stop.abort()
    frames.close()
  }
}

interface Pending {
  frame: Frame
  stop: AbortController
}

const tooLong: RpcError = {
  code: -32_600,
  message: `Invalid request: a line is longer than ${mostLine / 1024 / 1024} MiB.`,
}
