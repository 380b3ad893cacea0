/** A source on this machine, which may be a git repository. */
import { lstat, readFile, realpath, stat } from 'node:fs/promises'
import { basename, dirname, join, relative, sep } from 'node:path'
import { posix } from '../../text/posix.ts'
import { gitConfig, mostConfigBytes } from './bounds.ts'
import { firstCommits, remoteUrl } from './git.ts'
import { originIn, remoteName, type Source, webUrl } from './source.ts'
import { folderAt } from './walk.ts'

const mostParents = 64

/** `path`: an existing file or folder, as given. */
export async function localSource(path: string, options: { source?: string; git?: boolean } = {}): Promise<Source> {
  const real = await realpath(path)
  const given = (await stat(real)).isDirectory() ? real : dirname(real)
  const repository = await repositoryAbove(given)
  const root = repository ?? given
  const url = repository === undefined ? undefined : await remoteOf(repository, options.git !== false)
  const remote = url === undefined ? undefined : remoteName(url)
  return {
    name: options.source ?? remote?.name ?? basename(root),
    root,
    urlOf: (file) => webUrl(remote, file),
    folder: (folder) => folderAt(posix.join(root, folder)),
    ...(repository !== undefined &&
      options.git !== false && { firstCommits: (folder: string) => firstCommits(repository, folder) }),
    placesOfDates: 'the text, the file name or the git history',
  }
}

/** The path from the root, with `/`. */
export function pathFrom(root: string, path: string): string {
  return relative(root, path).split(sep).join('/')
}

async function repositoryAbove(folder: string): Promise<string | undefined> {
  let at = folder
  for (let steps = 0; steps < mostParents; steps++) {
    const found = await lstat(join(at, '.git')).catch(() => undefined)
    // worktrees and submodules have a file named .git. A symbolic link is not followed: it may lead out of the folder
    if (found?.isDirectory() || found?.isFile()) return at
    const above = dirname(at)
    if (above === at) return undefined
    at = above
  }
  return undefined
}

async function remoteOf(root: string, git: boolean): Promise<string | undefined> {
  const asked = git ? await remoteUrl(root) : undefined
  if (asked !== undefined) return asked
  // the name must be the same with and without git, or a second import would import everything again
  const config = join(root, gitConfig)
  const found = await lstat(config).catch(() => undefined)
  if (!found?.isFile() || found.size > mostConfigBytes) return undefined
  return originIn(await readFile(config, 'utf8'))
}
