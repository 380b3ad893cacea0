/**
 * A connected repository as the source of an import: its newest commit, straight from its mirror. No file of it is
 * written, and none of its history is known.
 */
import type { ConnectedRepository } from '../../../config/operator/repository-settings.ts'
import type { Mirrors, TreeEntry } from '../../ports/mirrors.ts'
import { problem } from '../../problem.ts'
import { isSkipped, mostEntries, mostFileBytes, mostFiles, mostTotalBytes } from './bounds.ts'
import { decode, type FileText, type Folder, notRegular, symbolicLink, tooLarge, tooMany, type Walk } from './folder.ts'
import { remoteName, type Source, webUrl } from './source.ts'

export interface MirrorOptions {
  /** The beginning of external ids. Default: the name of the repository. */
  name?: string | undefined
  signal: AbortSignal
}

/** Fetches the newest commit first. Throws not_found if the repository has none. Rejects with MirrorError. */
export async function mirrorSource(
  connected: ConnectedRepository,
  mirrors: Mirrors,
  { name, signal }: MirrorOptions,
): Promise<Source> {
  const { id, url, token, branch } = connected
  const head = await mirrors.fetch({ id, url, ...(token ? { token } : {}), ...(branch ? { branch } : {}) }, signal)
  if (head === null) throw problem('not_found', `${connected.name} has no commit yet.`)
  const remote = url.startsWith('/') ? undefined : remoteName(url)
  return {
    name: name ?? connected.name,
    root: connected.name,
    urlOf: (file) => webUrl(remote, file),
    placesOfDates: 'the text or the file name, and a mirror has no history',
    folder: (path) => folderIn({ id, commit: head.commit, mirrors, signal }, path),
  }
}

interface At {
  id: string
  commit: string
  mirrors: Mirrors
  signal: AbortSignal
}

function folderIn(at: At, folder: string): Folder {
  let texts = new Map<string, FileText>()
  return {
    async walk(wanted) {
      const { entries, ...walked } = await walkEntries(at, folder, wanted)
      texts = await textsOf(entries, at)
      return walked
    },
    async read(path) {
      return texts.get(path) ?? { refused: 'not read, because the files of this import have too much text' }
    },
  }
}

async function walkEntries(
  { id, commit, mirrors, signal }: At,
  folder: string,
  wanted: (path: string) => boolean,
): Promise<Walk & { entries: TreeEntry[] }> {
  const inside = folder === '' ? '' : `${folder}/`
  const found: Walk & { entries: TreeEntry[] } = { files: [], notes: [], entries: [] }
  let seen = 0
  let isThere = folder === ''
  for await (const entry of mirrors.entries(id, commit, signal)) {
    if (!entry.path.startsWith(inside)) continue
    isThere = true
    const path = entry.path.slice(inside.length)
    if (!entry.isUtf8 || path.split('/').slice(0, -1).some(isSkipped) || !wanted(path)) continue
    if (++seen > mostEntries || found.files.length >= mostFiles) {
      found.notes.push({ file: '.', message: tooMany })
      break
    }
    if (entry.type === 'file' || entry.type === 'executable') {
      found.files.push(path)
      found.entries.push({ ...entry, path })
    } else found.notes.push({ file: path, message: entry.type === 'symlink' ? symbolicLink : notRegular })
  }
  if (!isThere) throw problem('not_found', `The newest commit has no folder ${folder}.`)
  found.files.sort((a, b) => (a < b ? -1 : 1))
  return found
}

/** By path. Files beyond the text of one import are left out. */
async function textsOf(entries: readonly TreeEntry[], { id, mirrors, signal }: At): Promise<Map<string, FileText>> {
  const blobs = new Map<string, FileText>()
  let total = 0
  const wanted = new Set<string>()
  for (const { blob, size } of entries) {
    total += wanted.has(blob) ? 0 : Math.min(size ?? 0, mostFileBytes)
    if (total <= mostTotalBytes) wanted.add(blob)
  }
  for await (const { blob, bytes } of mirrors.blobs(id, wanted, mostFileBytes, signal)) {
    blobs.set(blob, bytes === undefined ? { refused: tooLarge } : decode(bytes))
  }
  return new Map(
    entries.flatMap(({ path, blob }) => {
      const text = blobs.get(blob)
      return text === undefined ? [] : [[path, text] as const]
    }),
  )
}
