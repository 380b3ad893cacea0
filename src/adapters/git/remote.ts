/** Asks a remote for its branches, without fetching anything. */
import { MirrorError, type Source } from '../../ports/mirrors.ts'
import type { GitLimits } from './limits.ts'
import { type Git, runGit } from './process.ts'
import { tokenVariables } from './settings.ts'

export interface RemoteHead {
  /** `HEAD` if the remote's HEAD names no branch. */
  branch: string
  /** What to fetch. */
  ref: string
  commit: string
}

/** Bytes: some 50,000 branches. */
const mostListed = 8 * 1024 ** 2
const branches = 'refs/heads/'

/** null: the repository has no branch. Rejects with MirrorError. */
export async function askRemote(
  git: Git,
  source: Source,
  limits: GitLimits,
  signal: AbortSignal,
): Promise<RemoteHead | null> {
  const refs = await listed(
    git,
    source,
    source.branch === undefined ? 'HEAD' : branches + source.branch,
    limits,
    signal,
  )
  const found = source.branch === undefined ? headOf(refs) : branchOf(refs, source.branch)
  if (found !== undefined) return found
  const all = await listed(git, source, `${branches}*`, limits, signal)
  if (all.commits.size === 0) return null
  throw new MirrorError(
    'branch_missing',
    source.branch === undefined
      ? 'the default branch of the remote does not exist: set `branch`'
      : 'the remote has no such branch: correct `branch`, or leave it out',
  )
}

interface Refs {
  /** By the whole name. */
  commits: Map<string, string>
  /** The branch that HEAD names. */
  symbolic: string | undefined
}

async function listed(
  git: Git,
  source: Source,
  pattern: string,
  limits: GitLimits,
  signal: AbortSignal,
): Promise<Refs> {
  const args = ['ls-remote', '--symref', '--end-of-options', source.url, pattern]
  const command = { args, gitDir: undefined, variables: tokenVariables(source.url, source.token), timeMs: limits.askMs }
  const lines = (await runGit(git, command, mostListed, signal)).toString().split('\n')
  const commits = new Map<string, string>()
  let symbolic: string | undefined
  for (const line of lines) {
    const [value = '', name = ''] = line.split('\t')
    if (name === 'HEAD' && value.startsWith('ref: ')) symbolic = value.slice('ref: '.length)
    else if (/^(?:[\da-f]{40}|[\da-f]{64})$/.test(value)) commits.set(name, value)
  }
  return { commits, symbolic }
}

function headOf({ commits, symbolic }: Refs): RemoteHead | undefined {
  const commit = commits.get('HEAD')
  if (commit === undefined) return undefined
  if (symbolic === undefined) return { branch: 'HEAD', ref: 'HEAD', commit }
  // it becomes a part of an argument
  if (!symbolic.startsWith(branches) || /[\p{Cc} ~^:?*[\\]|\.\./u.test(symbolic)) {
    throw new MirrorError('refused', 'the default branch of the remote has a name that is not allowed: set `branch`')
  }
  return { branch: symbolic.slice(branches.length), ref: symbolic, commit }
}

function branchOf({ commits }: Refs, branch: string): RemoteHead | undefined {
  const commit = commits.get(branches + branch)
  return commit === undefined ? undefined : { branch, ref: branches + branch, commit }
}
