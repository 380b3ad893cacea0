/** Lists the entries of a commit. */
import { MirrorError, type TreeEntry } from '../../ports/mirrors.ts'
import type { GitLimits } from './limits.ts'
import { type Git, startGit } from './process.ts'
import { pathOf, recordsOf, typeOf } from './records.ts'

/** See Mirrors.entries(). */
export async function* entriesOf(
  git: Git,
  gitDir: string,
  commit: string,
  limits: GitLimits,
  signal: AbortSignal,
): AsyncGenerator<TreeEntry> {
  const args = ['ls-tree', '-r', '-z', '-l', '--full-tree', '--end-of-options', commit]
  const running = startGit(git, { args, gitDir, timeMs: limits.readMs }, signal)
  running.stdin.end()
  let seen = 0
  try {
    for await (const record of recordsOf(running.stdout)) {
      seen += 1
      if (seen > limits.mostEntries)
        throw new MirrorError('too_large', `it has more than ${limits.mostEntries} entries`)
      const entry = entryOf(record)
      if (entry === undefined) continue
      yield entry
      running.restartTime()
    }
    await running.ended
  } finally {
    // the caller may have stopped reading
    running.kill()
  }
}

/** `<mode> <type> <object> <size, with spaces before it>\t<path>`. */
function entryOf(record: Buffer): TreeEntry | undefined {
  const tab = record.indexOf('\t')
  const [mode = '', , blob = '', size = ''] = record.subarray(0, tab).toString('latin1').split(/ +/)
  const type = typeOf(mode)
  const named = pathOf(record.subarray(tab + 1))
  if (tab === -1 || type === undefined || named === undefined) return undefined
  return { ...named, type, blob, size: type === 'submodule' ? null : Number(size) }
}
