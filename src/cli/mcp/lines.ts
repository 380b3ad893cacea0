/** Splits standard input into lines, and holds no more of a line than its limit. */
import type { Readable } from 'node:stream'

/** 'too long': a line beyond the limit. It is reported as soon as it exceeds it, and its rest is skipped. */
export type Line = Buffer | 'too long'

const lineFeed = 0x0a

/** Ends with the input. A rest without a line feed at its end is a line too. Rejects if the input fails. */
export async function* linesOf(input: Readable, mostBytes: number): AsyncGenerator<Line> {
  let parts: Buffer[] = []
  let length = 0
  let skipping = false
  /** Returns 'too long' once a line. */
  function keep(part: Buffer): 'too long' | undefined {
    if (skipping) return undefined
    length += part.length
    if (length <= mostBytes) {
      parts.push(part)
      return undefined
    }
    skipping = true
    parts = []
    return 'too long'
  }
  function take(): Buffer | undefined {
    const line = skipping || length === 0 ? undefined : Buffer.concat(parts)
    parts = []
    length = 0
    skipping = false
    return line
  }

  for await (const chunk of input as AsyncIterable<Buffer>) {
    let rest = chunk
    for (let at = rest.indexOf(lineFeed); at >= 0; at = rest.indexOf(lineFeed)) {
      const refused = keep(rest.subarray(0, at))
      if (refused) yield refused
      const line = take()
      if (line) yield line
      rest = rest.subarray(at + 1)
    }
    const refused = keep(rest)
    if (refused) yield refused
  }
  const last = take()
  if (last) yield last
}
