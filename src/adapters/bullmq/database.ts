/** Checks the number of the database in REDIS_URL. Redis has 16 databases by default, and a cluster has one. */
import { Redis } from 'ioredis'

/** ms */
const answersWithin = 2_000

/** A connection that fails at once if Redis is unreachable or does not answer within `ms`. Not connected yet. */
export function askedOnce(url: string, ms: number): Redis {
  return new Redis(url, {
    lazyConnect: true,
    connectTimeout: ms,
    commandTimeout: ms,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  })
}

/**
 * Throws if Redis answers and refuses the database of the URL: ioredis would go on with database 0, which may be another
 * service's. Returns if Redis is unreachable, because the service starts without it.
 */
export async function assertDatabase(url: string): Promise<void> {
  let refusal: Error | undefined
  const redis = askedOnce(url, answersWithin)
  redis.on('error', (error: Error) => {
    if (isOfDatabase(error)) refusal = error
  })
  try {
    await redis.connect()
    // its answer comes after that of the SELECT that ioredis sends
    await redis.ping()
  } catch {
    // whatever the reason: the queue reports it, and retries
  } finally {
    redis.disconnect()
  }
  if (refusal !== undefined) throw new Error(wrongDatabase(url, refusal), { cause: refusal })
}

/** Whether Redis refused to select a database. */
export function isOfDatabase({ message }: Error): boolean {
  return /DB index|SELECT is not allowed/i.test(message)
}

export function wrongDatabase(url: string, { message }: Error): string {
  const database = new URL(url).pathname.slice(1)
  return `REDIS_URL names database ${database}, which this Redis does not have (${message}): name a lower number, 0 to 15 by default, or raise \`databases\` in its configuration`
}
