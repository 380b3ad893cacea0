/** Settings that are valid, and may still not be what was meant; and what runs by them now. */
import { createServer } from 'node:net'
import type { Config } from '../../config/load.ts'
import { type Finding, note, ok, wrong } from './finding.ts'

const oldestNode = [20, 19] as const
const answersWithin = 3_000

export async function* examineSettings(config: Config): AsyncGenerator<Finding> {
  yield nodeFinding(process.versions.node)
  for (const warning of config.warnings) yield note('settings', warning, 'Correct the name, or remove the variable.')
  const local = ['127.0.0.1', '::1', 'localhost'].includes(config.host)
  if (!local && config.publicUrl.startsWith('http://')) {
    yield note(
      'HOST',
      `it listens on ${config.host}, and keys come to it without encryption`,
      'Put a proxy with TLS in front, and its address into PRECEDENT_PUBLIC_URL (https://…).',
    )
  } else yield ok('HOST', local ? 'only this machine reaches it' : `${config.publicUrl} is what callers are shown`)
  if (config.bootstrapKey !== undefined) {
    yield note(
      'PRECEDENT_BOOTSTRAP_KEY',
      'it is set; the first start alone uses it',
      'Remove it from the settings once the service has started: it opens everything.',
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

/** A service that answers there is asked how it is. */
async function portFinding({ host, port }: Config): Promise<Finding> {
  if (port === 0) return ok('PORT', 'any free port')
  if (await isFree(port, host)) return ok('PORT', `${port} is free: no service runs there now`)
  const name = ['0.0.0.0', '::'].includes(host) ? '127.0.0.1' : host
  const address = `http://${name.includes(':') ? `[${name}]` : name}:${port}/readyz`
  const answer = await fetch(address, { signal: AbortSignal.timeout(answersWithin) }).catch(() => undefined)
  const readiness = (await answer?.json().catch(() => undefined)) as
    | { ready?: boolean; problems?: string[] }
    | undefined
  if (typeof readiness?.ready !== 'boolean') {
    return wrong('PORT', `something else than Precedent has ${port}`, 'End it, or set another PORT.')
  }
  const { ready, problems = [] } = readiness
  if (ready && problems.length === 0) return ok('PORT', `the service at ${port} is ready`)
  const found = `the service at ${port} is ${ready ? 'ready, but' : 'not ready'}: ${problems.join('; ')}`
  const remedy = 'docs/operations.md says of each what to do.'
  return ready ? note('PORT', found, remedy) : wrong('PORT', found, remedy)
}

function isFree(port: number, host: string): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, host, () => server.close(() => resolve(true)))
  })
}
