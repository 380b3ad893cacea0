/** Processes of each kind on real servers. A test can harm the servers that are started for it alone. */

import { sharedEngine } from '../support/engines.ts'
import { newStore, scaledEngines } from '../support/profile.ts'
import { newDataDir, removeData, type Spawned, type Started, spawnService, startService } from '../support/service.ts'
import { type EngineName, missing, type StartedEngine, startEngine, whyNot } from '../support/start-engine.ts'

/** Why a cluster with these `own` servers can't be started; undefined: it can. */
export function missingFor(own: readonly EngineName[]): string | undefined {
  return [...scaledEngines.map(whyNot), ...own.map(missing)].find((reason) => reason !== undefined)
}

type Kind = 'web' | 'apply' | 'index' | 'code' | 'maintain'

const variables: Record<EngineName, string> = {
  mongodb: 'MONGODB_URL',
  redis: 'REDIS_URL',
  elasticsearch: 'ELASTICSEARCH_URL',
}

export interface Cluster {
  webs: Started[]
  /** The processes of a kind, in the order of their start. */
  of(kind: Kind): Started[]
  /** Starts another process. `env` overrides settings of the store. */
  start(kind: Kind, env?: Record<string, string>): Promise<Started>
  /** Does not wait until it is ready. */
  spawn(kind: Kind, env?: Record<string, string>): Promise<Spawned>
  /** A server of this test alone. */
  engine(name: EngineName): StartedEngine
  /** The settings of the store. */
  env: Record<string, string>
  close(): Promise<void>
}

/**
 * `own`: servers for this test alone; the others are shared with other tests. Starts all processes at once. `settings`: of
 * all of them.
 */
export async function startCluster(
  own: readonly EngineName[],
  kinds: readonly Kind[],
  settings: Record<string, string> = {},
): Promise<Cluster> {
  const engines = new Map<EngineName, StartedEngine>()
  for (const name of own) engines.set(name, await startEngine(name))
  // starts shared servers
  for (const name of scaledEngines) if (!engines.has(name)) await sharedEngine(name)
  const store = await newStore('scaled')
  const env: Record<string, string> = { ...store.env, ...settings }
  for (const [name, { url }] of engines) env[variables[name]] = name === 'mongodb' ? `${url}/faults` : url
  const dataDir = newDataDir()
  const processes: { kind: Kind; process: Started }[] = []
  const spawned: Spawned[] = []
  const optionsOf = (kind: Kind, more: Record<string, string>) => ({
    kind,
    dataDir,
    env: { ...env, PRECEDENT_HEALTH_PORT: '0', ...more },
  })

  async function start(kind: Kind, more: Record<string, string> = {}): Promise<Started> {
    const process = await startService(optionsOf(kind, more))
    processes.push({ kind, process })
    return process
  }
  const of = (kind: Kind) => processes.filter((one) => one.kind === kind).map((one) => one.process)

  const begun = await Promise.all(kinds.map((kind) => startService(optionsOf(kind, {}))))
  processes.push(...kinds.map((kind, at) => ({ kind, process: begun[at] as Started })))
  return {
    webs: of('web'),
    of,
    start,
    async spawn(kind, more = {}) {
      const process = await spawnService(optionsOf(kind, more))
      spawned.push(process)
      return process
    },
    engine: (name) => engines.get(name) as StartedEngine,
    env,
    async close() {
      await Promise.all([...processes.map(({ process }) => process), ...spawned].map((process) => process.kill()))
      await store.drop()
      await Promise.all([...engines.values()].map((engine) => engine.remove()))
      await removeData(dataDir)
    },
  }
}
