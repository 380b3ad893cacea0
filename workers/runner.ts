/** Runs a process of the service: opens the engines, starts the work, reports readiness, and stops cleanly. */
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { destination, type Logger } from 'pino'
import { isEveryAddress, urlOf } from '../config/address.ts'
import { areShared } from '../config/engines.ts'
import { type Config, load } from '../config/load.ts'
import { type ProcessKind, type Work, workOf } from '../config/processes.ts'
import { bootstrap, isIgnored } from '../src/access/bootstrap.ts'
import { systemClock as clock } from '../src/adapters/system-clock.ts'
import { openPorts, type Ports } from '../src/engines.ts'
import { limitsOf } from '../src/http/base/limits.ts'
import { allRoutes, workerRoutes } from '../src/http/routes.ts'
import { createServer, type WebServer } from '../src/http/server.ts'
import { startupGate } from '../src/http/startup-gate.ts'
import { assertRestored } from '../src/journal/maintenance/intact.ts'
import { logger, redact } from '../src/log/log.ts'
import { EngineUnavailable } from '../src/ports/unavailable.ts'
import { createService, type Service } from '../src/service.ts'
import { listenError } from './listen-error.ts'
import { listenLocally } from './local-socket.ts'

interface Kind extends Work {
  name: ProcessKind
  /** It may listen on a port. */
  port: boolean
}

export interface Running {
  /**
   * Resolves with the address once the process is ready, or with undefined if it was stopped before. Rejects if it
   * cannot start.
   */
  ready: Promise<{ url: string | undefined } | undefined>
  /**
   * Stops cleanly within the deadline: refuses new requests, answers the open ones, ends jobs, and closes the store.
   */
  stop(): Promise<void>
}

export interface RunOptions {
  /**
   * Whether to listen on a port. If false, the process serves only local programs of the same user, through the socket in
   * the data directory. It then makes no first key either, because nobody would see the key.
   */
  port?: boolean
}

/** ms between two attempts to reach an engine that is unavailable. */
const retryEvery = 2_000
/**
 * ms. If an engine is still unavailable after this time, a worker process exits, so that its supervisor notices. A web
 * process keeps trying, and reports the problem in /readyz.
 */
const givesUpAfter = 5 * 60_000

const ignoredKey =
  'PRECEDENT_BOOTSTRAP_KEY is ignored, because the store already has keys. ' +
  'Use one of these, or make a new admin key with `precedent keys recover`.'

/** Starts at once. While an engine is unavailable, the start is retried. Any other error rejects `ready`. */
export function run(name: ProcessKind, config: Config, { port = true }: RunOptions = {}): Running {
  const kind: Kind = { name, ...workOf(name), port }
  const log = logger(config.logLevel, config.secrets).child(kind.name === 'all' ? {} : { process: kind.name })
  for (const warning of config.warnings) log.warn(warning)
  const parts: Parts = {}
  const ending = new AbortController()
  const ready = start(kind, config, log, parts, ending.signal)
  // callers of `ready` handle the error; this avoids an unhandled rejection
  ready.catch(() => {})
  let stopped: Promise<void> | undefined
  return {
    ready,
    stop() {
      ending.abort()
      stopped ??= end(parts, ready, config, log)
      return stopped
    },
  }
}

/** If `module` was started as a program, runs it until a signal stops it. */
export function runAsProgram(module: string, kind: ProcessKind): void {
  if (!process.argv[1] || module !== pathToFileURL(process.argv[1]).href) return
  let secrets: readonly string[] = []
  const fail = (error: unknown) => {
    process.stderr.write(`precedent: ${redact(secrets, (error as Error)?.message ?? String(error))}\n`)
    process.exit(1)
  }
  try {
    const config = load(undefined, kind)
    secrets = config.secrets
    endOnFault(config)
    const running = run(kind, config)
    running.ready.catch(fail)
    endOnSignals(running)
  } catch (error) {
    fail(error)
  }
}

/** Logs an error that nothing handles as one line, and ends the process: its state is unknown, and a new one recovers. */
export function endOnFault({ logLevel, secrets }: Config): void {
  process.on('uncaughtException', (err) => {
    const to = destination({ fd: 2, sync: true })
    logger(logLevel, secrets, to).fatal({ err }, 'the process ends because of an error that nothing handled')
    process.exit(1)
  })
}

function endOnSignals(running: Running): void {
  let signals = 0
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      signals += 1
      // a second signal ends the process at once
      if (signals > 1) process.exit(1)
      running.stop().then(
        () => process.exit(0),
        () => process.exit(1),
      )
    })
  }
}

/** What has been opened so far, and must be closed. */
interface Parts {
  server?: WebServer
  service?: Service
  ports?: Ports
  /** The secret of the first key, if this process has made it and not yet printed it. */
  secret?: string
}

