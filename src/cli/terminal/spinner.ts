/** Shows on a terminal that work goes on: a sign that turns, and a word. Elsewhere it shows nothing. */
import type { Terminal } from './terminal.ts'

export interface Spinner {
  say(word: string): void
  /** Runs `print` with the line of the spinner out of the way. */
  above(print: () => void): void
  stop(): void
}

const signs = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏']
/** ms */
const turnEvery = 100
const clearLine = '\r\u001b[K'

export function spinnerOn({ isInteractive, stderr }: Terminal): Spinner {
  if (!isInteractive) return { say: () => {}, above: (print) => print(), stop: () => {} }
  let [turn, word] = [0, '']
  const draw = () => {
    turn = (turn + 1) % signs.length
    stderr.write(`${clearLine}${signs[turn]} ${word}`)
  }
  let timer: NodeJS.Timeout | undefined = setInterval(draw, turnEvery)
  return {
    say(next) {
      word = next
    },
    above(print) {
      if (timer) stderr.write(clearLine)
      print()
    },
    stop() {
      if (timer === undefined) return
      clearInterval(timer)
      timer = undefined
      stderr.write(clearLine)
    },
  }
}
