/** Structured logs on standard error: one JSON object a line. */
import { destination, type Logger, pino } from 'pino'

export function logger(level: string): Logger {
  // standard output is for what a person asked to see, such as the first key
  return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, destination({ fd: 2, sync: false }))
}
