/** Asks the remotes of the connected repositories, as the worker `code` would, and checks where it keeps mirrors. */
import type { ConnectedRepository, RepositorySettings } from '../../config/operator/repository-settings.ts'
import { gitVariables } from '../../config/programs.ts'
import { gitVersion, openRemotes, type Remotes } from '../adapters/git/mirrors.ts'
import { chunks } from '../ports/chunks.ts'
import { MirrorError } from '../ports/mirrors.ts'
import { type Finding, ok, wrong } from './finding.ts'

const what = 'PRECEDENT_CONFIG'
const askedAtOnce = 8

export async function* examineRemotes(
  { connected }: RepositorySettings,
  machine = gitVariables(),
): AsyncGenerator<Finding> {
  const hasGit = await gitVersion(machine).then(
    () => true,
    () => false,
  )
  // the findings about the operator's file say so
  if (!hasGit) return
  const remotes = await openRemotes(machine)
  try {
    for (const some of chunks(connected, askedAtOnce)) {
      yield* await Promise.all(some.map((repository) => remoteFinding(repository, remotes)))
    }
  } finally {
    await remotes.close()
  }
}

async function remoteFinding(
  { id, name, url, token, branch }: ConnectedRepository,
  remotes: Remotes,
): Promise<Finding> {
  try {
    const head = await remotes.head({ id, url, ...(token ? { token } : {}), ...(branch ? { branch } : {}) })
    if (head === null) return ok(what, `the remote of ${name} answers, and has no commit yet`)
    return ok(what, `the remote of ${name} answers: its branch ${head.branch} is at ${head.commit.slice(0, 10)}`)
  } catch (error) {
    if (!(error instanceof MirrorError)) throw error
    return wrong(
      what,
      `${name} can’t be fetched: ${error.message}`,
      'Correct the entry, or what this machine may read: docs/repositories.md explains tokens, keys and branches.',
    )
  }
}
