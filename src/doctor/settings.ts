/** Checks settings that are valid but may be unintended, and whether a service already runs with them. */
import { createServer } from 'node:net'
import { urlOf } from '../../config/address.ts'
import type { Config } from '../../config/load.ts'
import { type Finding, note, ok, wrong } from './finding.ts'

const oldestNode = [20, 19] as const
/** ms. */
const answersWithin = 3_000

export async function* examineSettings(config: Config): AsyncGenerator<Finding> {
  yield nodeFinding(process.versions.node)
  for (const warning of config.warnings) yield note('settings', warning, 'Correct the name, or remove the variable.')
  const local = ['127.0.0.1', '::1', 'localhost'].includes(config.host)
  if (!local && config.publicUrl.startsWith('http://')) {
    yield note(
      'HOST',
      `the service listens on ${config.host}, and clients send their keys without encryption`,
      'Put a proxy with TLS in front of it, and set PRECEDENT_PUBLIC_URL to the address of the proxy (https://…).',
    )
  } else
    yield ok(
      'HOST',
      local ? 'only this machine can reach the service' : `the service tells callers its address ${config.publicUrl}`,
    )
  if (config.bootstrapKey !== undefined) {
    yield note(
      'PRECEDENT_BOOTSTRAP_KEY',
      'it is set, but only the first start uses it',
      'Remove it from the settings after the first start: this key gives full access.',
    )
  }
  yield await portFinding(config)
}

function nodeFinding(version: string): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const isOld = major < oldestNode[0] || (major === oldestNode[0] && minor < oldestNode[1])
  if (!isOld) return ok('Node', `version ${version}`)
  return wrong('Node', `version ${version} is too old`, `Install ${oldestNode.join('.')} or newer.`)
}

/** If the port is in use, asks whether a service answers there and is ready. */
async function portFinding({ host, port }: Config): Promise<Finding> {
  if (port === 0) return ok('PORT', 'the service takes any free port')
  if (await isFree(port, host)) return ok('PORT', `${port} is free; no service is running there now`)
  const answer = await fetch(`${urlOf(host, port)}/readyz`, { signal: AbortSignal.timeout(answersWithin) }).catch(
    () => undefined,
  )
  const readiness = (await answer?.json().catch(() => undefined)) as
    | { ready?: boolean; problems?: string[] }
    | undefined
  if (typeof readiness?.ready !== 'boolean') {
    return wrong('PORT', `another program is using ${port}`, 'Stop this program, or set another PORT.')
  }
  const { ready, problems = [] } = readiness
  if (ready && problems.length === 0) return ok('PORT', `the service on ${port} is ready`)
  const found = `the service on ${port} is ${ready ? 'ready, but has problems' : 'not ready'}: ${problems.join('; ')}`
  const remedy = 'See “What to do when” in docs/operations.md.'
  return ready ? note('PORT', found, remedy) : wrong('PORT', found, remedy)
}

function isFree(port: number, host: string): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, host, () => server.close(() => resolve(true)))
  })
}
