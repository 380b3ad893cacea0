/** Finds the lines of an AsciiDoc file from which the lines of its Markdown were made. */

/** Lines of the source that may be left out between two lines. */
const mostBetween = 400
/** Characters by which a line is recognised. */
const mostCompared = 12

interface Line {
  text: string
  /** Line of the source, counted from 1. */
  from: number
}

/** If no line of the source is like a line of the Markdown, that of the line above it is given. */
export function withSourceLines(written: readonly string[], source: readonly string[]): Line[] {
  const keys = source.map(keyOf)
  let at = 0
  return written.map((text) => {
    const key = keyOf(text).slice(0, mostCompared)
    const found = key === '' ? -1 : keys.slice(at, at + mostBetween).findIndex((one) => one.includes(key))
    if (found >= 0) at += found
    return { text, from: at + 1 }
  })
}

const keyOf = (line: string) => line.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')
