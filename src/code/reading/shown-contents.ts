/** Finds the files of hits, and checks them against the indexed commit: nothing stale or half-indexed is shown. */
import { chunks } from '../../ports/chunks.ts'
import type { Documents } from '../../ports/documents.ts'
import { type CodeFile, codeFiles, currentFiles } from '../stored/file.ts'
import { rowsOfPaths } from '../stored/shown-files.ts'
import type { ServedRepository } from './repositories.ts'

const contentsAtOnce = 200
const mostRows = 10_000

/** The same in all rows of a content. */
const fieldsOfContent = ['content', 'repository', 'path', 'language', 'parsed', 'size', 'skipped'] as const
export type ContentFile = Pick<CodeFile, (typeof fieldsOfContent)[number]>

const fieldsOfRow = ['content', 'path', 'type', 'generation'] as const

type Served = ReadonlyMap<string, ServedRepository>

/** By content, of these repositories, which must be of one workspace. Some may not be shown: see shownOf. */
export async function filesOf(
  contents: Iterable<string>,
  served: Served,
  documents: Documents,
): Promise<Map<string, ContentFile>> {
  const found = new Map<string, ContentFile>()
  const [workspace] = [...served.values()].map((row) => row.workspace)
  if (workspace === undefined) return found
  for (const some of chunks([...new Set(contents)], contentsAtOnce)) {
    const where = { workspace, content: { in: some } }
    for (const file of await documents.find(codeFiles, { where, limit: mostRows, fields: fieldsOfContent })) {
      if (served.has(file.repository)) found.set(file.content, file)
    }
  }
  return found
}

/** The first `count` hits whose files are in the indexed commit. Only as many as needed are looked up. */
export async function firstShown<Hit extends { file: ContentFile }>(
  hits: readonly Hit[],
  count: number,
  served: Served,
  documents: Documents,
): Promise<Hit[]> {
  const found: Hit[] = []
  for (const some of chunks(hits, count)) {
    const files = some.map(({ file }) => file)
    const shown = new Set(await shownOf(files, served, documents))
    found.push(...some.filter(({ file }) => shown.has(file)))
    if (found.length >= count) break
  }
  return found.slice(0, count)
}

/** Those that are at their path in the indexed commit of their repository, in their order. */
export async function shownOf<File extends Pick<CodeFile, 'content' | 'repository' | 'path'>>(
  files: readonly File[],
  served: Served,
  documents: Documents,
): Promise<File[]> {
  const paths = new Map<string, Set<string>>()
  for (const { repository, path } of files) paths.set(repository, (paths.get(repository) ?? new Set()).add(path))
  const shown = new Set<string>()
  for (const [repository, some] of paths) {
    const published = served.get(repository)?.published ?? []
    const rows = await rowsOfPaths(repository, [...some], documents, fieldsOfRow)
    for (const { content } of currentFiles(rows, published)) shown.add(content)
  }
  return files.filter(({ content }) => shown.has(content))
}
