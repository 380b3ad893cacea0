/**
 * Carries one frame to the MCP endpoint of a service, and writes what the service answers. Every request in the frame
 * gets an answer: that of the service, or an error that says what to do.
 *
 * If a connection breaks, the service may have carried out the request. Where the route allows it, the request is still
 * sent again: reads change nothing, the service recognises repeated writes that would make a second record for 10 minutes
 * (`repeatsFor` in mcp/tools), and other writes repeat harmlessly or fail with a conflict.
 */
import { retryAfterOf } from '../../ports/back-off.ts'
import { type Answer, failureOf, refusal, unreachable } from '../client/refusals.ts'
import { Failure } from '../terminal/failure.ts'
import { ConnectionLost, sender, type Target } from './exchange.ts'
import { type Frame, isObject, type RequestId, type RpcError } from './frame.ts'

/** The way to the service. */
export interface Route {
  /** The address of the service, in messages. */
  where: string
  /** Waits until the service can be called. Rejects with Failure if it can't. */
  target(): Promise<Target>
  /** Whether to send a request again after its connection was lost. `attempt`: how often it was sent. */
  mayRepeat(lost: ConnectionLost, attempt: number): boolean
}

export interface Carrier {
  /** Resolves when the frame is answered, or its signal is aborted. Never rejects. */
  carry(frame: Frame, signal: AbortSignal): Promise<void>
  close(): void
}

/** JSON-RPC leaves this code to servers. `data.code` tells the errors apart. */
const serverError = -32_000
/** ms. The longest pause that a message tells. */
const longestPause = 3_600_000

/** `write` takes one line of JSON; `note` a line for people. */
export function carrier(route: Route, write: (line: string) => void, note: (text: string) => void): Carrier {
  const http = sender()
  /** The version that `initialize` chose. Clients of protocol 2026-07-28 send theirs with each request. */
  let version: string | undefined

  async function sent(frame: Frame, signal: AbortSignal, onMessage: (line: string) => void) {
    for (let attempt = 1; ; attempt++) {
      const target = await route.target()
      const chosen = version === undefined || frame.method === 'initialize' ? {} : { 'mcp-protocol-version': version }
      try {
        return await http.send(frame, { ...chosen, ...frame.headers }, { target, signal, onMessage })
      } catch (error) {
        if (signal.aborted || !(error instanceof ConnectionLost)) throw error
        if (!route.mayRepeat(error, attempt)) throw failureOf(unreachable(route.where, error.cause, error.timedOut))
      }
    }
  }

  /** Writes a line of the service if it is JSON-RPC. Returns the ids of the requests that it answers. */
  function pass(line: string, frame: Frame): RequestId[] {
    const value = parsed(line)
    const messages: unknown[] = Array.isArray(value) ? value : [value]
    if (!messages.every(isRpc)) return []
    if (isRpc(value) && value.id === null && frame.ids.length > 0) {
      // an error for a whole frame: it answers every request in it
      const answers = frame.ids.map((id) => ({ ...value, id }))
      write(JSON.stringify(frame.isBatch ? answers : answers[0]))
      return [...frame.ids]
    }
    if (frame.method === 'initialize') version = versionIn(value) ?? version
    write(line)
    return messages.filter(({ method }) => method === undefined).map(({ id }) => id as RequestId)
  }

  function refuse(frame: Frame, due: ReadonlySet<RequestId>, error: RpcError): void {
    if (frame.ids.length === 0) note(`precedent: a message of the client was not delivered: ${error.message}`)
    const errors = [...due].map((id) => ({ jsonrpc: '2.0', id, error }))
    if (errors.length > 0) write(JSON.stringify(frame.isBatch ? errors : errors[0]))
  }

  return {
    async carry(frame, signal) {
      const due = new Set(frame.ids)
      try {
        const answer = await sent(frame, signal, (line) => {
          if (!signal.aborted) for (const id of pass(line, frame)) due.delete(id)
        })
        if (signal.aborted) return
        if (answer) refuse(frame, due, errorOf(refused(answer, route.where), answer))
        else if (due.size > 0)
          refuse(frame, due, {
            code: serverError,
            message: `The service at ${route.where} did not answer this request.`,
          })
      } catch (error) {
        if (!signal.aborted) refuse(frame, due, errorOf(error))
      }
    },
    close: () => http.close(),
  }
}

/** A Failure, for an answer without JSON-RPC. */
function refused(answer: Answer, where: string): unknown {
  if (answer.ok || answer.status === 404) {
    const message = answer.ok
      ? `The answer of ${where} (status ${answer.status}) is not JSON-RPC.`
      : `There is no MCP endpoint at ${where}.`
    return new Failure('failed', 'not_mcp', message, {
      remedy: 'Check that PRECEDENT_URL is the address of a Precedent service of at least this version.',
    })
  }
  return failureOf(refusal(answer, where))
}

function errorOf(error: unknown, answer?: Answer): RpcError {
  if (!(error instanceof Failure)) return { code: serverError, message: (error as Error).message }
  const { message, remedy, code, details } = error
  const pause = retryAfterOf(answer?.retryAfter ?? null, { least: 1_000, most: longestPause })
  const again = pause === undefined ? undefined : `Try again in ${Math.ceil(pause / 1000)} s.`
  const problem = answer === undefined ? undefined : parsed(answer.text)
  const sentences = [message, remedy, again].filter((sentence) => sentence !== undefined)
  return {
    code: serverError,
    message: sentences.join(' '),
    data: isObject(problem) ? problem : { code, ...details },
  }
}

/** undefined: it is not JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function isRpc(value: unknown): value is { jsonrpc: '2.0'; id?: unknown; method?: unknown } {
  return isObject(value) && value.jsonrpc === '2.0'
}

/** The version in the result of `initialize`. */
function versionIn(message: unknown): string | undefined {
  const result = isObject(message) && isObject(message.result) ? message.result : {}
  return typeof result.protocolVersion === 'string' ? result.protocolVersion : undefined
}
