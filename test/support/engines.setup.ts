/**
 * Runs once for a whole test run, in a process of its own: starts the engines that test files ask for (a run that asks
 * for none starts none), and ends them. PRECEDENT_TEST_MONGODB_URL, _REDIS_URL and _ELASTICSEARCH_URL name engines that
 * run already; those are left as they are.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestProject } from 'vitest/node'
import type { Engine } from './engines.ts'
import { type EngineName, engineNames, type StartedEngine, startEngine } from './start-engine.ts'

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const started: StartedEngine[] = []
  const engines = new Map<EngineName, Promise<Engine>>()

  const server = createServer(async (request, response) => {
    const name = engineNames.find((one) => request.url === `/${one}`)
    if (name === undefined) return void response.writeHead(404).end()
    const engine = engines.get(name) ?? engineOf(name, started)
    engines.set(name, engine)
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(await engine))
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  project.provide('engines', `http://127.0.0.1:${(server.address() as AddressInfo).port}`)

  return async () => {
    server.closeAllConnections()
    server.close()
    // one that is still starting, too
    await Promise.all(engines.values())
    await Promise.all(started.map((engine) => engine.remove()))
    for (const [name, engine] of engines) {
      const { reason } = await engine
      console.log(`engine ${name}: ${reason === undefined ? 'used' : `skipped, ${reason}`}`)
    }
  }
}

async function engineOf(name: EngineName, started: StartedEngine[]): Promise<Engine> {
  const url = process.env[`PRECEDENT_TEST_${name.toUpperCase()}_URL`]
  if (url !== undefined) return { url }
  try {
    const engine = await startEngine(name)
    started.push(engine)
    return { url: engine.url }
  } catch (error) {
    return { reason: (error as Error).message }
  }
}
