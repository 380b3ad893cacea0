/** Ports that tell how often their engine failed. What was asked and answered passes through as it is. */
import type { Documents } from '../ports/documents.ts'
import type { Queue } from '../ports/queue.ts'
import type { SearchEngine } from '../ports/search.ts'
import { EngineUnavailable } from '../ports/unavailable.ts'

export interface Engines {
  documents: Documents
  queue: Queue
  search: SearchEngine
}

/** `failed` hears the name of the engine, once for each call that it failed. */
export function heard<P extends Engines>(ports: P, failed: (engine: string) => void): P {
  const listen = (error: unknown) => {
    if (error instanceof EngineUnavailable) failed(error.engine)
  }
  return {
    ...ports,
    documents: around(ports.documents, listen),
    queue: around(ports.queue, listen),
    search: around(ports.search, listen),
  }
}

function around<T extends object>(port: T, listen: (error: unknown) => void): T {
  const methods = Object.entries(port).map(([name, method]) => {
    if (typeof method !== 'function') return [name, method]
    const listening = (...all: unknown[]) => {
      const answer = method.apply(port, all) as unknown
      // beside the caller, who gets the same promise
      if (answer instanceof Promise) answer.then(undefined, listen)
      return answer
    }
    return [name, listening]
  })
  return Object.fromEntries(methods) as T
}
