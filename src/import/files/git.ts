/** Asks git about a folder, without running anything from the repository's configuration. Every answer is optional. */
import { spawn } from 'node:child_process'
import { programPath } from '../../../config/programs.ts'
import type { FirstCommits } from './source.ts'

/** The repository is not trusted: git runs no program that its configuration names, and fetches nothing. */
const options = [
  '--no-pager',
  '-c',
  'safe.directory=*',
  '-c',
  'log.showSignature=false',
  '-c',
  'gpg.program=false',
  '-c',
  'core.fsmonitor=false',
  '-c',
  'core.hooksPath=/dev/null',
  '-c',
  'core.attributesFile=/dev/null',
  '-c',
  'core.sshCommand=false',
  '-c',
  'credential.helper=',
  '-c',
  'protocol.allow=never',
  '-c',
  'diff.external=',
]
const limitMs = 30_000
const mostBytes = 64 * 1024 * 1024

/** The URL of the remote `origin`; it may contain credentials. undefined: there is none. */
export async function remoteUrl(root: string): Promise<string | undefined> {
  const answer = await git(root, ['config', '--local', '--no-includes', '--get', 'remote.origin.url'])
  return answer?.toString('utf8').trim() || undefined
}

/**
 * When the text of each file was first committed, by its path from the root: the author date in ISO 8601. Follows files
 * that were renamed, or moved into the folder, and finds those that came with a merge commit. Empty without git or
 * history. In a shallow clone, the oldest commits give no date: the files that they seem to add may be older.
 */
export async function firstCommits(root: string, folder: string): Promise<FirstCommits> {
  const log = (...more: string[]) => [
    'log',
    '--format=%x01%aI %P',
    '--name-status',
    '-z',
    '--no-ext-diff',
    '--no-textconv',
    '--no-show-signature',
    '--no-mailmap',
    // by default, git shows no changes of a merge commit
    '--diff-merges=first-parent',
    ...more,
  ]
  const within = ['--', folder === '' ? '.' : folder]
  // a file that was moved into the folder has its first commit elsewhere
  const everywhere = ['--', ...textFiles.map((ending) => `:(glob,top,icase)**/*.${ending}`)]
  // to follow renames, git reads file contents; a partial clone lacks them, so try again without renames
  const answer =
    (await git(root, log('--diff-filter=AR', '-M', ...everywhere))) ??
    (await git(root, ['--literal-pathspecs', ...log('--diff-filter=AR', '-M', ...within)])) ??
    (await git(root, ['--literal-pathspecs', ...log('--diff-filter=A', '--no-renames', ...within)]))
  const isShallow = (await git(root, ['rev-parse', '--is-shallow-repository']))?.toString('utf8').trim() === 'true'
  return { dates: answer ? datesIn(answer.toString('utf8'), isShallow) : new Map(), isShallow }
}

/** A record may have been in another format before. */
const textFiles = ['md', 'mdx', 'markdown', 'rst', 'adoc', 'txt']

/** Reads from the newest commit to the oldest. Before a rename, a file is looked up by its older name. */
function datesIn(output: string, isShallow: boolean): Map<string, string> {
  const dates = new Map<string, string>()
  const now = new Map<string, string[]>()
  let date = ''
  const tokens = output.split('\0')
  for (let at = 0; at < tokens.length; at++) {
    // git puts a newline between the formatted line and the first status
    const token = (tokens[at] ?? '').replace(/^\n/, '')
    if (token.startsWith('\u0001')) {
      const [written = '', parent] = token.slice(1).trim().split(' ')
      // a commit at the end of a shallow history has lost its parents
      date = isShallow && parent === undefined ? '' : written
    } else if (/^A\d*$/.test(token)) {
      const path = tokens[++at] ?? ''
      for (const name of now.get(path) ?? [path]) dates.set(name, date)
    } else if (/^R\d*$/.test(token)) {
      const before = tokens[++at] ?? ''
      const after = tokens[++at] ?? ''
      now.set(before, [...new Set([...(now.get(before) ?? []), ...(now.get(after) ?? [after])])])
      // an older file of that name has another text
      now.set(after, [])
    }
  }
  return new Map(
    [...dates].flatMap(([path, at]) =>
      Number.isNaN(Date.parse(at)) ? [] : [[path, new Date(at).toISOString()] as const],
    ),
  )
}

function git(root: string, args: readonly string[]): Promise<Buffer | undefined> {
  return new Promise((resolve) => {
    const child = spawn('git', [...options, ...args], {
      cwd: root,
      env: cleanEnvironment(),
      stdio: ['ignore', 'pipe', 'ignore'],
      timeout: limitMs,
      killSignal: 'SIGKILL',
    })
    const chunks: Buffer[] = []
    let bytes = 0
    child.stdout.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes > mostBytes) child.kill('SIGKILL')
      else chunks.push(chunk)
    })
    child.on('error', () => resolve(undefined))
    child.on('close', (code) => resolve(code === 0 && bytes <= mostBytes ? Buffer.concat(chunks) : undefined))
  })
}

/** Passes on no GIT_* variable: it could name another repository, a pager or a program. */
function cleanEnvironment(): NodeJS.ProcessEnv {
  return {
    PATH: programPath(),
    LC_ALL: 'C',
    HOME: '/nonexistent',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_TERMINAL_PROMPT: '0',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_NO_LAZY_FETCH: '1',
    GIT_ALLOW_PROTOCOL: 'none',
    GIT_PAGER: 'cat',
  }
}
