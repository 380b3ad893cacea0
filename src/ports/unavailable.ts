/** An engine behind a port is away, full, read-only or too slow. Callers get 503; jobs are tried again. */
export class EngineUnavailable extends Error {
  readonly engine: string
  constructor(engine: string, reason: string, cause?: unknown) {
    super(`${engine}: ${reason}`, cause === undefined ? undefined : { cause })
    this.name = 'EngineUnavailable'
    this.engine = engine
  }
}
