/** Finds the lines of an AsciiDoc file from which the lines of its Markdown were made. */

/** Lines of the source that may be left out between two lines. */
const mostBetween = 400
/** Characters by which a line is recognised. */
const mostCompared = 12

/** By line of the Markdown: the line of the source, counted from 1. It is the line before, if none is like it. */
export function linesOfSource(written: readonly string[], source: readonly string[]): number[] {
  const keys = source.map(keyOf)
  let at = 0
  return written.map((line) => {
    const key = keyOf(line).slice(0, mostCompared)
    const found = key === '' ? -1 : keys.slice(at, at + mostBetween).findIndex((one) => one.includes(key))
    if (found >= 0) at += found
    return at + 1
  })
}

const keyOf = (line: string) => line.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')
