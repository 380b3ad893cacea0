/**
 * The public description of each kind of engine trouble: /readyz needs no key. Hosts, users, files and texts of drivers
 * are only in the message of the error, which goes to the log and to `precedent doctor`.
 */
export const troubles = {
  away: 'away',
  closed: 'closed',
  busy: 'busy: it does not answer in time',
  failing: 'failing',
  damaged: 'its file or disk is damaged',
  full: 'its disk or memory is full',
  read_only: 'read-only',
  refused: 'refuses the credentials of the service',
  forbidden: 'refuses the service a right',
  not_primary: 'has no primary that takes writes',
  evicting: 'may throw wake-ups away: set maxmemory-policy to noeviction',
  index_lost: 'an index is missing',
  shard_lost: 'red: a primary shard of an index is missing',
} as const
export type Trouble = keyof typeof troubles

/** An engine behind a port is away, full, read-only or too slow. Callers get 503; jobs are retried. */
export class EngineUnavailable extends Error {
  readonly engine: string
  readonly trouble: Trouble
  constructor(engine: string, reason: string, cause?: unknown, trouble: Trouble = 'away') {
    super(`${engine}: ${reason}`, cause === undefined ? undefined : { cause })
    this.name = 'EngineUnavailable'
    this.engine = engine
    this.trouble = trouble
  }

  /** Public: the engine and its kind of trouble. */
  get shown(): string {
    return `${this.engine}: ${troubles[this.trouble]}`
  }
}

/** Turns an error of `health` into a fault. An EngineUnavailable is returned as it is. */
export function faultIn(engine: string, error: unknown): EngineUnavailable {
  if (error instanceof EngineUnavailable) return error
  return new EngineUnavailable(engine, error instanceof Error ? error.message : String(error), error, 'failing')
}
