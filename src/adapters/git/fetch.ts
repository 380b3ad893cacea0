/** Fetches the newest commit of a branch into a mirror. */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Head, MirrorError, type Source } from '../../ports/mirrors.ts'
import { instantOf } from './commit.ts'
import {
  bytesIn,
  formatOf,
  inWorkFolder,
  isObjectId,
  movePacks,
  othersAtWork,
  prepareMirror,
  prepareRepository,
  recordCommit,
  recordedCommits,
} from './folders.ts'
import type { GitLimits } from './limits.ts'
import { type Git, runGit, startGit } from './process.ts'
import { askRemote, type RemoteHead } from './remote.ts'
import { tokenVariables } from './settings.ts'

interface Fetching {
  git: Git
  /** Of the mirror. */
  folder: string
  source: Source
  limits: GitLimits
  signal: AbortSignal
}

/** See Mirrors.fetch(). */
export async function fetchHead(fetching: Fetching): Promise<Head | null> {
  const { git, folder, source, limits, signal } = fetching
  const head = await askRemote(git, source, limits, signal)
  if (head === null) return null
  await prepareMirror(folder, source.id)
  const gitDir = join(folder, formatOf(head.commit))
  if ((await recordedCommits(folder)).has(head.commit)) {
    const at = await instantOf(git, gitDir, head.commit, limits, signal).catch(() => undefined)
    if (at !== undefined) {
      await recordCommit(folder, head.commit)
      return { branch: head.branch, commit: head.commit, at }
    }
  }
  await prepareRepository(gitDir, formatOf(head.commit))
  return inWorkFolder(folder, async (own) => {
    await othersAtWork(folder, own)
    return (
      (await fetchInto({ ...fetching, gitDir, own, head, builds: true })) ?? fetchWhole(fetching, gitDir, own, head)
    )
  })
}

interface Download extends Fetching {
  /** Of the mirror's repository. */
  gitDir: string
  /** The work folder. */
  own: string
  head: RemoteHead
  /** Objects that the mirror has already are not downloaded again. */
  builds: boolean
}

/** For a mirror that was damaged. */
async function fetchWhole(fetching: Fetching, gitDir: string, own: string, head: RemoteHead): Promise<Head> {
  const fetched = await fetchInto({ ...fetching, gitDir, own, head, builds: false })
  if (fetched === undefined) throw new MirrorError('refused', 'the remote sent a commit without all of its files')
  return fetched
}

/** undefined: objects of the commit are missing. */
async function fetchInto(download: Download): Promise<Head | undefined> {
  const { git, folder, gitDir, own, head, limits, signal, builds } = download
  const work = join(own, builds ? 'building' : 'whole')
  await prepareRepository(work, formatOf(head.commit))
  if (builds) await borrow(work, gitDir, [...(await recordedCommits(folder)).keys()])
  await downloadInto(work, download)
  const commit = await fetchedCommit(work, download)
  const at = await instantOf(git, work, commit, limits, signal)
  if (!(await isComplete(work, commit, download))) return undefined
  await movePacks(work, gitDir)
  await recordCommit(folder, commit)
  return { branch: head.branch, commit, at }
}

/** The mirror's commits become those that `work` has: git tells them to the remote, and gets only what is new. */
export async function borrow(work: string, gitDir: string, commits: readonly string[]): Promise<void> {
  const ofFormat = commits.filter((commit) => join(gitDir, '..', formatOf(commit)) === gitDir)
  if (ofFormat.length === 0) return
  await mkdir(join(work, 'objects', 'info'), { recursive: true, mode: 0o700 })
  await writeFile(join(work, 'objects', 'info', 'alternates'), `${join(gitDir, 'objects')}\n`)
  // their parents are not there
  await writeFile(join(work, 'shallow'), ofFormat.map((commit) => `${commit}\n`).join(''))
  await writeFile(join(work, 'packed-refs'), ofFormat.map((commit) => `${commit} refs/kept/${commit}\n`).join(''))
}

const fetchedRef = 'refs/fetched/head'
/** ms between two looks at how much has arrived. */
const lookMs = 250

async function downloadInto(work: string, { git, source, head, limits, signal }: Download): Promise<void> {
  const args = [
    'fetch',
    '--quiet',
    '--no-progress',
    '--depth=1',
    '--no-tags',
    '--no-recurse-submodules',
    '--no-auto-maintenance',
    '--no-write-fetch-head',
    '--no-show-forced-updates',
    '--end-of-options',
    source.url,
    `+${head.ref}:${fetchedRef}`,
  ]
  const variables = tokenVariables(source.url, source.token)
  const { mostBytes, fetchMs } = limits
  const running = startGit(git, { args, gitDir: work, variables, largestFile: mostBytes, timeMs: fetchMs }, signal)
  running.stdin.end()
  running.stdout.resume()
  const tooLarge = new MirrorError('too_large', `the repository has more than ${mostBytes} bytes`)
  const arrived = () => bytesIn(join(work, 'objects'))
  const timer = setInterval(() => {
    void arrived().then((bytes) => {
      if (bytes > mostBytes) running.kill(tooLarge)
    })
  }, lookMs)
  try {
    await running.ended
  } catch (error) {
    // the system stops a file at the limit, and git does not say why it failed
    throw error instanceof MirrorError && error.reason === 'failed' && (await arrived()) >= mostBytes ? tooLarge : error
  } finally {
    clearInterval(timer)
  }
}

/** The branch may have moved since the remote was asked. */
async function fetchedCommit(work: string, { git, limits, signal }: Download): Promise<string> {
  const args = ['for-each-ref', '--format=%(objectname)', fetchedRef]
  const printed = await runGit(git, { args, gitDir: work, timeMs: limits.readMs }, 1024, signal)
  const commit = printed.toString().trim()
  if (!isObjectId(commit)) throw new MirrorError('failed', 'git fetched nothing')
  return commit
}

/** Whether every directory and file of the commit is there. */
async function isComplete(work: string, commit: string, { git, limits, signal }: Download): Promise<boolean> {
  const args = ['rev-list', '--objects', '--quiet', '--end-of-options', `${commit}^{tree}`]
  try {
    await runGit(git, { args, gitDir: work, timeMs: limits.readMs }, 1024, signal)
    return true
  } catch (error) {
    if (error instanceof MirrorError && (error.reason === 'missing' || error.reason === 'failed')) return false
    throw error
  }
}
