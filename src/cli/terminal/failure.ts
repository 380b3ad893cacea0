/** The exit codes, and the error that ends the command with a message and a remedy. */

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
  0    success
  1    something failed or was refused
  2    wrong usage of the command
  3    the service cannot be reached
  4    the key is missing, not valid, or lacks a scope
  130  interrupted`

/** Ends the command. `message` and `remedy` are one line each, for a person. */
export class Failure extends Error {
  readonly exit: ExitCode
  /** Stable. If the service answered with a problem, its code. */
  readonly code: string
  readonly remedy: string | undefined
  /** More fields for --json. */
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

  /** A copy with another message or remedy, or more details. */
  with(more: { message?: string; remedy?: string; details?: Record<string, unknown> }): Failure {
    const name = (Object.keys(exitCodes) as (keyof typeof exitCodes)[]).find((one) => exitCodes[one] === this.exit)
    return new Failure(name ?? 'failed', this.code, more.message ?? this.message, {
      remedy: more.remedy ?? this.remedy,
      details: { ...this.details, ...more.details },
      cause: this.cause,
    })
  }
}

export function usage(message: string, remedy?: string): Failure {
  return new Failure('usage', 'usage', message, { remedy })
}

/** For an error of the file system while `file` was written. */
export function notWritten(file: string, error: NodeJS.ErrnoException): Failure {
  const reason = fileErrors[error.code ?? ''] ?? error.message
  return new Failure('failed', 'not_written', `${file} can't be written: ${reason}.`, { cause: error })
}

const fileErrors: Readonly<Record<string, string>> = {
  ENOENT: 'its folder does not exist',
  EACCES: 'permission denied',
  ENOSPC: 'the disk is full',
}

export function interrupted(): Failure {
  return new Failure('interrupted', 'interrupted', 'Interrupted.')
}
