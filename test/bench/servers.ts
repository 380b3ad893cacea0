/** Starts empty servers for measurements of the scaled profile, and removes them afterwards. */
import { type EngineName, missing, type StartedEngine, startEngine } from '../support/start-engine.ts'

/** Why the servers cannot be started. undefined: they can be. */
export function whyNone(names: readonly EngineName[]): string | undefined {
  return names.map(missing).find((reason) => reason !== undefined)
}

export async function withServers<T>(
  names: readonly EngineName[],
  work: (urls: Record<EngineName, string>) => Promise<T>,
): Promise<T> {
  const started: StartedEngine[] = []
  try {
    const urls = {} as Record<EngineName, string>
    for (const name of names) {
      const server = await startEngine(name)
      started.push(server)
      urls[name] = server.url
    }
    return await work(urls)
  } finally {
    for (const server of started) await server.remove()
  }
}
