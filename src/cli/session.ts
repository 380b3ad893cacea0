/** What a verb has at hand: the terminal, the service, where state is kept, and the signal that ends it. */
import type { CliSettings } from '../../config/cli.ts'
import { type Client, createClient, type Patience, shortPatience } from './client.ts'
import type { ExitCode } from './failure.ts'
import type { Terminal } from './terminal.ts'

export interface Session {
  terminal: Terminal
  settings: CliSettings
  /** Aborted by Ctrl-C: work ends where it can be taken up again. */
  signal: AbortSignal
  client(patience?: Patience, waits?: (reason: string, delay: number) => void): Client
}

/** The action of a command of commander: arguments, then options. What it resolves with is the exit code. */
export type Act = <Arguments extends unknown[]>(
  verb: (session: Session, ...args: Arguments) => Promise<ExitCode>,
) => (...args: Arguments) => Promise<void>

export function sessionOf(terminal: Terminal, settings: CliSettings, signal: AbortSignal): Session {
  return {
    terminal,
    settings,
    signal,
    client: (patience = shortPatience, waits) =>
      createClient({ url: settings.url, apiKey: settings.apiKey, signal, patience, ...(waits ? { waits } : {}) }),
  }
}
