/** Checks what connected repositories need on this machine: git, ssh, and their paths. Asks no remote. */
import { access, constants, stat } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import type { RepositorySettings } from '../../config/operator/repository-settings.ts'
import { gitVariables } from '../../config/programs.ts'
import { gitVersion } from '../adapters/git/mirrors.ts'
import { type Finding, ok, wrong } from './finding.ts'

const what = 'PRECEDENT_CONFIG'

export async function* examineRepositories(
  { connected }: RepositorySettings,
  machine = gitVariables(),
): AsyncGenerator<Finding> {
  yield await gitFinding(machine, connected.length)
  if (connected.some(({ url }) => url.startsWith('ssh:')) && !(await isInPath('ssh', machine.PATH))) {
    yield wrong(what, 'a repository is connected over ssh, but there is no ssh in PATH', 'Install OpenSSH.')
  }
  for (const { name, url } of connected) {
    if (!url.startsWith('/')) continue
    const isFolder = await stat(url).then(
      (found) => found.isDirectory(),
      () => false,
    )
    if (!isFolder) {
      yield wrong(what, `${url}, the url of ${name}, is not a directory`, 'Correct the path, or make it readable.')
    }
  }
}

async function gitFinding(machine: ReturnType<typeof gitVariables>, count: number): Promise<Finding> {
  const repositories = count === 1 ? '1 repository is connected' : `${count} repositories are connected`
  try {
    return ok(what, `${repositories}, and git ${await gitVersion(machine)} is installed`)
  } catch (error) {
    return wrong(what, `${repositories}, but ${(error as Error).message}`, 'Install git 2.39 or later.')
  }
}

async function isInPath(program: string, path: string): Promise<boolean> {
  for (const folder of path.split(delimiter)) {
    const found = await access(join(folder, program), constants.X_OK).then(
      () => true,
      () => false,
    )
    if (found) return true
  }
  return false
}
