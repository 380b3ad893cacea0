/** Makes git repositories for tests, and reads mirrors of them. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { GitLimits } from '../../../src/adapters/git/limits.ts'
import { gitMirrors } from '../../../src/adapters/git/mirrors.ts'
import type { Mirrors, TreeEntry } from '../../../src/ports/mirrors.ts'
import { temporaryFolder } from '../../support/clean-up.ts'

const author = { GIT_AUTHOR_NAME: 'a', GIT_AUTHOR_EMAIL: 'a@example.com' }
const committer = { GIT_COMMITTER_NAME: 'c', GIT_COMMITTER_EMAIL: 'c@example.com' }
const environment = {
  PATH: process.env.PATH ?? '',
  HOME: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
  ...author,
  ...committer,
  GIT_AUTHOR_DATE: '2026-01-02T03:04:05Z',
  GIT_COMMITTER_DATE: '2026-01-02T03:04:05Z',
}

/** The test itself must not run what it planted. */
const harmless = ['core.hooksPath=/dev/null', 'core.fsmonitor=false', 'filter.x.clean='].flatMap((one) => ['-c', one])

export interface Repository {
  path: string
  /** Runs git in it, and returns what it prints. */
  git(args: readonly string[], input?: string | Buffer): string
  /** Adds files with these contents, commits them on the current branch, and returns the commit. */
  commit(files?: Readonly<Record<string, string | Buffer>>, message?: string): string
}

/** A repository with a work tree, on the branch main. */
export function newRepository(...options: readonly string[]): Repository {
  const path = temporaryFolder()
  const git = (args: readonly string[], input?: string | Buffer) =>
    execFileSync('git', [...harmless, ...args], {
      cwd: path,
      env: environment,
      stdio: ['pipe', 'pipe', 'pipe'],
      maxBuffer: 1e9,
      ...(input === undefined ? {} : { input }),
    })
      .toString()
      .trim()
  git(['init', '-q', '-b', 'main', '--template=', ...options, '.'])
  return {
    path,
    git,
    commit(files = {}, message = 'change') {
      for (const [name, content] of Object.entries(files)) {
        mkdirSync(dirname(join(path, name)), { recursive: true })
        writeFileSync(join(path, name), content)
      }
      git(['add', '-A'])
      git(['commit', '-q', '--allow-empty', '-m', message])
      return git(['rev-parse', 'HEAD'])
    },
  }
}

export const machine = { PATH: process.env.PATH ?? '' }

export function newMirrors(limits: Partial<GitLimits> = {}, root = join(temporaryFolder(), 'mirrors')) {
  return { root, mirrors: gitMirrors({ root, machine, limits }) }
}

export const never = new AbortController().signal

export async function all<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const found: Item[] = []
  for await (const item of items) found.push(item)
  return found
}

/** The files of a commit with their texts; entries that are no files with their type. */
export async function treeOf(mirrors: Mirrors, id: string, commit: string): Promise<Record<string, string>> {
  const entries = await all(mirrors.entries(id, commit, never))
  const files = entries.filter(({ type }) => type !== 'submodule')
  const blobs = await all(
    mirrors.blobs(
      id,
      files.map(({ blob }) => blob),
      1_000_000,
      never,
    ),
  )
  const texts = new Map(blobs.map(({ blob, bytes }) => [blob, bytes && Buffer.from(bytes).toString()]))
  return Object.fromEntries(entries.map((entry) => [entry.path, shown(entry, texts)]))
}

function shown({ type, blob, size }: TreeEntry, texts: ReadonlyMap<string, string | undefined>): string {
  if (type === 'submodule') return type
  const text = texts.get(blob) ?? `${size} bytes`
  return type === 'file' ? text : `${type}: ${text}`
}
