/** Looks at everything that a service needs by its configuration, and changes nothing. */
import { areShared } from '../../config/engines.ts'
import type { Config } from '../../config/load.ts'
import { redact } from '../log.ts'
import { examineDirectory } from './directory.ts'
import { type Finding, ok } from './finding.ts'
import { examineSettings } from './settings.ts'

/** In an order in which what explains the rest comes first. */
export async function* examine(config: Config): AsyncGenerator<Finding> {
  for await (const finding of findings(config)) {
    // an engine's client may put the url that it was given into an error
    yield { ...finding, found: redact(config.secrets, finding.found) }
  }
}

async function* findings(config: Config): AsyncGenerator<Finding> {
  const { mongodb, redis, elasticsearch, embedder } = config.engines
  yield* examineSettings(config)
  if (!areShared(config.engines)) yield* examineDirectory(config.dataDir)
  // only those that are used: each client takes its time to load
  if (mongodb) yield* (await import('./mongodb.ts')).examineMongodb(mongodb)
  else yield ok('MONGODB_URL', 'not set: documents are in the data directory')
  if (redis) yield* (await import('./redis.ts')).examineRedis(redis)
  else yield ok('REDIS_URL', 'not set: no queue but the process’s own')
  if (elasticsearch) yield* (await import('./elasticsearch.ts')).examineElasticsearch(elasticsearch)
  else yield ok('ELASTICSEARCH_URL', 'not set: the search index is in the data directory')
  if (embedder) yield* (await import('./embedder.ts')).examineEmbedder(embedder)
}
