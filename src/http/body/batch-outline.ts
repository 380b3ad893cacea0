/**
 * Finds where each decision of a batch begins and ends, while the bytes arrive. The decisions can then be parsed one by
 * one, with other requests in between. A batch with too many decisions is refused before any of them is parsed.
 */
import { mostDecisions } from '../../decisions/import.ts'
import { invalid, type Problem, problem } from '../../problem.ts'
import { envelopeBody, mostBlankLines, sizeOf, writeBody } from '../base/body-bounds.ts'
import { closes, counting, type Meet, opens, structureReader } from './token-count.ts'

export interface Part {
  /** Positions in bytes. `to` is the first byte after the part. */
  from: number
  to: number
}

export interface ItemPart extends Part {
  /** NDJSON only: the number of the line in the body, from 1. Blank lines count. */
  line?: number
  /** Why the item is refused without being parsed. */
  refusal?: Problem
}

export interface Outline {
  /** Throws invalid_request if there are too many items. */
  take(chunk: Uint8Array): void
  /** The items found so far. An item is added when its last byte has arrived. */
  items: ItemPart[]
}

/** The outline of `{"decisions": [...]}`. */
export interface JsonOutline extends Outline {
  /** The content of each list in a field of the body. A valid body has one list. */
  lists: Part[]
}

const [openingBracket, comma, newline] = [0x5b, 0x2c, 0x0a]

export function jsonOutline(): JsonOutline {
  const items: ItemPart[] = []
  const lists: Part[] = []
  const besideItems = besideCounter()
  let depth = 0
  let item: ItemInWork | undefined

  function outside(byte: number, at: number): void {
    besideItems(byte)
    if (closes(byte)) depth -= 1
    else if (opens(byte)) depth += 1
    if (byte !== openingBracket || depth !== 2) return
    lists.push({ from: at + 1, to: at + 1 })
    item = itemFrom(at + 1)
  }

  function inside(of: ItemInWork, byte: number, at: number): void {
    const ends = depth === 2 && (byte === comma || closes(byte))
    if (!ends) {
      if (closes(byte)) depth -= 1
      else if (opens(byte)) depth += 1
      of.meet(byte, at)
      return
    }
    addItem(items, of.end(at))
    item = byte === comma ? itemFrom(at + 1) : undefined
    if (item) return
    depth -= 1
    ;(lists.at(-1) as Part).to = at
  }

  return {
    items,
    lists,
    take: structureReader((byte, at) => (item ? inside(item, byte, at) : outside(byte, at))),
  }
}

/** The outline of NDJSON: each line is a decision. Blank lines are skipped. */
export function lineOutline(): Outline & { end(): void } {
  const items: ItemPart[] = []
  let blankLines = 0
  let line = 1
  let read = 0
  let from = 0
  let item: ItemInWork | undefined
  let look: (piece: Uint8Array) => void = () => {}

  function takePiece(piece: Uint8Array): void {
    if (item === undefined && !isBlank(piece)) {
      item = itemFrom(from)
      look = structureReader(item.meet)
    }
    if (item) look(piece)
  }

  function endLine(at: number): void {
    if (item) addItem(items, { ...item.end(at), line })
    else if (++blankLines > mostBlankLines) throw tooManyBlank()
    item = undefined
    line += 1
    from = at + 1
  }

  return {
    items,
    take(chunk) {
      for (let at = 0; at < chunk.length; ) {
        const end = chunk.indexOf(newline, at)
        takePiece(chunk.subarray(at, end < 0 ? chunk.length : end))
        if (end < 0) break
        endLine(read + end)
        at = end + 1
      }
      read += chunk.length
    },
    end() {
      if (item) endLine(read)
    },
  }
}

interface ItemInWork {
  meet: Meet
  end(at: number): ItemPart
}

/** If one decision is too large, the rest of it is skipped. The other decisions are accepted. */
function itemFrom(from: number): ItemInWork {
  const count = counting('One decision', writeBody.tokens)
  let refusal: Problem | undefined
  return {
    meet(byte, at) {
      if (refusal) return
      try {
        count(byte, at - from)
      } catch (error) {
        refusal = error as Problem
      }
    },
    end(to) {
      if (to - from > writeBody.bytes) refusal ??= itemTooLarge()
      return { from, to, ...(refusal ? { refusal } : {}) }
    },
  }
}

function addItem(items: ItemPart[], item: ItemPart): void {
  items.push(item)
  if (items.length <= mostDecisions) return
  throw invalid('decisions', `has more than ${mostDecisions} items: send the others after them, under another key`)
}

function besideCounter(): (byte: number) => void {
  let tokens = 0
  return (byte) => {
    if (closes(byte)) return
    tokens += 1
    if (tokens > envelopeBody.tokens) throw invalid('body', 'must be {"decisions": […]} and nothing else')
  }
}

export function isBlank(bytes: Uint8Array): boolean {
  let at = 0
  while (at < bytes.length && isSpace(bytes[at] as number)) at += 1
  return at === bytes.length
}

function isSpace(byte: number): boolean {
  return byte === 0x20 || byte === 0x09 || byte === 0x0d || byte === newline
}

function itemTooLarge() {
  return problem('payload_too_large', `One decision may have ${sizeOf(writeBody.bytes)} at most.`, {
    details: { limit_bytes: writeBody.bytes },
  })
}

function tooManyBlank() {
  return invalid('body', `has more than ${mostBlankLines} blank lines: leave them out`)
}
