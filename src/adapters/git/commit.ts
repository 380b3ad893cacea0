/** Reads a commit. */
import { MirrorError } from '../../ports/mirrors.ts'
import type { GitLimits } from './limits.ts'
import { type Git, runGit } from './process.ts'

/** Bytes. A message may have any length, but it comes last. */
const longestCommit = 16 * 1024 ** 2
/** s, of the year 9999: the last that an ISO instant shows with four digits. */
const latest = 253_402_300_799

/** The ISO instant at which it was committed. Rejects with MirrorError; `missing`: there is no such commit. */
export async function instantOf(
  git: Git,
  gitDir: string,
  commit: string,
  { readMs }: GitLimits,
  signal: AbortSignal,
): Promise<string> {
  const command = { args: ['cat-file', 'commit', commit], gitDir, timeMs: readMs }
  const text = (await runGit(git, command, longestCommit, signal)).toString('latin1')
  const header = text.slice(0, Math.max(text.indexOf('\n\n'), 0))
  const seconds = /^committer .*> (-?\d{1,20}) [+-]\d{4,}$/m.exec(header)?.[1]
  if (seconds === undefined) throw new MirrorError('refused', 'the commit has no time')
  // whoever made it could write any time
  return new Date(Math.min(Math.max(Number(seconds), 0), latest) * 1000).toISOString()
}
