/**
 * Brings the index of one repository to the head of its remote: fetch, differences, parse, write, refresh, publish,
 * clear. Until it is published, the commit before is served, whatever happens to this worker.
 */
import type { ConnectedRepository } from '../../../config/operator/repository-settings.ts'
import { chunks } from '../../ports/chunks.ts'
import { instant } from '../../ports/clock.ts'
import { type Head, MirrorError } from '../../ports/mirrors.ts'
import { type CodeFile, codeFiles, fileRowId } from '../stored/file.ts'
import { type CodeRepository, codeRepositories } from '../stored/repository.ts'
import { codeIndex } from '../stored/search-document.ts'
import { shownFiles, shownIn } from '../stored/shown-files.ts'
import {
  claim,
  fail,
  isCleared,
  isTaken,
  publish,
  release,
  releaseCleared,
  renew,
  rowOf,
  settingsMark,
  whileClaimed,
} from './attempt.ts'
import { type Changes, changesOf } from './changes.ts'
import { clearFiles, rowsBefore } from './clear.ts'
import { type Attempt, filesAtOnce, type IndexingPorts, mostPublished } from './ports.ts'
import { indexEpoch, knownEpoch } from './search-index.ts'
import { type Tally, tallyOf } from './tally.ts'
import { foldersOf, writeEntries, writePaths } from './write.ts'

/** current: there was nothing to do. taken: another worker is at it, or has overtaken this one. */
export type IndexOutcome = 'indexed' | 'current' | 'taken' | 'failed'

export async function indexRepository(
  connected: ConnectedRepository,
  ports: IndexingPorts,
  signal: AbortSignal,
): Promise<IndexOutcome> {
  const row = await rowOf(connected, ports)
  let generation = row.generation
  try {
    const { id, url, token, branch } = connected
    const source = { id, url, ...(token === undefined ? {} : { token }), ...(branch === undefined ? {} : { branch }) }
    const head = await ports.mirrors.fetch(source, signal)
    await keepSeen(head, row, ports)
    const epoch = await indexEpoch(connected.workspace, ports)
    const settings = settingsMark(connected, ports.parser.version, epoch)
    const isSame = row.commit === (head?.commit ?? null) && row.settings === settings
    if (isSame && row.state === 'ready') return 'current'
    const claimed = await claim(row, ports, { state: 'indexing', error: null })
    if (claimed === undefined) return 'taken'
    generation = claimed
    const isWhole = row.commit === null || row.settings !== settings || row.published.length >= mostPublished
    const attempt: Attempt = { repository: row, connected, generation, isWhole, signal }
    return await whileClaimed(connected.id, generation, ports, () =>
      head === null
        ? showEmpty(row, attempt.generation, settings, ports)
        : indexCommit(attempt, head, { settings, epoch }, ports),
    )
  } catch (error) {
    signal.throwIfAborted()
    if (!(error instanceof MirrorError)) throw error
    // another worker is indexing it. It may have reached the remote, so the state is for that worker to tell
    if (generation === row.generation && isTaken(row, ports)) return 'taken'
    await fail(connected.id, generation, error.message, ports)
    return 'failed'
  }
}

async function keepSeen(
  head: Head | null,
  row: CodeRepository,
  { documents, clock }: Pick<IndexingPorts, 'documents' | 'clock'>,
): Promise<void> {
  const commit = head?.commit ?? null
  const branch = head?.branch ?? null
  const behind_since = commit === row.commit ? null : (row.behind_since ?? instant(clock))
  if (commit === row.head && branch === row.branch && behind_since === row.behind_since) return
  const set = { branch, head: commit, head_at: head?.at ?? null, behind_since }
  // on condition: another worker may have published meanwhile
  await documents.update(codeRepositories, row.id, { set }, { commit: row.commit })
}

async function indexCommit(
  started: Attempt,
  head: { branch: string; commit: string; at: string },
  { settings, epoch }: { settings: string; epoch: string },
  ports: IndexingPorts,
): Promise<IndexOutcome> {
  const changes = await changesOf(started, head.commit, ports)
  const attempt = { ...started, isWhole: changes.isWhole }
  const { repository, connected, generation } = attempt
  const tally = tallyOf(attempt.isWhole ? nothing : repository)
  const left = await writeChanges(attempt, changes, tally, ports)
  if (left === undefined) return 'taken'
  await ports.search.refresh(codeIndex, connected.workspace)
  // the index was lost while it was written to, so the next look begins anew
  if ((await knownEpoch(connected.workspace, ports)) !== epoch) {
    await release(connected.id, generation, ports)
    return 'taken'
  }
  const published = attempt.isWhole ? [generation] : [...repository.published, generation]
  if (!(await publish(repository, generation, { head, published, tally, settings }, ports))) return 'taken'
  await clear(attempt, left, ports)
  await ports.mirrors.keep(connected.id, [head.commit], attempt.signal)
  // an attempt that writes only changes does not remove what earlier attempts have left behind
  if (attempt.isWhole || isCleared(repository)) await releaseCleared(repository, generation, ports)
  else await release(connected.id, generation, ports)
  return 'indexed'
}

