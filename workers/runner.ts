/** What every process of the service does: open its engines, work, say that it is ready, and end in order. */
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import type { Logger } from 'pino'
import { isEveryAddress, urlOf } from '../config/address.ts'
import { areShared, type ProcessKind } from '../config/engines.ts'
import { type Config, load } from '../config/load.ts'
import { bootstrap, isIgnored } from '../src/access/bootstrap.ts'
import { systemClock as clock } from '../src/adapters/system-clock.ts'
import { openPorts, type Ports } from '../src/engines.ts'
import { limitsOf } from '../src/http/limits.ts'
import { allRoutes, workerRoutes } from '../src/http/routes.ts'
import { createServer, type WebServer } from '../src/http/server.ts'
import { entrance } from '../src/http/starting.ts'
import { assertRestored } from '../src/journal/intact.ts'
import { logger, without } from '../src/log.ts'
import { EngineUnavailable } from '../src/ports/unavailable.ts'
import { createService, type Service, type Work } from '../src/service.ts'

export interface Kind {
  name: ProcessKind
  /** Answers callers, and makes the first key. */
  web: boolean
  works: readonly Work[]
}

export interface Running {
  /** Where it answers, once it works; undefined where it was stopped before. Rejects where it can't come to that. */
  ready: Promise<{ url: string | undefined } | undefined>
  /** In order: no new requests, those under way answered, jobs ended, store closed; all within the deadline. */
  stop(): Promise<void>
}

/** ms between two attempts to reach a server that is away. */
const againAfter = 2_000
/** ms. What callers can't ask ends then, so that whoever supervises it hears of it; web says what is wrong in /readyz. */
const givesUpAfter = 5 * 60_000

const ignoredKey =
  'PRECEDENT_BOOTSTRAP_KEY is ignored, because the store already has keys. ' +
  'Use one of these, or make a new admin key with `precedent keys recover`.'

/** Begins at once. Servers that are away are waited for; anything else that is wrong rejects `ready`. */
export function run(kind: Kind, config: Config): Running {
  const log = logger(config.logLevel, config.secrets).child(kind.name === 'all' ? {} : { process: kind.name })
  for (const warning of config.warnings) log.warn(warning)
  const parts: Parts = {}
  const ending = new AbortController()
  const ready = start(kind, config, log, parts, ending.signal)
  // whoever waits for it hears of it
  ready.catch(() => {})
  let stopped: Promise<void> | undefined
  return {
    ready,
    stop() {
      ending.abort()
      stopped ??= end(parts, ready, config.shutdownDeadlineMs, log)
      return stopped
    },
  }
}

/** The process itself, where this module was started as a program: until a signal ends it. */
export function runAsProgram(module: string, kind: Kind): void {
  if (!process.argv[1] || module !== pathToFileURL(process.argv[1]).href) return
  let secrets: readonly string[] = []
  const fail = (error: unknown) => {
    process.stderr.write(`precedent: ${without(secrets, (error as Error)?.message ?? String(error))}\n`)
    process.exit(1)
  }
  try {
    const config = load(undefined, kind.name)
    secrets = config.secrets
    const running = run(kind, config)
    running.ready.catch(fail)
    endOnSignals(running)
  } catch (error) {
    fail(error)
  }
}

function endOnSignals(running: Running): void {
  let signals = 0
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      signals += 1
      // a second one: who sends it does not want to wait
      if (signals > 1) process.exit(1)
      running.stop().then(
        () => process.exit(0),
        () => process.exit(1),
      )
    })
  }
}

/** What there is to be ended by now. */
interface Parts {
  server?: WebServer
  service?: Service
  ports?: Ports
  /** Of the first key that this process made and nobody has seen yet. */
  secret?: string
}

async function start(kind: Kind, config: Config, log: Logger, parts: Parts, ending: AbortSignal) {
  const door = entrance(config.publicUrl)
  const since = Date.now()
  const open = async () => {
    try {
      return await openService(kind, config, log, parts)
    } catch (error) {
      if (!(error instanceof EngineUnavailable)) throw error
      if (!kind.web && Date.now() - since > givesUpAfter) throw error
      door.explain(error.shown)
      log.warn({ engine: error.engine, why: error.message }, 'what the service runs on is away: it is tried again')
      return undefined
    }
  }
  let service = await open()
  const url = ending.aborted ? undefined : await listen(kind, config, door.served, log, parts)
  while (service === undefined && !ending.aborted) {
    await sleep(againAfter, undefined, { signal: ending }).catch(() => {})
    if (!ending.aborted) service = await open()
  }
  if (service === undefined || ending.aborted) return undefined
  door.open(service.served)
  service.work(kind.works)
  const everywhere = url !== undefined && isEveryAddress(config.host)
  if (parts.secret !== undefined) announce(url, everywhere, parts.secret)
  const where = { url, ...(everywhere ? { listens: 'on all addresses of this machine' } : {}) }
  log.info({ ...where, ...(areShared(config.engines) ? {} : { data: config.dataDir }) }, 'precedent is ready')
  return { url }
}

async function openService(kind: Kind, config: Config, log: Logger, parts: Parts): Promise<Service> {
  const ports = await openPorts(config, log)
  try {
    if (kind.web) {
      const { documents } = ports
      const { workspaceType, bootstrapKey: secret } = config
      // before anything is written
      await assertRestored(documents)
      const made = await bootstrap({ documents, clock, workspaceType, secret })
      // kept, for the next attempt finds it made
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

/** The url; undefined where nobody is to be answered. */
async function listen(kind: Kind, config: Config, served: Service['served'], log: Logger, parts: Parts) {
  const port = kind.web ? config.port : config.healthPort
  if (port === undefined) return undefined
  const { rateLimit, host } = config
  const limits = limitsOf(config.bodyMemory)
  const server = createServer(served, { log, clock, rateLimit, limits, routes: kind.web ? allRoutes : workerRoutes })
  await server.listen(port, host)
  parts.server = server
  return urlOf(host, server.port())
}

async function end(parts: Parts, ready: Promise<unknown>, deadlineMs: number, log: Logger): Promise<void> {
  const until = Date.now() + deadlineMs
  const left = () => Math.max(0, until - Date.now())
  // an attempt under way has made something that must be closed
  await Promise.race([ready.catch(() => {}), sleep(left(), undefined, { ref: false })])
  // a caller that takes its time must not leave the jobs none
  await parts.server?.close(left() * 0.75)
  const ended = await parts.service?.stop(left())
  await parts.ports?.close()
  log.info({ ended }, 'precedent has stopped')
}

/** Once, on the first start: the key is kept nowhere in this form. */
function announce(url: string | undefined, everywhere: boolean, secret: string): void {
  process.stdout.write(`
  Precedent is running at ${url}.${everywhere ? '\n  It listens on all addresses of this machine.' : ''}

  This is its admin key. It is shown only now: keep it.

    export PRECEDENT_API_KEY=${secret}

`)
}
