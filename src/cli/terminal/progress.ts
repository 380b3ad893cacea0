/** Shows the progress of long work: a bar on a terminal, elsewhere a line every few seconds, nothing with --json. */
import { SingleBar } from 'cli-progress'
import { plain, type Terminal } from './terminal.ts'

export interface Progress {
  /** `total`: undefined if it is not known before the end. */
  start(total?: number): void
  /** `beside`: text that is shown after the numbers. */
  update(value: number, beside?: string): void
  /** A call is being retried. Printed once until the work continues. */
  onRetry(reason: string, delay: number): void
  stop(): void
}

/** ms between two lines. */
const lineEvery = 5_000

/** Shows for example `Importing: 1,200 of 5,000 applied`, where `doing` is “Importing” and `done` is “applied”. */
export function progressOn(terminal: Terminal, doing: string, done: string): Progress {
  return terminal.isInteractive ? bar(terminal, doing, done) : lines(terminal, doing, done)
}

/** `delay` in ms. */
export function retryNote(reason: string, delay: number): string {
  return `${plain(reason)} Retrying in ${Math.ceil(delay / 1000)} s.`
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
        // our own signal handler ends the work, and then the bar is stopped
        gracefulExit: false,
      })
      drawn.start(total ?? 1, 0, { beside: '' })
    },
    update(value, beside = '') {
      if (!drawn) return
      // the total is an estimate: raise it if it was too low
      if (value > drawn.getTotal()) drawn.setTotal(value)
      drawn.update(value, { beside: beside === '' ? '' : `, ${beside}` })
    },
    onRetry(reason, delay) {
      if (drawn) drawn.update({ beside: `; retrying: ${plain(reason)}` })
      else terminal.note(retryNote(reason, delay))
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
  let printed = ''
  let isRetrying = false
  let total: number | undefined
  return {
    start(all) {
      total = all
      timer = setInterval(() => {
        if (line !== printed) terminal.note(line)
        printed = line
      }, lineEvery)
    },
    update(value, beside = '') {
      isRetrying = false
      const of = total === undefined ? '' : ` of ${Math.max(value, total).toLocaleString('en')}`
      line = `${doing}: ${value.toLocaleString('en')}${of} ${done}${beside === '' ? '' : `, ${beside}`}`
    },
    onRetry(reason, delay) {
      if (!isRetrying) terminal.note(retryNote(reason, delay))
      isRetrying = true
    },
    stop() {
      clearInterval(timer)
    },
  }
}
