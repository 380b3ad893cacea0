/** Measures the scaled profile on new servers and processes. The baselines use the same servers directly. */
import { type Started, startService } from '../../../support/service.ts'
import { inFolder } from '../../processes.ts'
import type { Row } from '../../row.ts'
import { whyNone, withServers } from '../../servers.ts'
import { makeTenants } from '../../tenants.ts'
import { indexRows } from './index.ts'
import { queueRows } from './queue.ts'
import { storeRows } from './store.ts'
import { workerRows } from './workers.ts'

const servers = ['mongodb', 'redis', 'elasticsearch'] as const
const workspaces = 40

export async function* scaled(): AsyncIterable<Row> {
  const reason = whyNone(servers)
  if (reason !== undefined) {
    process.stderr.write(`  skipped: ${reason}\n`)
    return
  }
  const measured: Row[] = []
  await withServers(['redis'], async ({ redis }) => add(measured, queueRows(redis)))
  yield* measured.splice(0)
  await withServers(['elasticsearch'], async ({ elasticsearch }) => add(measured, indexRows(elasticsearch)))
  yield* measured.splice(0)
  await withServers(servers, (urls) =>
    inFolder(async (folder) => {
      const env = {
        PRECEDENT_PROFILE: 'scaled',
        MONGODB_URL: `${urls.mongodb}/bench`,
        REDIS_URL: urls.redis,
        ELASTICSEARCH_URL: urls.elasticsearch,
        PRECEDENT_HEALTH_PORT: '0',
      }
      const started: Started[] = []
      const start = async (kind: 'web' | 'apply' | 'index', more: Record<string, string> = {}) => {
        const one = await startService({ kind, dataDir: folder, env: { ...env, ...more } })
        started.push(one)
        return one
      }
      try {
        // a separate store without workers, so that accepted writes are not applied meanwhile
        const alone = await start('web', { MONGODB_URL: `${urls.mongodb}/accepted`, PRECEDENT_PREFIX: 'accepted' })
        await add(measured, storeRows(alone, urls.mongodb))
        await alone.kill()
        const web = await start('web')
        const keys = await makeTenants({ ...env, PRECEDENT_DATA_DIR: folder }, workspaces)
        await start('index')
        await add(measured, workerRows({ web, keys, startApply: () => start('apply') }))
      } finally {
        await Promise.all(started.map((one) => one.kill()))
      }
    }),
  )
  yield* measured
}

async function add(rows: Row[], group: AsyncIterable<Row>): Promise<void> {
  for await (const measured of group) rows.push(measured)
}
