/** Measures sequential searches over HTTP with 10,000 and 100,000 decisions, and the import of 100,000. */
import { type Asked, importDecisions, searchTimes } from '../calls.ts'
import type { Target } from '../client.ts'
import { bulkInsert, withService } from '../processes.ts'
import { median, percentile, type Row, row } from '../row.ts'
import { makeTenants } from '../tenants.ts'
import { queryOf } from '../texts.ts'

const small = 10_000
const large = 100_000
const workspaces = 100
const queries = 500
/** Requests before the measurement, so that V8 has compiled the hot code. */
const warmUp = 500
const slowest = { at_most: 15 }

export async function* search(): AsyncIterable<Row> {
  yield* await withService(async (service) => {
    const first = await importDecisions(service, 0, small)
    const atSmall = await timesOf([{ ...service, first: 0, count: small }])
    const rest = await importDecisions(service, small, large - small)
    const atLarge = await timesOf([{ ...service, first: 0, count: large }])
    const rate = (ms: number) => (large / ms) * 1000
    const baseline = rate(await bulkInsert(0, large))
    return [
      row('import_100k', rate(first + rest), 'decisions/s', null, baseline),
      ...rowsOf('search_10k', atSmall),
      ...rowsOf('search_100k', atLarge),
    ]
  })
  yield* rowsOf('search_100k_in_100_workspaces', await inManyWorkspaces())
}

async function inManyWorkspaces(): Promise<number[]> {
  const count = large / workspaces
  let secrets: string[] = []
  return withService(
    async ({ url }) => {
      const tenants = secrets.map((key, n) => ({ url, key, first: n * count, count }))
      for (const tenant of tenants) await importDecisions(tenant, tenant.first, count)
      return timesOf(tenants)
    },
    {
      prepare: async (folder) => {
        secrets = await makeTenants({ PRECEDENT_DATA_DIR: folder }, workspaces)
      },
    },
  )
}

/** Times of queries from the decisions of each tenant in turn. */
function timesOf(tenants: readonly (Target & { first: number; count: number })[]): Promise<number[]> {
  const asked = Array.from({ length: warmUp + queries }, (_, n): Asked => {
    const tenant = tenants[n % tenants.length] as (typeof tenants)[number]
    return { target: tenant, q: queryOf(n, tenant.first, tenant.count) }
  })
  return searchTimes(asked, warmUp)
}

function rowsOf(name: string, times: readonly number[]): Row[] {
  return [row(`${name}_p95`, percentile(times, 95), 'ms', slowest), row(`${name}_median`, median(times), 'ms', null)]
}
