/**
 * Runs once for the whole test run, in its own process. It starts the engines that test files ask for, and stops them
 * at the end. PRECEDENT_TEST_MONGODB_URL, _REDIS_URL and _ELASTICSEARCH_URL name running engines to use instead; these
 * are not stopped. PRECEDENT_TEST_ENGINES_USED names a file that lists the engines used.
 */
import { appendFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestProject } from 'vitest/node'
import type { Engine } from './engines.ts'
import { type EngineName, engineNames, runningUrl, type StartedEngine, startEngine } from './start-engine.ts'

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
    // including engines that are still starting
    await Promise.all(engines.values())
    await Promise.all(started.map((engine) => engine.remove()))
    for (const [name, engine] of engines) report(name, await engine)
  }
}

function report(name: EngineName, { reason }: Engine): void {
  if (reason !== undefined) return
  console.log(`engine ${name}: used`)
  const file = process.env.PRECEDENT_TEST_ENGINES_USED
  if (file !== undefined) appendFileSync(file, `${name}\n`)
}

async function engineOf(name: EngineName, started: StartedEngine[]): Promise<Engine> {
  const url = runningUrl(name)
  if (url !== undefined) return { url }
  try {
    const engine = await startEngine(name)
    started.push(engine)
    return { url: engine.url }
  } catch (error) {
    return { reason: (error as Error).message }
  }
}
