/** Checks everything that the settings of a service name, and changes nothing. */
import { areShared } from '../../config/engines.ts'
import type { Config } from '../../config/load.ts'
import { redact } from '../log/log.ts'
import { examineDirectory } from './directory.ts'
import { type Finding, ok } from './finding.ts'
import { examineOperatorFile } from './operator-file.ts'
import { examineSettings } from './settings.ts'

/** The first findings may explain the later ones: settings come before engines. */
export async function* examine(config: Config): AsyncGenerator<Finding> {
  for await (const finding of findings(config)) {
    // the client of an engine may put its URL, with the password, into an error
    yield { ...finding, found: redact(config.secrets, finding.found) }
  }
}

async function* findings(config: Config): AsyncGenerator<Finding> {
  const { mongodb, redis, elasticsearch, embedder, judge } = config.engines
  yield* examineSettings(config)
  yield* examineOperatorFile(config.operator)
  if (!areShared(config.engines)) yield* examineDirectory(config.dataDir)
  // imported only if used, because each client takes long to load
  if (mongodb) yield* (await import('./mongodb.ts')).examineMongodb(mongodb)
  else yield ok('MONGODB_URL', 'not set; documents are stored in the data directory')
  if (redis) yield* (await import('./redis.ts')).examineRedis(redis)
  else yield ok('REDIS_URL', 'not set; the queue is in the memory of the process')
  if (elasticsearch) yield* (await import('./elasticsearch.ts')).examineElasticsearch(elasticsearch)
  else yield ok('ELASTICSEARCH_URL', 'not set; the search index is in the data directory')
  if (judge) yield* (await import('./judge.ts')).examineJudge(judge)
  if (embedder) yield* (await import('./embedder.ts')).examineEmbedder(embedder)
}
