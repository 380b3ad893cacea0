/** The origin of an import: the repository's root, the beginning of its external_ids, and links to its files. */
import { createHash } from 'node:crypto'
import { lstat, readFile, realpath, stat } from 'node:fs/promises'
import { basename, dirname, join, relative, sep } from 'node:path'
import { decoded } from '../../text/decoded.ts'
import { codePoints } from '../../validation/schema.ts'
import { remoteUrl } from './git.ts'
import type { Folder } from './walk.ts'

export interface Source {
  /** `owner/name`, or the value of `--source`. */
  name: string
  /** Absolute path without links: the nearest parent folder with a `.git`, else the folder given. */
  root: string
  /** git tells when the text of a file was first committed. */
  isRepository: boolean
  /** The web page of a file. undefined: the host is not a known one. */
  urlOf(path: string): string | undefined
  /** A folder of the source, by its path from the root. Absent: the folder on this machine. */
  folder?(path: string): Folder
}

const mostIdCharacters = 300
const mostConfigBytes = 1024 * 1024
const mostParents = 64

/** `path`: an existing file or folder, as given. */
export async function sourceOf(path: string, options: { source?: string; git?: boolean } = {}): Promise<Source> {
  const real = await realpath(path)
  const given = (await stat(real)).isDirectory() ? real : dirname(real)
  const repository = await repositoryAbove(given)
  const root = repository ?? given
  const url = repository === undefined ? undefined : await remoteOf(repository, options.git !== false)
  const remote = url === undefined ? undefined : remoteName(url)
  return {
    name: options.source ?? remote?.name ?? basename(root),
    root,
    isRepository: repository !== undefined,
    urlOf: (file) => webUrl(remote, file),
  }
}

/** Source name and path from the root. If that is too long for an external_id: its beginning and a hash. */
export function externalIdOf(source: string, path: string): string {
  const id = `${source}/${path}`
  if (codePoints(id) <= mostIdCharacters) return id
  const hash = createHash('sha256').update(id).digest('hex').slice(0, 20)
  return `${[...id].slice(0, mostIdCharacters - 21).join('')}~${hash}`
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
  const config = join(root, '.git', 'config')
  const found = await lstat(config).catch(() => undefined)
  if (!found?.isFile() || found.size > mostConfigBytes) return undefined
  const section = /^\s*\[remote "origin"\]\s*$([\s\S]*?)(?=^\s*\[|(?![\s\S]))/m.exec(
    await readFile(config, 'utf8'),
  )?.[1]
  return /^\s*url\s*=\s*(.+?)\s*$/m.exec(section ?? '')?.[1]
}

interface Remote {
  host: string
  /** Path without `.git`: `owner/name`. In GitLab groups it has more parts. */
  name: string
}

/** Reads `https://user:token@host/owner/name.git`, `git@host:owner/name.git` or a path. Drops credentials. */
export function remoteName(url: string): Remote | undefined {
  const scp = /^(?:[^@/\s]+@)?([^/:\s]+):(?!\/\/)(.+)$/.exec(url)
  const tidy = (path: string) =>
    path
      .replace(/[?#].*$/, '')
      .replace(/\/+$/, '')
      .replace(/\.git$/, '')
      .replace(/^\/+/, '')
  if (scp && !/^[a-z]:[\\/]/i.test(url)) return named(scp[1] ?? '', tidy(scp[2] ?? ''))
  if (URL.canParse(url)) {
    const { host, pathname, protocol } = new URL(url)
    const path = decoded(pathname)
    return protocol === 'file:' ? named('', basename(tidy(path))) : named(host, tidy(path))
  }
  return named('', basename(tidy(url)))
}

function named(host: string, name: string): Remote | undefined {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a name is shown on terminals
  const clean = name.replace(/[\x00-\x1f\x7f]/g, '').slice(0, 150)
  return clean === '' ? undefined : { host: host.toLowerCase(), name: clean }
}

export function webUrl(remote: Remote | undefined, path: string): string | undefined {
  if (!remote) return undefined
  const encoded = (text: string) => text.split('/').map(encodeURIComponent).join('/')
  const between = { 'github.com': 'blob/HEAD', 'gitlab.com': '-/blob/HEAD', 'codeberg.org': 'src/HEAD' }[remote.host]
  const url = between && `https://${remote.host}/${encoded(remote.name)}/${between}/${encoded(path)}`
  return url !== undefined && url.length <= 2000 ? url : undefined
}
