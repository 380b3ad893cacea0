/** Checks hits against the files of the indexed commit: nothing stale or half-indexed is shown. */
import { chunks } from '../../ports/chunks.ts'
import type { Documents } from '../../ports/documents.ts'
import { type CodeFile, codeFiles } from '../stored/file.ts'
import { shownFiles } from '../stored/shown-files.ts'
import type { ServedRepository } from './repositories.ts'

const contentsAtOnce = 100
const mostRows = 10_000

/** The files that are shown and have one of these contents, by content. All repositories must be of one workspace. */
export async function filesOf(
  contents: Iterable<string>,
  served: ReadonlyMap<string, ServedRepository>,
  documents: Documents,
): Promise<Map<string, CodeFile>> {
  const paths = new Map<string, Set<string>>()
  const [workspace] = [...served.values()].map((row) => row.workspace)
  if (workspace === undefined) return new Map()
  const fields = ['repository', 'path'] as const
  for (const some of chunks([...new Set(contents)], contentsAtOnce)) {
    const where = { workspace, content: { in: some } }
    for (const { repository, path } of await documents.find(codeFiles, { where, limit: mostRows, fields })) {
      if (!served.has(repository)) continue
      paths.set(repository, (paths.get(repository) ?? new Set()).add(path))
    }
  }
  const wanted = new Set(contents)
  const found = new Map<string, CodeFile>()
  for (const [repository, some] of paths) {
    for (const file of await shownFiles(served.get(repository) as ServedRepository, [...some], documents)) {
      if (wanted.has(file.content)) found.set(file.content, file)
    }
  }
  return found
}
