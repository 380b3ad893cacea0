/** The whole service in this process, on a given store and at a given time. */
import { load } from '../../config/load.ts'
import { bootstrap } from '../../src/access/bootstrap.ts'
import { systemClock } from '../../src/adapters/system-clock.ts'
import { openPorts } from '../../src/engines.ts'
import { limitsOf } from '../../src/http/base/limits.ts'
import { allRoutes } from '../../src/http/routes.ts'
import { createServer } from '../../src/http/server.ts'
import { logger } from '../../src/log/log.ts'
import type { Documents } from '../../src/ports/documents.ts'
import type { SearchEngine } from '../../src/ports/search.ts'
import { createService } from '../../src/service.ts'
import { adminKey } from '../support/service.ts'

export interface OpenedStore {
  url: string
  documents: Documents
  search: SearchEngine
  stop(): Promise<void>
}

/**
 * `env`: the settings of the store. `now`: its clock starts there, because answers such as the age of a question depend
 * on it. `work`: false if receipts shall stay open.
 */
export async function openStore(env: Record<string, string>, now: number, work = true): Promise<OpenedStore> {
  const config = load({
    PRECEDENT_PUBLIC_URL: 'https://precedent.test',
    PRECEDENT_BOOTSTRAP_KEY: adminKey,
    PRECEDENT_LOG_LEVEL: 'silent',
    // the store gets older with the repository, and must not lose anything by it
    PRECEDENT_JOURNAL_RETENTION_DAYS: '0',
    PRECEDENT_RECEIPT_RETENTION_DAYS: '0',
    ...env,
  })
  const ahead = Date.now() - now
  const clock = { ...systemClock, now: () => systemClock.now() - ahead }
  const log = logger(config.logLevel)
  const ports = await openPorts(config, log, clock)
  await bootstrap({ documents: ports.documents, clock, workspaceType: 'company', secret: adminKey })
  const service = await createService(ports, config, log)
  const { allowedOrigins } = config
  const server = createServer(service.api, {
    log,
    rateLimit: 0,
    limits: limitsOf(),
    allowedOrigins,
    clock,
    routes: allRoutes,
  })
  await server.listen(0, '127.0.0.1')
  if (work) service.work()
  return {
    url: `http://127.0.0.1:${server.port()}`,
    documents: ports.documents,
    search: ports.search,
    async stop() {
      await server.close(5_000)
      await service.stop(5_000)
      await ports.close()
    },
  }
}