async function start(kind: Kind, config: Config, log: Logger, parts: Parts, ending: AbortSignal) {
  // listens first: with PORT=0, the port is known only then, and the URLs of the service contain it
  let publicUrl = config.publicUrl
  const gate = startupGate(() => publicUrl)
  const url = await listen(kind, config, gate.api, log, parts)
  if (kind.web && kind.port && parts.server) publicUrl = withBoundPort(publicUrl, parts.server.port())
  const since = Date.now()
  const open = async () => {
    try {
      return await openService(kind, { ...config, publicUrl }, log, parts)
    } catch (error) {
      if (!(error instanceof EngineUnavailable)) throw error
      if (!kind.web && Date.now() - since > givesUpAfter) throw error
      gate.explain(error.shown)
      log.warn({ engine: error.engine, why: error.message }, `engine unavailable; retrying in ${retryEvery / 1000} s`)
      return undefined
    }
  }
  let service = ending.aborted ? undefined : await open()
  while (service === undefined && !ending.aborted) {
    await sleep(retryEvery, undefined, { signal: ending }).catch(() => {})
    if (!ending.aborted) service = await open()
  }
  if (service === undefined || ending.aborted) return undefined
  gate.open(service.api)
  service.work(kind.workers)
  if (kind.name === 'all' && parts.server && !areShared(config.engines)) {
    await listenLocally(parts.server, config.dataDir, kind.port ? log : undefined)
  }
  const everywhere = url !== undefined && isEveryAddress(config.host)
  if (parts.secret !== undefined) announce(url, everywhere, parts.secret)
  const where = { url, ...(everywhere ? { listens: 'on all addresses of this machine' } : {}) }
  log.info({ ...where, ...(areShared(config.engines) ? {} : { data: config.dataDir }) }, 'precedent is ready')
  return { url }
}

/** PORT=0 lets the system choose the port. Nobody could call a URL with port 0. */
function withBoundPort(publicUrl: string, port: number): string {
  return publicUrl.replace(/:0$/, `:${port}`)
}

async function openService(kind: Kind, config: Config, log: Logger, parts: Parts): Promise<Service> {
  const ports = await openPorts(config, log, clock, kind.port ? 'service' : 'stand-in')
  try {
    if (kind.web) {
      const { documents } = ports
      const { workspaceType, bootstrapKey: secret } = config
      // before the first write: refuse a store whose restore did not finish
      await assertRestored(documents)
      const made = await bootstrap({ documents, clock, workspaceType, secret, generate: kind.port })
      // kept for a retry of the start, which finds the key already made
      if (made?.generated) parts.secret = made.secret
      if (made === undefined && secret !== undefined && (await isIgnored(documents, secret))) log.warn(ignoredKey)
    }
    parts.service = await createService(ports, config, log)
    parts.ports = ports
    return parts.service
  } catch (error) {
    await ports.close()
    throw error
  }
}

/** Returns the address, or undefined if the process has no HTTP port. */
async function listen(kind: Kind, config: Config, api: Service['api'], log: Logger, parts: Parts) {
  const port = kind.web ? config.port : config.healthPort
  if (port === undefined) return undefined
  const { rateLimit, host, allowedOrigins } = config
  const limits = limitsOf(config.bodyMemory)
  const server = createServer(api, {
    log,
    clock,
    rateLimit,
    limits,
    allowedOrigins,
    routes: kind.web ? allRoutes : workerRoutes,
  })
  if (!kind.port) {
    parts.server = server
    return undefined
  }
  const portVariable = kind.web ? 'PORT' : 'PRECEDENT_HEALTH_PORT'
  await server.listen(port, host).catch((error) => {
    throw listenError(error, { host, port, portVariable })
  })
  parts.server = server
  return urlOf(host, server.port())
}

type Deadlines = Pick<Config, 'shutdownDeadlineMs' | 'runDeadlineMs'>

async function end(parts: Parts, ready: Promise<unknown>, deadlines: Deadlines, log: Logger): Promise<void> {
  // first, while everything else still works: sessions use the API, and their ends are decided by the journal
  await parts.service?.endSessions(deadlines.runDeadlineMs)
  const until = Date.now() + deadlines.shutdownDeadlineMs
  const left = () => Math.max(0, until - Date.now())
  // a start that is under way may open something that must be closed
  await Promise.race([ready.catch(() => {}), sleep(left(), undefined, { ref: false })])
  // leave a quarter of the time for the jobs, even if a client is slow
  await parts.server?.close(left() * 0.75)
  const ended = await parts.service?.stop(left())
  await parts.ports?.close()
  log.info({ ended }, 'precedent has stopped')
}

/** Printed once, on the first start. The store keeps only a hash of the key. */
function announce(url: string | undefined, everywhere: boolean, secret: string): void {
  process.stdout.write(`
  Precedent is running at ${url}.${everywhere ? '\n  It listens on all addresses of this machine.' : ''}

  This is its admin key. It is shown only now, so save it.

    export PRECEDENT_API_KEY=${secret}

`)
}
