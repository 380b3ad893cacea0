/** Checks Redis: it answers, does not evict jobs, and its clock agrees. */
import { askedOnce } from '../adapters/bullmq/database.ts'
import { faultOf } from '../adapters/bullmq/health.ts'
import { clockFinding, type Finding, note, ok, unavailableFinding, wrong } from './finding.ts'

const what = 'REDIS_URL'
/** ms. */
const answersWithin = 5_000

export async function* examineRedis({ url }: { url: string }): AsyncGenerator<Finding> {
  const redis = askedOnce(url, answersWithin)
  // the call that fails only says that the connection is closed; the reason is in this event
  let connectionError: Error | undefined
  redis.on('error', (error: Error) => {
    connectionError = error
  })
  try {
    await redis.connect()
    const info = await redis.info()
    // the database of the URL could not be selected: keys would go into database 0
    if (connectionError) throw connectionError
    const value = (name: string) => new RegExp(`^${name}:(.*?)\\r?$`, 'm').exec(info)?.[1]
    yield ok(what, `Redis ${value('redis_version') ?? 'of unknown version'} answers`)
    const fault = faultOf(info)
    if (fault !== undefined)
      yield wrong(what, fault.message, 'Change its configuration. Workers find lost jobs again within 5 s.')
    else yield ok(what, 'it does not evict jobs (noeviction)')
    yield persistence(value('aof_enabled') === '1')
    const before = Date.now()
    const [seconds = 0, micros = 0] = (await redis.time()).map(Number)
    yield clockFinding(what, seconds * 1000 + micros / 1000, before, Date.now())
  } catch (error) {
    yield unavailableFinding(
      what,
      connectionError ?? error,
      'Start it, or correct the URL. Until then, workers poll for work every 5 s.',
    )
  } finally {
    redis.disconnect()
  }
}

function persistence(hasAppendOnlyFile: boolean): Finding {
  if (hasAppendOnlyFile) return ok(what, 'it has an append-only file')
  return note(
    what,
    'it has no append-only file, so a restart of Redis loses jobs (but no writes)',
    'Set `appendonly yes`. Otherwise workers find the lost jobs by polling, which takes up to 5 s.',
  )
}
