/** Wraps the ports to count failures of their engines. Calls and results are unchanged. */
import type { Documents } from '../ports/documents.ts'
import type { Queue } from '../ports/queue.ts'
import type { SearchEngine } from '../ports/search.ts'
import { EngineUnavailable } from '../ports/unavailable.ts'

export interface Engines {
  documents: Documents
  queue: Queue
  search: SearchEngine
}

/** `failed` is called with the name of the engine for each call that fails because it is unavailable. */
export function countFailures<P extends Engines>(ports: P, failed: (engine: string) => void): P {
  const listen = (error: unknown) => {
    if (error instanceof EngineUnavailable) failed(error.engine)
  }
  return {
    ...ports,
    documents: wrapped(ports.documents, listen),
    queue: wrapped(ports.queue, listen),
    search: wrapped(ports.search, listen),
  }
}

function wrapped<T extends object>(port: T, listen: (error: unknown) => void): T {
  const methods = Object.entries(port).map(([name, method]) => {
    if (typeof method !== 'function') return [name, method]
    const listening = (...all: unknown[]) => {
      const answer = method.apply(port, all) as unknown
      // the caller gets the same promise and handles the error
      if (answer instanceof Promise) answer.then(undefined, listen)
      return answer
    }
    return [name, listening]
  })
  return Object.fromEntries(methods) as T
}
