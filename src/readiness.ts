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

/** `issues`: problems that no engine has caused. Asked only while the store and the search engine answer. */
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
    // they need both engines, and an orchestrator does not wait until an engine that hangs has been asked twice
    const others = store || index ? [] : [...((await vectors?.missing()) ?? []), ...(await issues())]
    return { ready: store === undefined, engines, problems: [...wrong, ...others] }
  }
}
