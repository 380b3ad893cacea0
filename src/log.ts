/** Structured logs on standard error: one JSON object per line, at most 2 KB. */
import { type DestinationStream, destination, type Logger, pino } from 'pino'
import { shortLine } from './log-line.ts'

/** Replaces secrets. */
const replacement = '***'

/** `secrets` are redacted in every line. For example, an engine's client may put its url into an error. */
export function logger(
  level: string,
  secrets: readonly string[] = [],
  // standard output is for results, such as the first key
  to: DestinationStream = destination({ fd: 2, sync: false }),
): Logger {
  const hidden = [...new Set(secrets.flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1)]))]
  const streamWrite = (line: string) => shortLine(redact(hidden, line))
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { err: serializedError },
      hooks: { streamWrite },
    },
    to,
  )
}

/** Only the type, message and stack of an error: drivers attach whole requests and documents to their errors. */
export function serializedError(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const { type, message, stack } = pino.stdSerializers.err(error)
  const { code, errors = [] } = error as { code?: unknown; errors?: unknown[] }
  return {
    type,
    message,
    stack,
    ...(typeof code === 'string' || typeof code === 'number' ? { code } : {}),
    // a name with several addresses has one error for each
    ...(error instanceof AggregateError ? { errors: errors.map((one) => (one as Error)?.message) } : {}),
  }
}

/** Replaces all secrets in a text. */
export function redact(secrets: readonly string[], text: string): string {
  return secrets.reduce((shown, secret) => shown.replaceAll(secret, replacement), text)
}
