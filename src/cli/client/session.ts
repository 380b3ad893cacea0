/** What every command gets: its process, the terminal, the settings, a client of the service, and the signal that stops it. */
import type { CliSettings } from '../../../config/cli.ts'
import type { ExitCode } from '../terminal/failure.ts'
import type { Host } from '../terminal/host.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { type Client, createClient, interactiveRetries, type OnRetry, type RetryLimits } from './client.ts'

export interface Session {
  host: Host
  terminal: Terminal
  settings: CliSettings
  /** Aborted by Ctrl-C. A command then stops at a point from which it can be resumed. */
  signal: AbortSignal
  client(retries?: RetryLimits, onRetry?: OnRetry): Client
}

/**
 * Turns a command's function into an action of commander. The function gets the arguments, then the options, and
 * resolves with the exit code.
 */
export type Act = <Arguments extends unknown[]>(
  verb: (session: Session, ...args: Arguments) => Promise<ExitCode>,
) => (...args: Arguments) => Promise<void>

export function sessionOf(host: Host, terminal: Terminal, settings: CliSettings, signal: AbortSignal): Session {
  return {
    host,
    terminal,
    settings,
    signal,
    client: (retries = interactiveRetries, onRetry) =>
      createClient({ url: settings.url, apiKey: settings.apiKey, signal, retries, ...(onRetry ? { onRetry } : {}) }),
  }
}
