/** Checks everything that the settings of a service name, and changes nothing. */
import { areShared } from '../../config/engines.ts'
import type { Config } from '../../config/load.ts'
import { type ProcessKind, workOf } from '../../config/processes.ts'
import { redact } from '../log/log.ts'
import { examineDirectory, examineMirrorDirectory } from './directory.ts'
import { type Finding, ok } from './finding.ts'
import { examineOperatorFile } from './operator-file.ts'
import { examineSettings } from './settings.ts'

/** The first findings may explain the later ones: settings come before engines. */
export function examine(config: Config, kind: ProcessKind): AsyncGenerator<Finding> {
  return redacted(config, findings(config, kind))
}

/** Only what connected repositories need. */
export async function* examineCode(config: Config, kind: ProcessKind): AsyncGenerator<Finding> {
  const repositories = config.operator?.repositories
  if (repositories === undefined) {
    yield ok('PRECEDENT_CONFIG', 'no repository is connected')
    return
  }
  // imported only if used
  const { examineRepositories } = await import('./repositories.ts')
  yield* redacted(config, examineRepositories(repositories))
  if (!areShared(config.engines)) yield* examineDirectory(config.dataDir)
  yield* redacted(config, fetching(config, kind))
}

async function* redacted(config: Config, found: AsyncIterable<Finding>): AsyncGenerator<Finding> {
  // the client of an engine may put its URL, with the password, into an error
  for await (const finding of found) yield { ...finding, found: redact(config.secrets, finding.found) }
}

/** What a process needs that fetches repositories. Others have no tokens, and keep no mirrors. */
async function* fetching(config: Config, kind: ProcessKind): AsyncGenerator<Finding> {
  const repositories = config.operator?.repositories
  if (repositories === undefined || !workOf(kind).workers.includes('code')) return
  if (areShared(config.engines)) yield* examineMirrorDirectory(config.dataDir)
  yield* (await import('./remotes.ts')).examineRemotes(repositories)
}

async function* findings(config: Config, kind: ProcessKind): AsyncGenerator<Finding> {
  const { mongodb, redis, elasticsearch, embedder, judge } = config.engines
  yield* examineSettings(config)
  yield* examineOperatorFile(config.operator)
  if (!areShared(config.engines)) yield* examineDirectory(config.dataDir)
  yield* fetching(config, kind)
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
