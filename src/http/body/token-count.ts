/**
 * Counts the values of a body while its bytes arrive. A parser needs far longer for a value than for a byte: 64 MiB of
 * `{},{},…` blocked the thread for 17 s. So a body with more values than any valid request is refused before it is parsed.
 */
import { invalid, problem } from '../../problem.ts'

/** Levels of nested objects and lists. No valid input has as many, and recursive functions can handle this many. */
const deepest = 64

const [quote, backslash] = [0x22, 0x5c]
const structural = Uint8Array.from({ length: 256 }, (_, byte) => Number('{}[],:'.includes(String.fromCharCode(byte))))

/** Called for each `{ } [ ] , :` outside of strings, with its position in bytes. */
export type Meet = (byte: number, at: number) => void

/**
 * Reads JSON as it arrives, in pieces of any size. It also reads invalid JSON without an error: the parser reports what
 * is wrong with it.
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
 * Counts tokens. A token is a comma, a colon or an opening bracket: there is one for each value and each name of a field.
 * Throws payload_too_large if there are more than `most`, and invalid_request if `what` is nested too deeply.
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

/** Returns a function that takes the pieces of one body. */
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
