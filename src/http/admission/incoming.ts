/**
 * Counts the bytes of request bodies in memory, from their arrival until the request is answered. Only bytes that have
 * arrived count. So a caller can't block others by announcing a large Content-Length.
 */
import assert from 'node:assert/strict'
import type { IncomingMessage } from 'node:http'
import { problem } from '../../problem.ts'
import type { Shares, Taker } from './shares.ts'
import type { Slowness } from './slowness.ts'

/** Bytes. Chunks are copied into blocks of this size, because a chunk of one byte would take 300 bytes of memory. */
const block = 64 * 1024

export interface Incoming {
  /**
   * Runs `work`, which may read the body, and then releases the memory. Calls `arrived` with the length of the body.
   */
  hold(req: IncomingMessage, by: Taker, arrived: (bytes: number) => void, work: () => Promise<void>): Promise<void>
}

export interface Arriving {
  /** Keeps a copy of the chunk. Throws unavailable if the caller, its workspace or all callers would hold too much. */
  take(chunk: Buffer): void
  /** All bytes taken so far. Can be called once. */
  whole(): Buffer
  /** Calls `refuse` if the body arrives too slowly. Returns a function that stops watching. */
  watch(refuse: (error: Error) => void): () => void
}

const held = new WeakMap<IncomingMessage, () => Arriving>()

/** The body of an authenticated request. Throws unavailable if there is no memory now for the announced length. */
export function arriving(req: IncomingMessage): Arriving {
  const open = held.get(req)
  assert(open !== undefined, 'only the body of an authenticated request is read')
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
    'This credential, its workspace or all callers together have too many bytes in memory. Wait, then send it again.',
    { headers: { 'Retry-After': '2' } },
  )
}
