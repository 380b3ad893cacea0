/** The engines that all test files of a run share: each started when it is first asked for, ended with the run. */
import { inject } from 'vitest'
import type { EngineName } from './start-engine.ts'

/** `reason`: why there is none; what needs it is skipped. */
export type Engine = { url: string; reason?: never } | { url?: never; reason: string }

declare module 'vitest' {
  export interface ProvidedContext {
    /** Where engines.setup.ts answers. */
    engines: string
  }
}

const asked = new Map<EngineName, Promise<Engine>>()

/** What it holds is shared with other test files: use a database, key prefix or index of your own. */
export function sharedEngine(name: EngineName): Promise<Engine> {
  const known = asked.get(name) ?? ask(name)
  asked.set(name, known)
  return known
}

async function ask(name: EngineName): Promise<Engine> {
  const response = await fetch(`${inject('engines')}/${name}`)
  const engine = (await response.json()) as Engine
  if (engine.reason !== undefined) console.warn(`${name} is skipped: ${engine.reason}`)
  return engine
}
