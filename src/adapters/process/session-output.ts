/** The output of a session, as its worker reads it. */
import type { Line } from '../../ports/executor.ts'
import { lineSplitter } from '../../ports/lines.ts'
import { costOf, type Source } from './messages.ts'

export interface SessionOutput {
  add(from: Source, bytes: Uint8Array): void
  /** Nothing follows. What was added before can still be read. */
  end(): void
  lines: AsyncIterable<Line>
}

/** `taken`: so many bytes were read, so the guard may send as many more. */
export function sessionOutput(taken: (bytes: number) => void): SessionOutput {
  const waiting: { from: Source; bytes: Uint8Array }[] = []
  let isOver = false
  let wake: () => void = () => {}

  async function* read(): AsyncGenerator<Line, void> {
    const splitters = { stdout: lineSplitter('stdout'), stderr: lineSplitter('stderr') }
    for (;;) {
      const next = waiting.shift()
      if (next !== undefined) {
        yield* splitters[next.from].push(next.bytes)
        taken(costOf(next.bytes))
      } else if (isOver) break
      else
        await new Promise<void>((resolve) => {
          wake = resolve
        })
    }
    yield* splitters.stdout.end()
    yield* splitters.stderr.end()
  }

  return {
    add(from, bytes) {
      waiting.push({ from, bytes })
      wake()
    },
    end() {
      isOver = true
      wake()
    },
    lines: read(),
  }
}