const nothing = { languages: {}, files: 0, symbols: 0, skipped: {} }

/** What is of no use once the attempt is published. */
interface Left {
  /** Rows that are not shown any more. */
  replaced: CodeFile[]
  /** Paths that this attempt marks as gone. */
  gone: string[]
}

/** undefined: another attempt has begun. */
async function writeChanges(
  attempt: Attempt,
  { entries, gone, cpp }: Changes,
  tally: Tally,
  ports: IndexingPorts,
): Promise<Left | undefined> {
  const { connected, generation } = attempt
  const replaced: CodeFile[] = []
  const folders = new Set<string>()
  for await (const batch of batchesOf(entries)) {
    const paths = batch.map(({ path }) => path)
    const added = [...foldersOf(paths)].filter((folder) => !folders.has(folder))
    for (const folder of added) folders.add(folder)
    await replace([...paths, ...added])
    const files = await writeEntries(attempt, batch, cpp, ports)
    if (files === undefined) return undefined
    for (const file of files) tally.add(file)
    await writePaths(attempt, added, 'directory', ports)
  }
  for await (const batch of batchesOf(gone)) {
    if (!(await renew(connected.id, generation, ports))) return undefined
    await replace(batch)
    await writePaths(attempt, batch, 'gone', ports)
  }
  const empty = await removeEmptyFolders(attempt, foldersOf(gone), ports)
  await replace(empty)
  return { replaced, gone: [...gone, ...empty] }

  async function replace(paths: readonly string[]): Promise<void> {
    if (attempt.isWhole) return
    const files = await shownFiles(attempt.repository, paths, ports.documents)
    for (const file of files) tally.remove(file)
    replaced.push(...files)
  }
}

/** Returns them. Deepest first: a folder may hold nothing but folders that have become empty. */
async function removeEmptyFolders(attempt: Attempt, folders: Set<string>, ports: IndexingPorts): Promise<string[]> {
  const { repository, generation } = attempt
  const counted = { id: repository.id, published: [...repository.published, generation] }
  const deepestFirst = [...folders].sort((a, b) => b.split('/').length - a.split('/').length)
  const empty: string[] = []
  for (const folder of deepestFirst) {
    if (await hasEntries(counted, folder, ports)) continue
    await writePaths(attempt, [folder], 'gone', ports)
    empty.push(folder)
  }
  return empty
}

async function hasEntries(
  repository: Pick<CodeRepository, 'id' | 'published'>,
  folder: string,
  { documents }: Pick<IndexingPorts, 'documents'>,
): Promise<boolean> {
  const first = await shownIn(repository, folder, documents).next()
  return first.done !== true
}

async function clear(attempt: Attempt, { replaced, gone }: Left, ports: IndexingPorts): Promise<void> {
  const { repository, connected, generation } = attempt
  if (!attempt.isWhole) {
    const now = await contentsOf(connected.id, replaced, generation, ports)
    await clearFiles(replaced, now, generation, ports)
    // a path that is gone needs no mark once no older row of it is left. An earlier attempt may have left some
    const marks = isCleared(repository) ? gone.map((path) => fileRowId(connected.id, path, generation)) : []
    for (const ids of chunks(marks, filesAtOnce)) await ports.documents.delete(codeFiles, ids)
    return
  }
  for await (const rows of rowsBefore(connected.id, generation, ports)) {
    if (!(await renew(connected.id, generation, ports))) return
    await clearFiles(rows, await contentsOf(connected.id, rows, generation, ports), generation, ports)
  }
}

async function contentsOf(
  repository: string,
  rows: readonly CodeFile[],
  generation: number,
  { documents }: Pick<IndexingPorts, 'documents'>,
): Promise<Set<string>> {
  const contents = new Set<string>()
  for await (const paths of batchesOf(rows.map(({ path }) => path))) {
    const now = await documents.find(codeFiles, {
      where: { repository, path: { in: paths }, generation },
      limit: 10_000,
      fields: ['content'],
    })
    for (const { content } of now) contents.add(content)
  }
  return contents
}

/** The repository has no commit. */
async function showEmpty(
  row: CodeRepository,
  generation: number,
  settings: string,
  ports: IndexingPorts,
): Promise<IndexOutcome> {
  const empty = {
    ...nothing,
    commit: null,
    commit_at: null,
    behind_since: null,
    settings,
    state: 'ready',
  } as const
  const set = { ...empty, published: [] as number[] }
  const isMine = await ports.documents.update(codeRepositories, row.id, { set }, { generation })
  if (!isMine) return 'taken'
  for await (const rows of rowsBefore(row.id, generation, ports)) await clearFiles(rows, new Set(), generation, ports)
  await releaseCleared(row, generation, ports)
  return 'indexed'
}

async function* batchesOf<Item>(items: AsyncIterable<Item> | Iterable<Item>): AsyncIterable<Item[]> {
  let batch: Item[] = []
  for await (const item of items) {
    batch.push(item)
    if (batch.length < filesAtOnce) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}
