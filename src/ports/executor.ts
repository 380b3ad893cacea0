/**
 * The executor port: carries out one phase of a run as a session. An executor is a program or a server of the operator.
 * What a caller wrote reaches it only inside `document`, never as an argument, a path or an environment variable.
 */
export interface Executor {
  /** Prepares a session. Nothing of the operator runs yet. Rejects if sessions can't be started on this machine. */
  open(session: { id: string; timeLimitMs: number }): Promise<ExecutorSession>

  /** Ends all sessions, and waits until nothing of them is left running. */
  close(): Promise<void>
}

export interface ExecutorSession {
  /**
   * Starts the command, or sends the request, unless `until` has come. Call it once.
   * `until`, an instant of `clock.elapsed()`: if nobody extends it, the session ends by itself then.
   */
  start(given: Given, until: number): void

  /** The lease was renewed: the session may go on until this instant. An earlier instant than before changes nothing. */
  extend(until: number): void

  /** Ends the session: a process gets SIGTERM, and after 10 s SIGKILL. May be called at any time, and again. */
  end(): void

  /**
   * What it prints, line by line, until the end. The executor is paused while nobody asks for the next line. Lines are
   * not searched for credentials yet.
   */
  readonly lines: AsyncIterable<Line>

  /**
   * Resolves once nothing of the session is left running, started or not. Never rejects. `lines` end at the same time,
   * or at most 2 s after its process has ended.
   */
  readonly ended: Promise<Ending>
}

export interface Given {
  /** What it has to do: one JSON document. */
  document: Readonly<Record<string, unknown>>
  /** The key with which it calls this service. */
  key: string
}

/** Bytes. What follows in a longer line is dropped. */
export const longestLine = 256 * 1024

export interface Line {
  /** Without its end. Bytes that are not UTF-8 are replaced. */
  text: string
  /** stderr is only output. On stdout, a line may be a message to this service. */
  from: 'stdout' | 'stderr'
  /** The rest of the line was dropped. */
  isCut: boolean
}

export type Ending =
  /** Exit code 0, or a whole response with a status of 2xx. The caller looks whether there was a plan or a result. */
  | { how: 'done' }
  /** The message is for people, and holds nothing that the executor printed. */
  | { how: 'failed'; exitCode: number | null; message: string }
  | { how: 'time_limit' }
  /** `until` has come: its worker was silent for too long. */
  | { how: 'lease_over' }
  /** end() was called, or it never started. */
  | { how: 'ended' }
