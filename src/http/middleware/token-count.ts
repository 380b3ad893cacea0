/**
 * Counts what a body is made of while its bytes come in. A parser takes far longer for a value than for a byte: 64 MiB
 * of `{},{},…` held the thread for 17 s. So a body of more values than any valid request has is refused before it is parsed.
 */
import { invalid, problem } from '../../problem.ts'

/** Objects and lists within each other: more than any input has, and few enough for every function that recurses. */
export const deepest = 64

const table = (characters: string) => Uint8Array.from({ length: 256 }, (_, byte) => characterIn(characters, byte))
const characterIn = (characters: string, byte: number) => (characters.includes(String.fromCharCode(byte)) ? 1 : 0)
const structural = table('{}[],:')
const [quote, backslash] = [0x22, 0x5c]

/**
 * Reads JSON as it arrives, in any pieces, and calls `meet` with each `{ } [ ] , :` outside of texts, and with its place.
 * Bytes that are no JSON are read all the same: the parser says what is wrong with them.
 */
export function structureReader(meet: (byte: number, at: number) => void): (chunk: Uint8Array) => void {
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
 * Takes the pieces of one body. A token is a comma, a colon or an opening bracket: each value and each name of a field
 * has one beside it. Throws payload_too_large beyond `most`, invalid_request for a body that is nested too deep.
 */
export function tokenCounter(most: number): (chunk: Uint8Array) => void {
  let tokens = 0
  let depth = 0
  return structureReader((byte, at) => {
    if (closes(byte)) {
      depth -= 1
      return
    }
    tokens += 1
    if (tokens > most) throw tooManyTokens('The body', most)
    if (!opens(byte)) return
    depth += 1
    if (depth > deepest) throw tooDeep(at)
  })
}

export function tooDeep(at: number) {
  return invalid('body', `is nested deeper than ${deepest} at byte ${at}: flatten it`)
}

export function tooManyTokens(what: string, most: number) {
  return problem(
    'payload_too_large',
    `${what} has more than ${most} commas, colons and opening brackets outside of texts, which is more than any valid one has. Send fewer items and only known fields.`,
    { details: { limit_tokens: most } },
  )
}
