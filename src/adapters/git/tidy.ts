/** Removes what nobody reads any more from a mirror. */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { borrow } from './fetch.ts'
import {
  forgetCommit,
  formatOf,
  inWorkFolder,
  movePacks,
  othersAtWork,
  packsOf,
  prepareRepository,
  recordedCommits,
  removePack,
} from './folders.ts'
import type { GitLimits } from './limits.ts'
import { type Git, runGit } from './process.ts'

/** Bytes beside the largest pack that are not worth the work. */
const littleBytes = 16 * 1024 ** 2

/**
 * Packs the objects of `read` and of recent commits anew, and removes all other packs. Leaves that to a later call if
 * another fetch or clean-up is at work: what that relies on could be removed.
 */
export async function tidy(
  git: Git,
  folder: string,
  read: readonly string[],
  limits: GitLimits,
  signal: AbortSignal,
): Promise<void> {
  const recorded = await recordedCommits(folder)
  const since = Date.now() - limits.keepMs
  const needed = (commit: string) => read.includes(commit) || (recorded.get(commit) ?? 0) > since
  const dropped = [...recorded.keys()].filter((commit) => !needed(commit))
  for (const format of ['sha1', 'sha256'] as const) {
    const gitDir = join(folder, format)
    const kept = [...recorded.keys()].filter((commit) => needed(commit) && formatOf(commit) === format)
    const gone = dropped.filter((commit) => formatOf(commit) === format)
    const packs = await packsOf(gitDir)
    if (!isWorthwhile(packs, gone.length, limits)) continue
    await inWorkFolder(folder, async (own) => {
      if ((await othersAtWork(folder, own)) > 0) return
      const work = join(own, 'packing')
      await prepareRepository(work, format)
      await borrow(work, gitDir, kept)
      const moved = kept.length === 0 ? [] : await packInto(git, work, limits, signal)
      await movePacks(work, gitDir)
      for (const commit of gone) await forgetCommit(folder, commit)
      // a fetch that begins from here on no longer builds on the forgotten commits
      if ((await othersAtWork(folder, own)) > 0) return
      for (const { name } of packs) if (!moved.includes(name)) await removePack(gitDir, name)
    })
  }
}

/** `packs`: the largest first. */
function isWorthwhile(packs: readonly { bytes: number }[], gone: number, { mostPacks }: GitLimits): boolean {
  if (packs.length > mostPacks) return true
  const [largest = { bytes: 0 }, ...others] = packs
  const beside = others.reduce((sum, { bytes }) => sum + bytes, 0)
  return gone > 0 && beside > Math.max(littleBytes, largest.bytes / 2)
}

/** Returns the names of the packs. */
async function packInto(git: Git, work: string, limits: GitLimits, signal: AbortSignal): Promise<string[]> {
  const folder = join(work, 'objects', 'pack')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const args = ['pack-objects', '--all', '--quiet', '--delta-base-offset', join(folder, 'pack')]
  await runGit(git, { args, gitDir: work, largestFile: limits.mostBytes, timeMs: limits.fetchMs }, 64 * 1024, signal)
  return (await packsOf(work)).map(({ name }) => name)
}
