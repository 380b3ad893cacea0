/** Lines that were read, until somebody asks for them. */
import type { Line } from '../../ports/executor.ts'

export interface LineQueue {
  add(lines: readonly Line[]): void
  /** Enough lines wait: read no more until it is drained. */
  isFull(): boolean
  /** Called when all lines were asked for, and then one more. */
  onDrained(call: () => void): void
  /** Takes no more lines. `lines` still gives the lines that wait, and then ends. */
  close(): void
  /** May be read once. */
  lines: AsyncIterable<Line>
}

/** Characters. A short response fits, so it ends even if nobody reads its lines. */
const mostWaiting = 64 * 1024

export function lineQueue(): LineQueue {
  let waiting: Line[] = []
  let characters = 0
  let isClosed = false
  let wake = () => {}
  let drained = () => {}

  async function* read(): AsyncGenerator<Line> {
    for (;;) {
      const some = waiting
      waiting = []
      characters = 0
      yield* some
      if (waiting.length > 0) continue
      if (isClosed) return
      const more = new Promise<void>((resolve) => {
        wake = resolve
      })
      drained()
      await more
    }
  }

  return {
    add(lines) {
      if (isClosed || lines.length === 0) return
      for (const line of lines) {
        waiting.push(line)
        characters += line.text.length
      }
      wake()
    },
    isFull: () => characters >= mostWaiting,
    onDrained(call) {
      drained = call
    },
    close() {
      isClosed = true
      wake()
    },
    lines: read(),
  }
}
