/**
 * Brings the index of one repository to the head of its remote: fetch, differences, parse, write, refresh, publish,
 * clear. Until it is published, the commit before is served, whatever happens to this worker.
 */
import type { ConnectedRepository } from '../../../config/operator/repository-settings.ts'
import { instant } from '../../ports/clock.ts'
import { type Head, MirrorError } from '../../ports/mirrors.ts'
import { type CodeFile, codeFiles } from '../stored/file.ts'
import { type CodeRepository, codeRepositories } from '../stored/repository.ts'
import { codeIndex } from '../stored/search-document.ts'
import { shownFiles, shownIn } from '../stored/shown-files.ts'
import { claim, fail, publish, release, renew, rowOf, settingsMark } from './attempt.ts'
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
    // on condition: another worker may have published meanwhile
    const seen = { set: seenOf(head, row, ports) }
    await ports.documents.update(codeRepositories, id, seen, { commit: row.commit })
    const epoch = await indexEpoch(connected.workspace, ports)
    const settings = settingsMark(connected, ports.parser.version, epoch)
    const isSame = row.commit === (head?.commit ?? null) && row.settings === settings
    if (isSame && row.state === 'ready') return 'current'
    const claimed = await claim(row, ports)
    if (claimed === undefined) return 'taken'
    generation = claimed
    if (head === null) return await showEmpty(row, generation, settings, ports)
    const isWhole = row.commit === null || row.settings !== settings || row.published.length >= mostPublished
    const attempt: Attempt = { repository: row, connected, generation, isWhole, signal }
    return await indexCommit(attempt, head, { settings, epoch }, ports)
  } catch (error) {
    signal.throwIfAborted()
    if (!(error instanceof MirrorError)) throw error
    await fail(connected.id, generation, error.message, ports)
    return 'failed'
  }
}

function seenOf(head: Head | null, row: CodeRepository, { clock }: Pick<IndexingPorts, 'clock'>) {
  const commit = head?.commit ?? null
  const behind_since = commit === row.commit ? null : (row.behind_since ?? instant(clock))
  return { branch: head?.branch ?? null, head: commit, head_at: head?.at ?? null, behind_since }
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
  const replaced = await writeChanges(attempt, changes, tally, ports)
  if (replaced === undefined) return 'taken'
  await ports.search.refresh(codeIndex, connected.workspace)
  // the index was lost while it was written to, so the next look begins anew
  if ((await knownEpoch(connected.workspace, ports)) !== epoch) {
    await release(connected.id, generation, ports)
    return 'taken'
  }
  const published = attempt.isWhole ? [generation] : [...repository.published, generation]
  if (!(await publish(repository, generation, { head, published, tally, settings }, ports))) return 'taken'
  await clear(attempt, replaced, ports)
  await ports.mirrors.keep(connected.id, [head.commit], attempt.signal)
  await release(connected.id, generation, ports)
  return 'indexed'
}

const nothing = { languages: {}, files: 0, symbols: 0, skipped: {} }

/** Returns the rows that are shown no more once the attempt is published. undefined: another attempt has begun. */
async function writeChanges(
  attempt: Attempt,
  { entries, gone, cpp }: Changes,
  tally: Tally,
  ports: IndexingPorts,
): Promise<CodeFile[] | undefined> {
  const replaced: CodeFile[] = []
  const folders = new Set<string>()
  for await (const batch of batchesOf(entries)) {
    if (!(await renew(attempt.connected.id, attempt.generation, ports))) return undefined
    const paths = batch.map(({ path }) => path)
    await replace(paths)
    for (const file of await writeEntries(attempt, batch, cpp, ports)) tally.add(file)
    const added = [...foldersOf(paths)].filter((folder) => !folders.has(folder))
    for (const folder of added) folders.add(folder)
    await writePaths(attempt, added, 'directory', ports)
  }
  for await (const batch of batchesOf(gone)) {
    if (!(await renew(attempt.connected.id, attempt.generation, ports))) return undefined
    await replace(batch)
    await writePaths(attempt, batch, 'gone', ports)
  }
  await removeEmptyFolders(attempt, foldersOf(gone), ports)
  return replaced

  async function replace(paths: readonly string[]): Promise<void> {
    if (attempt.isWhole) return
    const files = await shownFiles(attempt.repository, paths, ports.documents)
    for (const file of files) tally.remove(file)
    replaced.push(...files)
  }
}

/** Deepest first: a folder may hold nothing but folders that have become empty. */
async function removeEmptyFolders(attempt: Attempt, folders: Set<string>, ports: IndexingPorts): Promise<void> {
  const { repository, generation } = attempt
  const counted = { id: repository.id, published: [...repository.published, generation] }
  const deepestFirst = [...folders].sort((a, b) => b.split('/').length - a.split('/').length)
  for (const folder of deepestFirst) {
    if (!(await hasEntries(counted, folder, ports))) await writePaths(attempt, [folder], 'gone', ports)
  }
}

async function hasEntries(
  repository: Pick<CodeRepository, 'id' | 'published'>,
  folder: string,
  { documents }: Pick<IndexingPorts, 'documents'>,
): Promise<boolean> {
  const first = await shownIn(repository, folder, documents).next()
  return first.done !== true
}

async function clear(attempt: Attempt, replaced: readonly CodeFile[], ports: IndexingPorts): Promise<void> {
  const { connected, generation } = attempt
  if (!attempt.isWhole) {
    const now = await contentsOf(connected.id, replaced, generation, ports)
    return clearFiles(replaced, now, generation, ports)
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
  { id }: CodeRepository,
  generation: number,
  settings: string,
  ports: IndexingPorts,
): Promise<IndexOutcome> {
  const empty = {
    ...nothing,
    commit: null,
    commit_at: null,
    behind_since: null,
    published: [],
    settings,
    state: 'ready',
  } as const
  const set = { ...empty, published: [] as number[], claimed_until: '' }
  const isMine = await ports.documents.update(codeRepositories, id, { set }, { generation })
  if (!isMine) return 'taken'
  for await (const rows of rowsBefore(id, generation, ports)) await clearFiles(rows, new Set(), generation, ports)
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
