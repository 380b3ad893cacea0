/** The address of lines of a file at one commit. */
import { pathToFileURL } from 'node:url'
import type { Lines } from './schema.ts'

/** How the sites of git hosts name a file at a commit, by a part of the host's name. */
const hosts: readonly [RegExp, string, (lines: Lines) => string][] = [
  [/gitlab/, '/-/blob/', ({ start, end }) => `#L${start}-${end}`],
  [/gitea|forgejo|codeberg/, '/src/commit/', ({ start, end }) => `#L${start}-L${end}`],
  [/bitbucket/, '/src/', ({ start, end }) => `#lines-${start}:${end}`],
]
const usual: (typeof hosts)[number] = [/./, '/blob/', ({ start, end }) => `#L${start}-L${end}`]

/** `url`: of the repository. A repository on this machine has no site: its own address, and the place behind the `#`. */
export function placeUrl(url: string, commit: string, path: string, lines: Lines): string {
  const escaped = path.split('/').map(encodeURIComponent).join('/')
  if (url.startsWith('/')) return `${pathToFileURL(url).href}#${commit}/${escaped}:${lines.start}-${lines.end}`
  const { hostname, port, protocol, pathname } = new URL(url)
  const host = port === '' || protocol === 'ssh:' ? hostname : `${hostname}:${port}`
  const [, between, anchor] = hosts.find(([name]) => name.test(hostname)) ?? usual
  return `https://${host}${pathname.replace(/\.git$|\/+$/g, '')}${between}${commit}/${escaped}${anchor(lines)}`
}
