/** Reads the entries of a repository that are shown: of each path the row that counts (stored/file.ts). */
import { chunks } from '../../ports/chunks.ts'
import type { Documents, Range, Where } from '../../ports/documents.ts'
import { type CodeFile, codeFiles, currentFiles } from './file.ts'
import type { CodeRepository } from './repository.ts'

type Shown = Pick<CodeRepository, 'id' | 'published'>

/** Paths of one query. Each has at most a row for each published attempt, and few that are not published. */
const pathsAtOnce = 40
const mostRows = 10_000
/** Rows of a folder that are read at once. */
const rowsAtOnce = 500
const pathRowsAtOnce = 100

/** In the order of the paths, which must be distinct. Those that do not exist are left out. */
export async function shownFiles(
  { id, published }: Shown,
  paths: readonly string[],
  documents: Documents,
): Promise<CodeFile[]> {
  const rows = await rowsOfPaths(id, paths, documents)
  const shown = new Map(currentFiles(rows, published).map((file) => [file.path, file]))
  return paths.flatMap((path) => shown.get(path) ?? [])
}

/** The rows of all attempts. `fields`: if left out, all. */
export async function rowsOfPaths<Field extends keyof CodeFile = keyof CodeFile>(
  repository: string,
  paths: readonly string[],
  documents: Documents,
  fields?: readonly Field[],
): Promise<Pick<CodeFile, Field>[]> {
  const rows: Pick<CodeFile, Field>[] = []
  for (const some of chunks(paths, pathsAtOnce)) {
    const where = { repository, path: { in: some } }
    rows.push(...(await documents.find(codeFiles, { where, limit: mostRows, ...(fields && { fields }) })))
  }
  return rows
}

/** The paths with this beginning that any attempt has written, ascending and each once. In pages. */
export async function* pathsFrom(
  repository: string,
  beginning: string,
  documents: Documents,
): AsyncGenerator<string[]> {
  const sort = [['path', 'asc'] as const, ['generation', 'asc'] as const, ['id', 'asc'] as const]
  const end = { lt: `${beginning}\u{10ffff}` }
  for (let path: Range = { gte: beginning, ...end }; ; ) {
    const where = { repository, path }
    const rows = await documents.find(codeFiles, { where, sort, limit: pathRowsAtOnce, fields: ['path'] })
    const paths = [...new Set(rows.map((row) => row.path))]
    if (paths.length > 0) yield paths
    if (rows.length < pathRowsAtOnce) return
    path = { gt: paths.at(-1) as string, ...end }
  }
}

/** The entries of a folder that come after one of them: its folders, then all else, each by path. */
export async function* shownIn(
  repository: Shown,
  folder: string,
  documents: Documents,
  after?: Pick<CodeFile, 'path' | 'leaf'>,
): AsyncGenerator<CodeFile> {
  for (const leaf of [0, 1] as const) {
    if (after !== undefined && leaf < after.leaf) continue
    let last = leaf === after?.leaf ? after.path : ''
    for (;;) {
      const where: Where<CodeFile> = { repository: repository.id, parent: folder, leaf, path: { gt: last } }
      const sort = [['path', 'asc'] as const, ['id', 'asc'] as const]
      const found = await documents.find(codeFiles, { where, sort, limit: rowsAtOnce, fields: ['path'] })
      const paths = [...new Set(found.map(({ path }) => path))]
      for (const some of chunks(paths, pathsAtOnce)) {
        // an older row may say that the path is a folder, and a newer one that it is a file
        for (const file of await shownFiles(repository, some, documents)) if (file.leaf === leaf) yield file
      }
      if (found.length < rowsAtOnce) break
      last = paths.at(-1) as string
    }
  }
}
