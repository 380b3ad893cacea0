/** The origin of an import: the beginning of its external_ids, links to its files, and what can be read of it. */

import { decoded } from '../../text/decoded.ts'
import { posix } from '../../text/posix.ts'
import { sha256Of } from '../../text/sha256.ts'
import { codePoints } from '../../validation/schema.ts'
import type { Folder } from './folder.ts'

export interface Source {
  /** `owner/name`, or the value of `--source`. */
  name: string
  /**
   * Where its paths begin. On this machine an absolute path without links: the nearest parent folder with a `.git`, else
   * the folder given. Elsewhere a name.
   */
  root: string
  /** The web page of a file. undefined: the host is not a known one. */
  urlOf(path: string): string | undefined
  /** A folder, by its path from the root. */
  folder(path: string): Folder
  /** When the text of each file of a folder was first committed, by its path from the root. Absent: nobody knows. */
  firstCommits?(folder: string): Promise<FirstCommits>
  /** Where dates are looked for, as a note says it: `the text, the file name or the git history`. */
  placesOfDates: string
}

export interface FirstCommits {
  /** By the path of the file from the root. */
  dates: ReadonlyMap<string, string>
  /** The history was cut off, as in a clone with `--depth 1`: older commits are not known. */
  isShallow: boolean
}

const mostIdCharacters = 300

/** Source name and path from the root. If that is too long for an external_id: its beginning and a hash. */
export function externalIdOf(source: string, path: string): string {
  const id = `${source}/${path}`
  if (codePoints(id) <= mostIdCharacters) return id
  return `${[...id].slice(0, mostIdCharacters - 21).join('')}~${sha256Of(id).slice(0, 20)}`
}

/** The URL of the remote `origin` in a git config. */
export function originIn(config: string): string | undefined {
  const section = /^\s*\[remote "origin"\]\s*$([\s\S]*?)(?=^\s*\[|(?![\s\S]))/m.exec(config)?.[1]
  return /^\s*url\s*=\s*(.+?)\s*$/m.exec(section ?? '')?.[1]
}

export interface Remote {
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
    return protocol === 'file:' ? named('', posix.basename(tidy(path))) : named(host, tidy(path))
  }
  return named('', posix.basename(tidy(url)))
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
