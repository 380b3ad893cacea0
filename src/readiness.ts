/**
 * Checks for /readyz whether the service can work, and which engines have which kind of trouble. /readyz is public, so
 * messages of drivers, which name hosts, users and files, go to the log only, once for each change.
 */

import type { Vectors } from './embedding/vectors.ts'
import type { Ports } from './engines.ts'
import type { Readiness } from './http/base/api.ts'
import type { EngineUnavailable } from './ports/unavailable.ts'

export interface ReadinessLog {
  warn(fields: object, message: string): void
  info(fields: object, message: string): void
}

type Asked = Pick<Ports, 'documents' | 'queue' | 'search'>

/** `issues`: problems that no engine has caused. */
export function readinessOf(
  { documents, queue, search }: Asked,
  vectors: Vectors | undefined,
  log: ReadinessLog,
  issues: () => Promise<string[]>,
): () => Promise<Readiness> {
  const logged = new Map<string, string>()

  /** The public message of the fault; null: no fault. Logs each change. */
  function publicFault(port: string, fault: EngineUnavailable | undefined): string | null {
    const before = logged.get(port)
    if (fault === undefined) {
      if (logged.delete(port)) log.info({ port }, 'engine available again')
      return null
    }
    logged.set(port, fault.message)
    if (before !== fault.message) log.warn({ port, engine: fault.engine, why: fault.message }, 'engine unavailable')
    return fault.shown
  }

  return async () => {
    const [store, jobs, index] = await Promise.all([documents.health(), queue.health(), search.health()])
    const engines: Readiness['engines'] = {
      documents: publicFault('documents', store),
      queue: publicFault('queue', jobs),
      search: publicFault('search', index),
      ...(vectors ? { embedder: vectors.fault() ?? null } : {}),
    }
    const wrong = Object.entries(engines).flatMap(([port, what]) => (what === null ? [] : [`${port}: ${what}`]))
    const missing = (await vectors?.missing()) ?? []
    return { ready: store === undefined, engines, problems: [...wrong, ...missing, ...(await issues())] }
  }
}
