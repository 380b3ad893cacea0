/** How the command ends: its exit codes, and the one error that says what went wrong and what to do about it. */

export const exitCodes = {
  ok: 0,
  failed: 1,
  usage: 2,
  unreachable: 3,
  unauthorised: 4,
  interrupted: 130,
} as const
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes]

export const exitCodesHelp = `
Exit codes:
  0    all went well
  1    something failed or was refused
  2    the command was used wrongly
  3    the service can't be reached
  4    the key is missing, not in force, or lacks a scope
  130  interrupted`

/** Ends the command. `message` is one line for a person; `remedy` another one. */
export class Failure extends Error {
  readonly exit: ExitCode
  /** Stable; the code of the service's problem where there is one. */
  readonly code: string
  readonly remedy: string | undefined
  /** For --json: whatever else is known. */
  readonly details: Record<string, unknown>

  constructor(
    exit: keyof typeof exitCodes,
    code: string,
    message: string,
    more: { remedy?: string | undefined; details?: Record<string, unknown>; cause?: unknown } = {},
  ) {
    super(message, more.cause === undefined ? undefined : { cause: more.cause })
    this.name = 'Failure'
    this.exit = exitCodes[exit]
    this.code = code
    this.remedy = more.remedy
    this.details = more.details ?? {}
  }

  /** The same, with more to say. */
  with(more: { remedy?: string; details?: Record<string, unknown> }): Failure {
    const name = (Object.keys(exitCodes) as (keyof typeof exitCodes)[]).find((one) => exitCodes[one] === this.exit)
    return new Failure(name ?? 'failed', this.code, this.message, {
      remedy: more.remedy ?? this.remedy,
      details: { ...this.details, ...more.details },
      cause: this.cause,
    })
  }
}

export function usage(message: string, remedy?: string): Failure {
  return new Failure('usage', 'usage', message, { remedy })
}

export function interrupted(): Failure {
  return new Failure('interrupted', 'interrupted', 'Interrupted.')
}
