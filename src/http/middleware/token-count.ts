/**
 * Counts what a body is made of while its bytes come in. A parser takes far longer for a value than for a byte: 64 MiB
 * of `{},{},…` held the thread for 17 s. So a body of more values than any valid request has is refused before it is parsed.
 */
import { invalid, problem } from '../../problem.ts'

/** Objects and lists within each other: more than any input has, and few enough for every function that recurses. */
const deepest = 64

const [quote, backslash] = [0x22, 0x5c]
const structural = Uint8Array.from({ length: 256 }, (_, byte) => Number('{}[],:'.includes(String.fromCharCode(byte))))

/** Gets each `{ } [ ] , :` outside of texts, and its place in bytes. */
export type Meet = (byte: number, at: number) => void

/**
 * Reads JSON as it arrives, in any pieces. Bytes that are no JSON are read all the same: the parser says what is wrong
 * with them.
 */
export function structureReader(meet: Meet): (chunk: Uint8Array) => void {
  let wasInText = false
  let wasEscaped = false
  let read = 0
  return (chunk) => {
    let inText = wasInText
    let escaped = wasEscaped
    for (let at = 0; at < chunk.length; at += 1) {
      const byte = chunk[at] as number
      if (inText) {
        if (escaped) escaped = false
        else if (byte === backslash) escaped = true
        else if (byte === quote) inText = false
      } else if (byte === quote) inText = true
      else if (structural[byte] === 1) meet(byte, read + at)
    }
    wasInText = inText
    wasEscaped = escaped
    read += chunk.length
  }
}

/** `{` and `[` differ in one bit, as do `}` and `]`. */
export const opens = (byte: number) => (byte | 0x20) === 0x7b
export const closes = (byte: number) => (byte | 0x20) === 0x7d

/**
 * A token is a comma, a colon or an opening bracket: each value and each name of a field has one beside it. Throws
 * payload_too_large beyond `most`, invalid_request if `what` is nested too deep.
 */
export function counting(what: string, most: number): Meet {
  let tokens = 0
  let depth = 0
  return (byte, at) => {
    if (closes(byte)) {
      depth -= 1
      return
    }
    tokens += 1
    if (tokens > most) throw tooManyTokens(what, most)
    if (!opens(byte)) return
    depth += 1
    if (depth > deepest) throw invalid('body', `is nested deeper than ${deepest} at byte ${at}: flatten it`)
  }
}

/** Takes the pieces of one body. */
export function tokenCounter(most: number): (chunk: Uint8Array) => void {
  return structureReader(counting('The body', most))
}

function tooManyTokens(what: string, most: number) {
  const counted = 'commas, colons and opening brackets outside of texts'
  return problem(
    'payload_too_large',
    `${what} has more than ${most} ${counted}, which no valid one has. Send fewer items, and only known fields.`,
    { details: { limit_tokens: most } },
  )
}
