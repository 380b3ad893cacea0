/**
 * The bytes between a worker and its guard. A frame has the length of its content, a kind, and the number of a session,
 * which counts from 1 for each guard.
 */
import assert from 'node:assert/strict'
import type { FromGuard, Source, ToGuard } from './messages.ts'

export type Frame<Message extends ToGuard | FromGuard> = { session: number } & (
  | { kind: 'message'; message: Message }
  | { kind: Source; bytes: Uint8Array }
)

const kinds = ['message', 'stdout', 'stderr'] as const
const headerLength = 9
/** Bytes. Documents for executors are far shorter. */
const longestFrame = 64 * 1024 * 1024

export function messageFrame(session: number, message: ToGuard | FromGuard): Buffer {
  return frame(session, 'message', Buffer.from(JSON.stringify(message)))
}

export function outputFrame(session: number, from: Source, bytes: Uint8Array): Buffer {
  return frame(session, from, bytes)
}

function frame(session: number, kind: (typeof kinds)[number], content: Uint8Array): Buffer {
  assert(content.length <= longestFrame)
  const header = Buffer.alloc(headerLength)
  header.writeUInt32BE(content.length, 0)
  header.writeUInt8(kinds.indexOf(kind), 4)
  header.writeUInt32BE(session, 5)
  return Buffer.concat([header, content])
}

/** Returns a function that takes bytes as they arrive, and calls `heard` with each whole frame. */
export function frameReader<Message extends ToGuard | FromGuard>(
  heard: (frame: Frame<Message>) => void,
): (bytes: Buffer) => void {
  let chunks: Buffer[] = []
  let held = 0
  let needed = headerLength
  return (bytes) => {
    chunks.push(bytes)
    held += bytes.length
    if (held < needed) return
    let rest = Buffer.concat(chunks)
    for (needed = lengthOf(rest); rest.length >= needed; needed = lengthOf(rest)) {
      heard(parsed(rest.subarray(0, needed)))
      rest = rest.subarray(needed)
    }
    chunks = [rest]
    held = rest.length
  }
}

/** Of the first frame; of its header if that is not complete. */
function lengthOf(bytes: Buffer): number {
  if (bytes.length < headerLength) return headerLength
  const length = bytes.readUInt32BE(0)
  assert(length <= longestFrame)
  return headerLength + length
}

function parsed<Message extends ToGuard | FromGuard>(bytes: Buffer): Frame<Message> {
  const kind = kinds[bytes.readUInt8(4)]
  const session = bytes.readUInt32BE(5)
  const content = bytes.subarray(headerLength)
  assert(kind !== undefined)
  if (kind === 'message') return { session, kind, message: JSON.parse(content.toString()) }
  return { session, kind, bytes: content }
}
