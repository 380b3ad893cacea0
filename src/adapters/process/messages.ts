/** What a worker and its guard tell each other, session by session. frames.ts puts it into bytes. */
import type { Ending, Line } from '../../ports/executor.ts'

export type ToGuard =
  | StartMessage
  | { type: 'extend'; until: number }
  | { type: 'end' }
  /** The worker has read so many bytes of output: the guard may send as many more. */
  | { type: 'credit'; bytes: number }

export interface StartMessage {
  type: 'start'
  /** Of the session. */
  id: string
  /** Of the program. */
  path: string
  /** The name of the program, as the operator wrote it, and its arguments. */
  command: readonly [string, ...string[]]
  directory: { path: string } | { temporaryIn: string }
  environment: Readonly<Record<string, string>>
  /** For standard input. */
  input: string
  /** An instant of machineMs. */
  until: number
  timeLimitMs: number
}

export type FromGuard =
  /** The guard has started. Not about a session: its number is 0. */
  | { type: 'ready' }
  /** `group`: of processes. It is also the id of the first one. */
  | { type: 'started'; group: number }
  /** No more lines follow. */
  | { type: 'output_ended' }
  | { type: 'ended'; ending: Ending }

/** ms of a monotonic clock that all processes of the machine share. */
export function machineMs(): number {
  return Number(process.hrtime.bigint()) / 1e6
}

/** Output that may be under way, or wait in the worker for a reader: bytes of one session. */
export const outputWindow = 256 * 1024

/** What a piece of output counts for: many small pieces need more memory than their bytes. */
export function costOf(output: Uint8Array): number {
  return output.length + 256
}

export type Source = Line['from']
