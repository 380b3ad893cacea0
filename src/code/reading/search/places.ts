/**
 * Where a search looks. In a repository that has a folder or a file of the name at its indexed commit, `path:` means this
 * one. Otherwise it is the beginning of a path. So the answer never depends on what else was found.
 */
import { chunks } from '../../../ports/chunks.ts'
import type { Documents, Where } from '../../../ports/documents.ts'
import { type CodeFile, codeFiles, currentFiles } from '../../stored/file.ts'
import { hasWildcards, matcherOf } from '../../stored/path-patterns.ts'
import type { Scope } from '../scope.ts'
import type { CodeQuery } from './query.ts'

export interface Places {
  /** Folders and files that hold all that fits. Empty: nothing fits. undefined: they are too many, or all. */
  inside: readonly string[] | undefined
  /** All paths that fit begin with one of these. */
  beginnings: readonly string[]
  fits(file: Pick<CodeFile, 'repository' | 'path'>): boolean
}

type Place = Pick<Places, 'inside' | 'fits'> & { beginning: string }

/** Folders and files that an index is asked for together. For more, the folder around them is asked for. */
const mostInside = 50
const repositoriesAtOnce = 200
const mostRows = 10_000

export async function placesOf(
  { wanted, unwanted }: Pick<CodeQuery, 'wanted' | 'unwanted'>,
  scope: Pick<Scope, 'served'>,
  documents: Documents,
): Promise<Places> {
  const placed = (patterns: readonly string[]) =>
    Promise.all(patterns.map((pattern) => placeOf(pattern.replace(/^(?:\.?\/)+/, ''), scope, documents)))
  const [wantedPlaces, unwantedPlaces] = [await placed(wanted.paths), await placed(unwanted.paths)]
  const isBounded = wantedPlaces.length > 0 && wantedPlaces.every(({ inside }) => inside !== undefined)
  const inside = new Set(wantedPlaces.flatMap((place) => place.inside ?? []))
  return {
    inside: isBounded ? [...inside] : undefined,
    beginnings: wantedPlaces.length === 0 ? [''] : distinct(wantedPlaces.map(({ beginning }) => beginning)),
    fits: (file) =>
      (wantedPlaces.length === 0 || wantedPlaces.some(({ fits }) => fits(file))) &&
      !unwantedPlaces.some(({ fits }) => fits(file)),
  }
}

/** Without those that begin with another one. */
function distinct(beginnings: readonly string[]): string[] {
  const kept: string[] = []
  for (const one of [...beginnings].sort()) if (!kept.some((other) => one.startsWith(other))) kept.push(one)
  return kept
}

async function placeOf(pattern: string, scope: Pick<Scope, 'served'>, documents: Documents): Promise<Place> {
  if (hasWildcards(pattern)) {
    const isAt = matcherOf(pattern)
    const beginning = pattern.split(/[*?]/)[0] as string
    return { beginning, inside: around(beginning), fits: ({ path }) => isAt(path) }
  }
  const path = pattern.replace(/\/+$/, '')
  const isFolder = path !== pattern
  if (path === '') return { beginning: '', inside: undefined, fits: () => true }
  const ids = [...scope.served.keys()]
  const named = new Set<string>()
  for (const { repository, type } of await entriesAt({ path }, ids, scope, documents)) {
    if (type === 'directory' || (type === 'file' && !isFolder)) named.add(repository)
  }
  const begun = isFolder ? [] : ids.filter((id) => !named.has(id))
  const range = { gte: path, lt: `${path}\u{10ffff}` }
  const where = { parent: folderOf(path), leaf: { in: [0, 1] }, path: range }
  const entries = await entriesAt(where, begun, scope, documents)
  const inside = new Set([...(named.size > 0 ? [path] : []), ...entries.map((entry) => entry.path)])
  return {
    beginning: path,
    inside: inside.size > mostInside ? around(path) : [...inside],
    fits: (file) =>
      named.has(file.repository)
        ? file.path === path || file.path.startsWith(`${path}/`)
        : !isFolder && file.path.startsWith(path),
  }
}

/** Entries of these repositories that are shown. If there are very many, those of some repositories. */
async function entriesAt(
  where: Where<CodeFile>,
  repositories: readonly string[],
  { served }: Pick<Scope, 'served'>,
  documents: Documents,
) {
  const shown: Pick<CodeFile, 'repository' | 'path' | 'generation' | 'type'>[] = []
  const fields = ['repository', 'path', 'generation', 'type'] as const
  for (const ids of chunks(repositories, repositoriesAtOnce)) {
    const rows = await documents.find(codeFiles, {
      where: { ...where, repository: { in: ids } },
      limit: mostRows,
      fields,
    })
    for (const id of new Set(rows.map(({ repository }) => repository))) {
      const own = rows.filter(({ repository }) => repository === id)
      shown.push(...currentFiles(own, served.get(id)?.published ?? []))
    }
  }
  return shown
}

/** The folder around a path, for the index; undefined: the root. */
function around(path: string): string[] | undefined {
  const folder = folderOf(path)
  return folder === '' ? undefined : [folder]
}

function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')))
}
