/**
 * Whether the service can do its work, for /readyz, which anybody may ask: which engines are in trouble, and of what
 * kind. What their drivers say names hosts, users and files: that goes to the log, once for each change.
 */
import type { Ports } from './engines.ts'
import type { Readiness } from './http/api.ts'
import type { Vectors } from './journal/vectors.ts'
import type { EngineUnavailable } from './ports/unavailable.ts'

export interface ReadinessLog {
  warn(fields: object, message: string): void
  info(fields: object, message: string): void
}

type Asked = Pick<Ports, 'documents' | 'queue' | 'search'>

/** `issues`: what is wrong beside the engines. */
export function readinessOf(
  { documents, queue, search }: Asked,
  vectors: Vectors | undefined,
  log: ReadinessLog,
  issues: () => Promise<string[]>,
): () => Promise<Readiness> {
  const logged = new Map<string, string>()

  /** What anybody may know of it; null: the engine is well. */
  function told(port: string, fault: EngineUnavailable | undefined): string | null {
    const before = logged.get(port)
    if (fault === undefined) {
      if (logged.delete(port)) log.info({ port }, 'the engine is well again')
      return null
    }
    logged.set(port, fault.message)
    if (before !== fault.message) log.warn({ port, engine: fault.engine, why: fault.message }, 'an engine is not well')
    return fault.shown
  }

  return async () => {
    const [store, jobs, index] = await Promise.all([documents.health(), queue.health(), search.health()])
    const engines: Readiness['engines'] = {
      documents: told('documents', store),
      queue: told('queue', jobs),
      search: told('search', index),
      ...(vectors ? { embedder: vectors.fault() ?? null } : {}),
    }
    const wrong = Object.entries(engines).flatMap(([port, what]) => (what === null ? [] : [`${port}: ${what}`]))
    const missing = (await vectors?.missing()) ?? []
    return { ready: store === undefined, engines, problems: [...wrong, ...missing, ...(await issues())] }
  }
}
