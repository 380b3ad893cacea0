/** Structured logs on standard error: one JSON object a line, of 2 KB at most. A terminal gets readable text instead. */
import { type DestinationStream, destination, type Logger, pino } from 'pino'
import { shortLine } from './log-line.ts'
import { prettyOn } from './log-pretty.ts'

/** Stands where a secret stood. */
const blot = '***'

/** `secrets` are in no line, whoever writes it: an engine's client may put the url that it was given into an error. */
export function logger(
  level: string,
  secrets: readonly string[] = [],
  to: DestinationStream = standardError(),
): Logger {
  const hidden = [...new Set(secrets.flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1)]))]
  const streamWrite = (line: string) => shortLine(without(hidden, line))
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: errorTold },
      hooks: { streamWrite },
    },
    to,
  )
}

/** Not standard output: that is for what a person asked to see, such as the first key. */
function standardError(): DestinationStream {
  const to = destination({ fd: 2, sync: false })
  return process.stderr.isTTY ? prettyOn(to, process.stderr.hasColors()) : to
}

/** Name, message and stack of an error, and no more: drivers hang whole requests and documents of callers on theirs. */
export function errorTold(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const { type, message, stack } = pino.stdSerializers.err(error)
  const { code, errors = [] } = error as { code?: unknown; errors?: unknown[] }
  return {
    type,
    message,
    stack,
    ...(typeof code === 'string' || typeof code === 'number' ? { code } : {}),
    // of several addresses of one name each has its own
    ...(error instanceof AggregateError ? { errors: errors.map((one) => (one as Error)?.message) } : {}),
  }
}

/** The text without the secrets. */
export function without(secrets: readonly string[], text: string): string {
  return secrets.reduce((shown, secret) => shown.replaceAll(secret, blot), text)
}
