/** Structured logs on standard error: a JSON object of at most 2 KB on each line. A terminal gets readable text. */
import { type DestinationStream, destination, type Logger, pino } from 'pino'
import { EngineUnavailable } from '../ports/unavailable.ts'
import { shortLine } from './log-line.ts'
import { prettyOn } from './log-pretty.ts'

/** Replaces secrets. */
const replacement = '***'

/** `secrets` are redacted in every line. For example, an engine's client may put its url into an error. */
export function logger(
  level: string,
  secrets: readonly string[] = [],
  to: DestinationStream = standardError(),
): Logger {
  const hidden = [...new Set(secrets.flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1)]))]
  const streamWrite = (line: string) => shortLine(redact(hidden, line))
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: serializedError },
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

/**
 * Only the type, message and stack of an error: drivers attach whole requests and documents to their errors. An engine
 * that is unavailable is no fault of the code, so its error has no stack.
 */
export function serializedError(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const { type, stack } = pino.stdSerializers.err(error)
  const { code, errors = [] } = error as { code?: unknown; errors?: unknown[] }
  return {
    type,
    message: messageWithCauses(error),
    ...(error instanceof EngineUnavailable ? {} : { stack }),
    ...(typeof code === 'string' || typeof code === 'number' ? { code } : {}),
    // a name with several addresses has one error for each
    ...(error instanceof AggregateError ? { errors: errors.map((one) => (one as Error)?.message) } : {}),
  }
}

/** Most causes that one message names. */
const mostCauses = 5

/** Adds the messages of the causes. Many errors already contain the message of their cause. */
function messageWithCauses(error: Error): string {
  let { message, cause } = error
  for (let added = 0; cause instanceof Error && added < mostCauses; added++) {
    if (!message.includes(cause.message)) message += `: ${cause.message}`
    cause = cause.cause
  }
  return message
}

/** Replaces all secrets in a text. */
export function redact(secrets: readonly string[], text: string): string {
  return secrets.reduce((shown, secret) => shown.replaceAll(secret, replacement), text)
}
