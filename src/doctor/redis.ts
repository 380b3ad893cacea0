/** Redis: that it answers, throws no wake-up away, and tells the same time. */
import { Redis } from 'ioredis'
import { faultOf } from '../adapters/bullmq/health.ts'
import { awayFinding, clockFinding, type Finding, note, ok, wrong } from './finding.ts'

const what = 'REDIS_URL'
const answersWithin = 5_000

export async function* examineRedis({ url }: { url: string }): AsyncGenerator<Finding> {
  const redis = new Redis(url, {
    lazyConnect: true,
    connectTimeout: answersWithin,
    commandTimeout: answersWithin,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  })
  // what went wrong is said by the call that it failed
  let heard: Error | undefined
  redis.on('error', (error: Error) => {
    heard = error
  })
  try {
    await redis.connect()
    const info = await redis.info()
    const said = (name: string) => new RegExp(`^${name}:(.*?)\\r?$`, 'm').exec(info)?.[1]
    yield ok(what, `Redis ${said('redis_version') ?? 'of unknown version'} answers`)
    const fault = faultOf(info)
    if (fault !== undefined)
      yield wrong(what, fault.message, 'Change its configuration; wake-ups that are lost are found again within 5 s.')
    else yield ok(what, 'it keeps what it is given (noeviction)')
    yield persistence(said('aof_enabled') === '1')
    const before = Date.now()
    const [seconds = 0, micros = 0] = (await redis.time()).map(Number)
    yield clockFinding(what, seconds * 1000 + micros / 1000, before, Date.now())
  } catch (error) {
    yield awayFinding(
      what,
      heard ?? error,
      'Start it, or correct the URL. Until then workers find their work by looking for it.',
    )
  } finally {
    redis.disconnect()
  }
}

function persistence(appends: boolean): Finding {
  if (appends) return ok(what, 'it keeps an append-only file')
  return note(
    what,
    'it keeps no append-only file: with a restart wake-ups are lost, no write is',
    'Set `appendonly yes`, so that workers need not look for what they were told already.',
  )
}
