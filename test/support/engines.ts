/** The engines that all test files share. Each is started at its first use and stopped at the end of the run. */
import { inject } from 'vitest'
import type { EngineName } from './start-engine.ts'

/** `reason`: why the engine is missing. Tests that need it are skipped. */
export type Engine = { url: string; reason?: never } | { url?: never; reason: string }

declare module 'vitest' {
  export interface ProvidedContext {
    /** The url of engines.setup.ts. */
    engines: string
  }
}

const asked = new Map<EngineName, Promise<Engine>>()

/** Other test files use the engine too: use your own database, key prefix or index. */
export function sharedEngine(name: EngineName): Promise<Engine> {
  const known = asked.get(name) ?? ask(name)
  asked.set(name, known)
  return known
}

async function ask(name: EngineName): Promise<Engine> {
  const response = await fetch(`${inject('engines')}/${name}`)
  const engine = (await response.json()) as Engine
  return engine
}
