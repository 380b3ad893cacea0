/** The lines of a text. Lines are 1-based, and end with a line feed. */
export interface SourceLines {
  /** A text that ends with a line feed has no empty line after it. An empty text has none. */
  readonly count: number
  /** The line that holds the character at this index. */
  at(index: number): number
  /** Index of the first character of a line. */
  startOf(line: number): number
  /** Without the line feed. */
  text(line: number): string
}

export function sourceLines(text: string): SourceLines {
  const starts = [0]
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  if (starts.at(-1) === text.length) starts.pop()
  const startOf = (line: number) => starts[line - 1] ?? text.length

  return {
    count: starts.length,
    startOf,
    at(index) {
      let [low, high] = [0, starts.length - 1]
      while (low < high) {
        const middle = (low + high + 1) >> 1
        if ((starts[middle] as number) <= index) low = middle
        else high = middle - 1
      }
      return low + 1
    },
    text(line) {
      const [from, to] = [startOf(line), startOf(line + 1)]
      return text.slice(from, text[to - 1] === '\n' ? to - 1 : to)
    },
  }
}
