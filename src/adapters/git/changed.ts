/** Compares two commits of a mirror. */
import { type ChangedPath, MirrorError, type TreeEntry } from '../../ports/mirrors.ts'
import { blobsOf } from './blobs.ts'
import type { GitLimits } from './limits.ts'
import { type Git, startGit } from './process.ts'
import { pathOf, recordsOf, typeOf } from './records.ts'

/** See Mirrors.changed(). undefined: a name that is not UTF-8 has changed, and shown names don't tell these apart. */
export async function changedPaths(
  git: Git,
  gitDir: string,
  from: string,
  to: string,
  limits: GitLimits,
  signal: AbortSignal,
): Promise<ChangedPath[] | undefined> {
  const options = ['-r', '--raw', '-z', '--no-renames', '--no-abbrev', '--no-ext-diff', '--no-textconv']
  const args = ['diff-tree', ...options, '--ignore-submodules=none', '--end-of-options', from, to]
  const running = startGit(git, { args, gitDir, timeMs: limits.readMs }, signal)
  running.stdin.end()
  const changed: ChangedPath[] = []
  try {
    // the header of a change and its path take turns
    let header: string | undefined
    for await (const record of recordsOf(running.stdout)) {
      if (header === undefined) {
        header = record.toString('latin1')
        continue
      }
      const change = changeOf(header, record)
      header = undefined
      if (change === 'ambiguous') return undefined
      if (change !== undefined) changed.push(change)
      if (changed.length > limits.mostEntries) {
        throw new MirrorError('too_large', `more than ${limits.mostEntries} entries have changed`)
      }
    }
    await running.ended
  } finally {
    running.kill()
  }
  const files = changed.flatMap(({ entry }) => (entry === null || entry.type === 'submodule' ? [] : [entry]))
  await fillSizes(git, gitDir, files, limits, signal)
  return changed
}

/** `:<mode before> <mode> <object before> <object> <status>`. */
function changeOf(header: string, bytes: Buffer): ChangedPath | 'ambiguous' | undefined {
  const [, mode = '', , blob = '', status] = header.split(' ')
  const named = pathOf(bytes)
  if (named === undefined) return undefined
  if (!named.isUtf8) return 'ambiguous'
  if (status === 'D') return { path: named.path, entry: null }
  const type = typeOf(mode)
  return type === undefined ? undefined : { path: named.path, entry: { ...named, type, blob, size: null } }
}

/** Bytes: every blob is larger. */
const sizesOnly = -1

async function fillSizes(
  git: Git,
  gitDir: string,
  entries: readonly TreeEntry[],
  limits: GitLimits,
  signal: AbortSignal,
): Promise<void> {
  if (entries.length === 0) return
  let at = 0
  const ids = entries.map(({ blob }) => blob)
  for await (const { size } of blobsOf(git, gitDir, ids, sizesOnly, limits, signal)) {
    const entry = entries[at]
    if (entry !== undefined) entry.size = size
    at += 1
  }
}
