/**
 * What /readyz says about an engine in trouble, by kind. It needs no key, so these texts contain no hosts, users, files or
 * messages of a driver. Those are in the message of the error, which is for the log and `precedent doctor`.
 */
export const troubles = {
  unreachable: 'unreachable',
  closed: 'closed',
  busy: 'too busy to answer in time',
  failing: 'failing',
  damaged: 'its file or disk is damaged',
  full: 'its disk or memory is full',
  read_only: 'read-only',
  refused: 'refuses the user, password or key of the service',
  forbidden: 'the user or key of the service lacks a privilege',
  not_primary: 'the replica set has no primary',
  evicting: 'may evict jobs: set maxmemory-policy to noeviction',
  index_lost: 'an index is missing',
  index_version: 'an index is of another version of the service',
  shard_lost: 'health is red: a primary shard is missing',
} as const
export type Trouble = keyof typeof troubles

/** An engine is unreachable, full, read-only or too slow. Callers get 503; jobs are retried. */
export class EngineUnavailable extends Error {
  readonly engine: string
  readonly trouble: Trouble
  constructor(engine: string, reason: string, cause?: unknown, trouble: Trouble = 'unreachable') {
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

/** A model behind an endpoint can't be used now. Search and comparing go on without it. */
export class ModelUnavailable extends Error {
  /** ms. Set if the model is healthy but asks for fewer calls; undefined: any other failure. */
  readonly askAgainIn: number | undefined

  constructor(reason: string, { cause, askAgainIn }: { cause?: unknown; askAgainIn?: number } = {}) {
    super(reason, cause === undefined ? undefined : { cause })
    this.askAgainIn = askAgainIn
  }
}
