/** What an attempt has to write: the entries that changed since the indexed commit, or all of them. */
import type { TreeEntry } from '../../ports/mirrors.ts'
import { isIndexed } from '../stored/path-patterns.ts'
import type { Attempt, IndexingPorts } from './ports.ts'

export interface Changes {
  isWhole: boolean
  entries: AsyncIterable<TreeEntry> | Iterable<TreeEntry>
  /** Paths that do not exist any more. */
  gone: string[]
  /** The repository has C++ files, so its `.h` files are C++. */
  cpp: boolean
}

export async function changesOf(attempt: Attempt, commit: string, ports: IndexingPorts): Promise<Changes> {
  const { repository, connected, signal } = attempt
  const { mirrors, parser } = ports
  const isCpp = ({ path }: { path: string }) => parser.languageOf(path) === 'cpp'
  const hadCpp = Object.hasOwn(repository.languages, 'cpp')
  const changed =
    attempt.isWhole || repository.commit === null
      ? undefined
      : await mirrors.changed(connected.id, repository.commit, commit, signal)
  // with the first file of C++ the language of all headers changes
  if (changed !== undefined && (hadCpp || !changed.some(isCpp))) {
    const wanted = changed.filter(({ path }) => isIndexed(path, connected))
    const entries = wanted.flatMap(({ entry }) => (entry === null ? [] : [entry]))
    return { isWhole: false, entries, gone: pathsGone(wanted), cpp: hadCpp }
  }
  return { isWhole: true, entries: wantedEntries(), gone: [], cpp: await hasCpp() }

  async function* wantedEntries(): AsyncIterable<TreeEntry> {
    const seen = new Set<string>()
    for await (const entry of mirrors.entries(connected.id, commit, signal)) {
      // two names that are not UTF-8 may look the same: the first one is shown
      if (!isIndexed(entry.path, connected) || (!entry.isUtf8 && seen.has(entry.path))) continue
      if (!entry.isUtf8) seen.add(entry.path)
      yield entry
    }
  }

  async function hasCpp(): Promise<boolean> {
    for await (const entry of wantedEntries()) if (isCpp(entry)) return true
    return false
  }
}

/** Not those that have become a folder: its row takes their place. */
function pathsGone(changed: readonly { path: string; entry: TreeEntry | null }[]): string[] {
  const there = changed.filter(({ entry }) => entry !== null).map(({ path }) => path)
  return changed
    .filter(({ path, entry }) => entry === null && !there.some((one) => one.startsWith(`${path}/`)))
    .map(({ path }) => path)
}
