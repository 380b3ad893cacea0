/** Everything in one process: web, apply, index, maintain. What `npm start` runs. */
import { pathToFileURL } from 'node:url'
import { type Config, ConfigurationError, load } from '../config/load.ts'
import { bootstrap } from '../src/access/bootstrap.ts'
import { createServer } from '../src/http/server.ts'
import { logger } from '../src/log.ts'
import { createService, openPorts } from '../src/service.ts'

export interface Running {
  url: string
  /** In order: no new requests, those under way answered, jobs ended, store closed; all within the deadline. */
  stop(): Promise<void>
}

export async function runAll(config: Config = load()): Promise<Running> {
  const log = logger(config.logLevel)
  const ports = await openPorts(config, log)
  const made = await bootstrap({
    documents: ports.documents,
    clock: ports.clock,
    workspaceType: config.workspaceType,
    secret: config.bootstrapKey,
  })
  const service = await createService(ports, config, log)
  const server = createServer(service.served, { log, clock: ports.clock, rateLimit: config.rateLimit })
  await server.listen(config.port, config.host)
  service.work()
  const url = `http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${server.port()}`
  if (made?.generated) announce(url, made.secret)
  log.info({ url, data: config.dataDir }, 'precedent is ready')

  let stopping: Promise<void> | undefined
  return {
    url,
    stop() {
      stopping ??= (async () => {
        const until = Date.now() + config.shutdownDeadlineMs
        const left = () => Math.max(0, until - Date.now())
        await server.close(left())
        const ended = await service.stop(left())
        await ports.close()
        log.info({ ended }, 'precedent has stopped')
      })()
      return stopping
    },
  }
}

/** Once, on the first start: the key is kept nowhere in this form. */
function announce(url: string, secret: string): void {
  process.stdout.write(`
  Precedent is running at ${url}.

  This is its admin key. It is shown only now: keep it.

    export PRECEDENT_API_KEY=${secret}

`)
}

async function main(): Promise<void> {
  const running = await runAll()
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

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  main().catch((error: unknown) => {
    const message = error instanceof ConfigurationError ? error.message : (error as Error)?.message
    process.stderr.write(`precedent: ${message}\n`)
    process.exit(1)
  })
}
