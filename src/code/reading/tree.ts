/**
 * repository.tree: the entries below a folder of a repository, at the indexed commit. The entries of a folder follow it
 * directly; of one folder, its folders come first, then all else, each by name.
 */
import { boundCursor } from '../../access/bound-cursor.ts'
import { defineQuery } from '../../operation.ts'
import type { Documents } from '../../ports/documents.ts'
import { problem } from '../../problem.ts'
import type { CodeFile } from '../stored/file.ts'
import { codeRepositories, nameKey } from '../stored/repository.ts'
import { shownFiles, shownIn } from '../stored/shown-files.ts'
import { type ServedRepository, servedRepository } from './repositories.ts'
import { type TreeInput, type TreeOutput, treeInput, treeOutput } from './schema.ts'

type Entry = TreeOutput['entries'][number]

/** The path and the leaf of the last entry shown. */
type Position = Pick<CodeFile, 'path' | 'leaf'>

/** A page ends after so many folders were opened, so that a tree of small folders takes no longer than others. */
const mostFolders = 300
/** A new commit may be published while a page is read: then it is read again. */
const mostReads = 3

export const repositoryTree = defineQuery<TreeInput, TreeOutput>({
  name: 'repository.tree',
  scope: 'repos:read',
  summary: 'Files and folders of a connected repository, at its indexed commit.',
  input: treeInput,
  output: treeOutput,

  async run({ input, actor, reads }) {
    const { repo_full_name, depth, limit, ref } = input
    const path = input.path.replace(/^(?:\.?\/)+|^\.$|\/+$/g, '')
    const query = ['repository.tree', nameKey(repo_full_name), path, depth]
    const cursor = boundCursor<Position>(reads, actor, 'list', query, input.cursor)
    for (let read = 1; ; read++) {
      const { row, store } = await servedRepository(reads.code, actor, repo_full_name)
      assertIndexed(row, ref)
      const { entries, next } = await pageOf(
        { repository: row, documents: store.documents },
        { path, depth, limit, after: cursor.position },
      )
      const now = await store.documents.get(codeRepositories, row.id, ['commit'])
      // rows of the commit before may have been deleted meanwhile
      if (now?.commit !== row.commit && read < mostReads) continue
      return {
        repo: row.name,
        commit: row.commit,
        path,
        entries,
        truncated: next !== undefined,
        ...(next === undefined ? {} : { next_cursor: cursor.next(next) }),
      }
    }
  },
})

/** The shortest beginning of an object id that names a commit here. */
const shortestCommit = 7

function assertIndexed({ name, branch, commit }: ServedRepository, ref: string | undefined): void {
  const isBranch = ref === undefined || ref === 'HEAD' || ref === branch || ref === `refs/heads/${branch}`
  if (isBranch || (ref.length >= shortestCommit && commit.startsWith(ref.toLowerCase()))) return
  const indexed = branch === null ? commit : `${branch} at ${commit}`
  throw problem('ref_not_indexed', `Of ${name}, only ${indexed} is indexed. Leave ref out, or send one of these.`, {
    details: { ...(branch === null ? {} : { branch }), commit },
  })
}

interface Reading {
  repository: ServedRepository
  documents: Documents
}

interface Wanted {
  path: string
  depth: number
  limit: number
  after: Position | undefined
}

async function pageOf(reading: Reading, { path, depth, limit, after }: Wanted) {
  if (path !== '') {
    const [self] = await shownFiles(reading.repository, [path], reading.documents)
    if (self === undefined) {
      throw problem('not_found', `There is no such path in ${reading.repository.name} at the indexed commit.`)
    }
    if (self.leaf === 1) return { entries: [entryOf(self)], next: undefined }
  }
  const entries: Entry[] = []
  let last: Position | undefined
  const walk: Walk = { folders: 0 }
  for await (const row of below(reading, walk, path, depth, after)) {
    if (entries.length === limit) return { entries, next: last }
    entries.push(entryOf(row))
    last = { path: row.path, leaf: row.leaf }
  }
  return { entries, next: walk.folders > mostFolders ? last : undefined }
}

interface Walk {
  /** Opened so far. Above mostFolders: the walk has stopped early. */
  folders: number
}

/** The entries of the folder that come after the position, each with what is below it. */
async function* below(
  reading: Reading,
  walk: Walk,
  folder: string,
  depth: number,
  after: Position | undefined,
): AsyncGenerator<CodeFile> {
  walk.folders += 1
  if (walk.folders > mostFolders) return
  const started = after && entryToward(folder, after)
  if (started !== undefined && started.leaf === 0 && depth > 1) {
    const inside = started.path === after?.path ? undefined : after
    yield* below(reading, walk, started.path, depth - 1, inside)
    if (walk.folders > mostFolders) return
  }
  for await (const row of shownIn(reading.repository, folder, reading.documents, started)) {
    yield row
    if (row.leaf === 0 && depth > 1) yield* below(reading, walk, row.path, depth - 1, undefined)
    if (walk.folders > mostFolders) return
  }
}

/** The entry of this folder that leads to the position, or is it. */
function entryToward(folder: string, { path, leaf }: Position): Position {
  const from = folder === '' ? 0 : folder.length + 1
  const end = path.indexOf('/', from)
  return end === -1 ? { path, leaf } : { path: path.slice(0, end), leaf: 0 }
}

function entryOf({ path, type, size, language, symbols, skipped, parsed }: CodeFile): Entry {
  return {
    path,
    type: type as Entry['type'],
    ...(size === null ? {} : { size }),
    ...(language === null ? {} : { language }),
    ...(type === 'file' && parsed !== null && skipped === null ? { symbols } : {}),
    ...(skipped === null ? {} : { skipped }),
  }
}
