/** The work of the kind `code`: keeps the index of each connected repository at the head of its remote. */
import type { ConnectedRepository, RepositorySettings } from '../../../config/operator/repository-settings.ts'
import { codeFiles } from '../stored/file.ts'
import { type CodeRepository, codeRepositories } from '../stored/repository.ts'
import { clearFiles, rowsBefore } from './clear.ts'
import { type IndexOutcome, indexRepository } from './index-repository.ts'
import { clearLeftovers } from './leftovers.ts'
import { dropOlderIndexes } from './older-indexes.ts'
import type { IndexingPorts } from './ports.ts'
import { indexEpoch } from './search-index.ts'
import { removeUnusedBlobs } from './unused-blobs.ts'

export interface CodeLog {
  info(fields: object, message: string): void
  error(fields: object, message: string): void
}

/** Hears how each look at a repository ended, and how long it took. */
export type WatchIndexing = (outcome: IndexOutcome, ms: number) => void

/** Indexes each repository whose time has come, one after the other, and removes those that are not connected any more. */
export async function lookAtRepositories(
  { connected }: Pick<RepositorySettings, 'connected'>,
  ports: IndexingPorts,
  log: CodeLog,
  signal: AbortSignal,
  watch: WatchIndexing = () => {},
): Promise<void> {
  for (const repository of connected) {
    if (signal.aborted) return
    await indexAndLog(repository, ports, { log, watch, signal })
    await clearAndLog(repository, ports, { log, signal })
  }
  if (signal.aborted) return
  const ids = connected.map(({ id }) => id)
  await removeDisconnected(new Set(ids), ports)
  await removeUnusedBlobs(ports)
  await dropOlderIndexes(ids, ports)
}

/** Who hears of a look, and who ends it. */
export interface Looking {
  log: CodeLog
  watch: WatchIndexing
  signal: AbortSignal
}

/** Never rejects. `trace`: of the request that asked for it. undefined: it failed, and will be retried. */
export async function indexAndLog(
  repository: ConnectedRepository,
  ports: IndexingPorts,
  { log, watch, signal }: Looking,
  trace: string | null = null,
): Promise<IndexOutcome | undefined> {
  const told = { repository: repository.name, ...(trace === null ? {} : { traces: [trace] }) }
  const began = ports.clock.elapsed()
  try {
    const outcome = await indexRepository(repository, ports, signal)
    const ms = ports.clock.elapsed() - began
    watch(outcome, ms)
    if (outcome === 'indexed') log.info({ ...told, ms: Math.round(ms) }, 'repository indexed')
    else if (outcome === 'failed') log.error(told, 'repository not indexed; its state tells why')
    else if (trace !== null) log.info({ ...told, outcome }, 'repository looked at')
    return outcome
  } catch (error) {
    // the others must not wait for it
    if (!signal.aborted) {
      watch('failed', ports.clock.elapsed() - began)
      log.error({ ...told, err: error }, 'indexing a repository failed; it will be retried')
    }
    return undefined
  }
}

/** Never rejects. */
async function clearAndLog(
  { id, name }: ConnectedRepository,
  ports: IndexingPorts,
  { log, signal }: Pick<Looking, 'log' | 'signal'>,
): Promise<void> {
  try {
    const rows = await clearLeftovers(id, ports, signal)
    if (rows > 0) log.info({ repository: name, rows }, 'removed what attempts to index the repository had left behind')
  } catch (error) {
    if (signal.aborted) return
    log.error({ repository: name, err: error }, 'tidying the index of a repository failed; it will be retried')
  }
}

const repositoriesAtOnce = 1_000

export async function removeDisconnected(connected: ReadonlySet<string>, ports: IndexingPorts): Promise<void> {
  const { documents, mirrors } = ports
  let after = ''
  for (;;) {
    const rows = await documents.find(codeRepositories, {
      where: { name_key: { gte: after } },
      sort: [
        ['name_key', 'asc'],
        ['id', 'asc'],
      ],
      limit: repositoriesAtOnce,
      fields: ['id', 'workspace', 'name_key', 'generation'],
    })
    for (const row of rows) if (!connected.has(row.id)) await remove(row, ports)
    const last = rows.at(-1)?.name_key
    if (rows.length < repositoriesAtOnce || last === undefined || last === after) break
    after = last
  }
  for (const id of await mirrors.present()) if (!connected.has(id)) await mirrors.remove(id)
}

/** First the repository is hidden, and attempts under way are overtaken. Its row goes last. */
async function remove(
  { id, workspace, generation }: Pick<CodeRepository, 'id' | 'workspace' | 'generation'>,
  ports: IndexingPorts,
): Promise<void> {
  const { documents } = ports
  const hidden = { commit: null, commit_at: null, published: [] as number[], state: 'pending' as const }
  if (!(await documents.update(codeRepositories, id, { set: hidden, inc: { generation: 1 } }, { generation }))) return
  // the index may have been lost
  await indexEpoch(workspace, ports)
  for await (const rows of rowsBefore(id, generation + 1, ports)) {
    await clearFiles(rows, new Set(), generation + 1, ports)
  }
  const left = await documents.count(codeFiles, { where: { repository: id }, upTo: 1 })
  if (left === 0) await documents.delete(codeRepositories, [id], { generation: generation + 1 })
}
