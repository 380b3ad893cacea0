/**
 * Counts the bytes of bodies under way, from when they arrive until the request is answered. An announced length counts
 * nothing, so a caller cannot shut others out by announcing much.
 */
import assert from 'node:assert/strict'
import type { IncomingMessage } from 'node:http'
import { problem } from '../../problem.ts'
import type { Shares, Taker } from './shares.ts'
import type { Slowness } from './slowness.ts'

/** Bytes. Memory is taken in blocks of this size: kept as they come, chunks of one byte take 300 bytes each. */
const block = 64 * 1024

export interface Incoming {
  /**
   * Runs `work`, which may read the body, and then releases the memory. Calls `arrived` with the length of the body.
   */
  hold(req: IncomingMessage, by: Taker, arrived: (bytes: number) => void, work: () => Promise<void>): Promise<void>
}

export interface Arriving {
  /** Keeps a copy. Throws unavailable if the caller, its workspace or all callers would hold too much. */
  take(chunk: Buffer): void
  /** Everything that was taken. Can be called once. */
  whole(): Buffer
  /** Calls `refuse` if the body comes too slowly. Returns a function that stops watching. */
  watch(refuse: (error: Error) => void): () => void
}

const held = new WeakMap<IncomingMessage, () => Arriving>()

/** The body of an authenticated request. Throws unavailable if the announced length has no room now. */
export function arriving(req: IncomingMessage): Arriving {
  const open = held.get(req)
  assert(open !== undefined, 'bodies are read only of callers that are known')
  return open()
}

export function incoming(shares: Shares, slowness: Slowness): Incoming {
  return {
    async hold(req, by, arrived, work) {
      let blocks: Blocks | undefined
      held.set(req, () => {
        const announced = Number(req.headers['content-length'] ?? 0)
        if (!shares.has(by, announced)) throw full()
        const kept = blocksOf(announced, (size) => {
          if (!shares.take(by, size)) throw full()
        })
        blocks = kept
        return {
          take: kept.take,
          whole() {
            arrived(kept.length())
            return kept.whole()
          },
          watch: (refuse) => slowness.watch(kept.length, refuse),
        }
      })
      try {
        await work()
      } finally {
        held.delete(req)
        if (blocks) shares.give(by, blocks.reserved())
      }
    },
  }
}

interface Blocks {
  take(chunk: Buffer): void
  whole(): Buffer
  length(): number
  /** Bytes of all blocks. */
  reserved(): number
}

function blocksOf(announced: number, reserve: (bytes: number) => void): Blocks {
  let blocks: Buffer[] = []
  let room = 0
  let length = 0
  let reserved = 0

  const add = (made: (size: number) => Buffer, size: number) => {
    reserve(size)
    reserved += size
    blocks.push(made(size))
  }

  return {
    take(chunk) {
      if (length === 0 && chunk.length === announced) {
        add(() => chunk, chunk.length)
        length = chunk.length
        return
      }
      for (let from = 0; from < chunk.length; ) {
        if (room === 0) {
          room = announced > length ? Math.min(block, announced - length) : block
          add(Buffer.allocUnsafeSlow, room)
        }
        const last = blocks.at(-1) as Buffer
        const copied = chunk.copy(last, last.length - room, from)
        from += copied
        room -= copied
        length += copied
      }
    },
    whole() {
      const whole = blocks.length === 1 ? (blocks[0] as Buffer).subarray(0, length) : Buffer.concat(blocks, length)
      blocks = []
      return whole
    },
    length: () => length,
    reserved: () => reserved,
  }
}

function full() {
  return problem(
    'unavailable',
    'Too many bytes of this credential, its workspace or all callers are under way. Send less at a time, and this again.',
    { headers: { 'Retry-After': '2' } },
  )
}
