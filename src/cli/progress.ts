/** How far long work has come: a bar on a terminal, elsewhere a plain line every few seconds, nothing with --json. */
import { SingleBar } from 'cli-progress'
import { count, plain, type Terminal } from './terminal.ts'

export interface Progress {
  /** `total` undefined: how many there will be is not known before the end. */
  start(total?: number): void
  /** `beside`: what is shown beside the numbers. */
  update(value: number, beside?: string): void
  /** The service is away or busy: said once until it goes on. */
  waits(reason: string, delay: number): void
  stop(): void
}

/** ms between two plain lines. */
const lineEvery = 5_000

/** `Importing  1,200 of 5,000 applied`: what is done, and what one that counts has become. */
export function progressOn(terminal: Terminal, doing: string, done: string): Progress {
  return terminal.isWatched ? bar(terminal, doing, done) : lines(terminal, doing, done)
}

function bar(terminal: Terminal, doing: string, done: string): Progress {
  let drawn: SingleBar | undefined
  return {
    start(total) {
      const numbers = total === undefined ? '{value}' : '{bar} {value} of {total}'
      drawn = new SingleBar({
        stream: terminal.stderr,
        format: `${doing} ${numbers} ${done}{beside}`,
        formatValue: (value, _, type) =>
          type === 'value' || type === 'total' ? value.toLocaleString('en') : String(value),
        barCompleteChar: '━',
        barIncompleteChar: '─',
        barsize: 30,
        hideCursor: true,
        clearOnComplete: true,
        linewrap: true,
        // our own signals end the work, which stops the bar
        gracefulExit: false,
      })
      drawn.start(total ?? 1, 0, { beside: '' })
    },
    update(value, beside = '') {
      if (!drawn) return
      // an estimate that was too low is no reason to show more than there is
      if (value > drawn.getTotal()) drawn.setTotal(value)
      drawn.update(value, { beside: beside === '' ? '' : `, ${beside}` })
    },
    waits(reason) {
      if (drawn) drawn.update({ beside: `; waiting: ${plain(reason)}` })
      else terminal.note(plain(reason))
    },
    stop() {
      drawn?.stop()
      drawn = undefined
    },
  }
}

function lines(terminal: Terminal, doing: string, done: string): Progress {
  let timer: NodeJS.Timeout | undefined
  let line = ''
  let said = ''
  let isWaiting = false
  let total: number | undefined
  return {
    start(all) {
      total = all
      timer = setInterval(() => {
        if (line !== said) terminal.note(line)
        said = line
      }, lineEvery)
    },
    update(value, beside = '') {
      isWaiting = false
      const of = total === undefined ? '' : ` of ${Math.max(value, total).toLocaleString('en')}`
      line = `${doing}: ${value.toLocaleString('en')}${of} ${done}${beside === '' ? '' : `, ${beside}`}`
    },
    waits(reason, delay) {
      if (!isWaiting) {
        terminal.note(`${plain(reason)} Trying again, first in ${count(Math.ceil(delay / 1000), 'second')}.`)
      }
      isWaiting = true
    },
    stop() {
      clearInterval(timer)
    },
  }
}
