/** Mirrors of connected repositories, by the git of this machine. docs/repositories.md says what git may do. */
import { randomUUID } from 'node:crypto'
import { mkdtemp, readFile, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeFolder } from '../../ports/make-folder.ts'
import { type Head, MirrorError, type Mirrors, type Source } from '../../ports/mirrors.ts'
import { blobsOf } from './blobs.ts'
import { changedPaths } from './changed.ts'
import { instantOf } from './commit.ts'
import { entriesOf } from './entries.ts'
import { fetchHead } from './fetch.ts'
import { forgetCommit, formatOf, isObjectId, mirrorFolder, namesIn } from './folders.ts'
import { type GitLimits, usualLimits } from './limits.ts'
import type { Git } from './process.ts'
import { askRemote } from './remote.ts'
import { gitEnvironment, type MachineVariables, writeConfiguration } from './settings.ts'
import { tidy } from './tidy.ts'
import { troubleOfFiles } from './troubles.ts'
import { supportedVersion } from './version.ts'

interface Options {
  /** Absolute path of the folder of all mirrors. Several processes may share it. Created if needed. */
  root: string
  machine: MachineVariables
  limits?: Partial<GitLimits>
}

/** Starts and writes nothing until it is used. */
export function gitMirrors({ root, machine, limits: given }: Options): Mirrors {
  const limits = { ...usualLimits, ...given }
  let ready: Promise<Git> | undefined

  /** Tried again after a failure: git may be installed meanwhile. */
  function git(): Promise<Git> {
    ready ??= prepare(root, machine).catch((error) => {
      ready = undefined
      throw troubleOfFiles(error)
    })
    return ready
  }

  function repositoryOf(id: string, commit: string): string {
    if (!isObjectId(commit)) throw new MirrorError('missing', 'this is not the id of a commit')
    return join(mirrorFolder(root, id), formatOf(commit))
  }

  /** So that the next fetch does not take the commit for complete. */
  async function noticeDamage(id: string, commit: string, error: unknown): Promise<void> {
    if (!(error instanceof MirrorError)) return
    if (error.reason === 'missing' || error.reason === 'failed') await forgetCommit(mirrorFolder(root, id), commit)
  }

  async function isThere(id: string, commit: string, signal: AbortSignal): Promise<boolean> {
    try {
      await instantOf(await git(), repositoryOf(id, commit), commit, limits, signal)
      return true
    } catch (error) {
      if (error instanceof MirrorError && error.reason === 'missing') return false
      throw error
    }
  }

  return {
    async fetch(source, signal) {
      try {
        return await fetchHead({ git: await git(), folder: mirrorFolder(root, source.id), source, limits, signal })
      } catch (error) {
        throw troubleOfFiles(error)
      }
    },

    async *entries(id, commit, signal) {
      try {
        yield* entriesOf(await git(), repositoryOf(id, commit), commit, limits, signal)
      } catch (error) {
        await noticeDamage(id, commit, error)
        throw error
      }
    },

    async *blobs(id, wanted, most, signal) {
      const [first, all] = await peeked(wanted)
      if (first === undefined) return
      yield* blobsOf(await git(), repositoryOf(id, first), all, most, limits, signal)
    },

    async changed(id, from, to, signal) {
      if (!(await isThere(id, from, signal)) || !(await isThere(id, to, signal))) return undefined
      // ids of two object formats have nothing in common
      if (formatOf(from) !== formatOf(to)) return undefined
      try {
        return await changedPaths(await git(), repositoryOf(id, to), from, to, limits, signal)
      } catch (error) {
        await noticeDamage(id, to, error)
        if (error instanceof MirrorError && error.reason === 'missing') return undefined
        throw error
      }
    },

    async keep(id, commits, signal) {
      try {
        await tidy(await git(), mirrorFolder(root, id), commits, limits, signal)
      } catch (error) {
        throw troubleOfFiles(error)
      }
    },

    async remove(id) {
      const gone = join(root, `removed-${randomUUID()}`)
      // without the folder there is nothing to remove
      await rename(mirrorFolder(root, id), gone).catch(() => {})
      await removeLeftovers(root)
    },

    async present() {
      await removeLeftovers(root)
      const ids = await Promise.all(
        (await namesIn(root)).map((name) => readFile(join(root, name, 'id'), 'utf8').catch(() => undefined)),
      )
      return ids.filter((id) => id !== undefined)
    },
  }
}

/** The version of git, such as `2.39.5`. Rejects with MirrorError if it is missing or too old. Writes nothing. */
export function gitVersion(machine: MachineVariables): Promise<string> {
  return supportedVersion({ environment: gitEnvironment('/dev/null', machine) }, AbortSignal.timeout(longestStart))
}

export interface Remotes {
  /** The head of its branch. null: the repository is empty. Rejects with MirrorError. */
  head(source: Source): Promise<Pick<Head, 'branch' | 'commit'> | null>
  close(): Promise<void>
}

/** Asks remotes without a mirror, for checks. */
export async function openRemotes(machine: MachineVariables): Promise<Remotes> {
  const folder = await mkdtemp(join(tmpdir(), 'precedent-remotes-'))
  const git = { environment: gitEnvironment(await writeConfiguration(folder), machine) }
  const limits = { ...usualLimits, askMs: longestCheck }
  return {
    head: (source) => askRemote(git, source, limits, new AbortController().signal),
    close: () => rm(folder, { recursive: true, force: true }),
  }
}

/** ms. */
const longestCheck = 20_000
/** ms. */
const longestStart = 60_000

async function prepare(root: string, machine: MachineVariables): Promise<Git> {
  makeFolder(root)
  const git = { environment: gitEnvironment(await writeConfiguration(root), machine) }
  await supportedVersion(git, AbortSignal.timeout(longestStart))
  return git
}

/** Also those of a process that died while it removed a mirror. */
async function removeLeftovers(root: string): Promise<void> {
  const names = (await namesIn(root)).filter((name) => name.startsWith('removed-'))
  for (const name of names) await rm(join(root, name), { recursive: true, force: true, maxRetries: 5 })
}

/** The first id tells the object format. */
async function peeked(
  wanted: AsyncIterable<string> | Iterable<string>,
): Promise<[string | undefined, AsyncIterable<string>]> {
  const all = Symbol.asyncIterator in wanted ? wanted[Symbol.asyncIterator]() : wanted[Symbol.iterator]()
  const { value: first, done } = await all.next()
  if (done) return [undefined, (async function* () {})()]
  async function* again(): AsyncGenerator<string> {
    yield first
    for (let next = await all.next(); !next.done; next = await all.next()) yield next.value
  }
  return [first, again()]
}
