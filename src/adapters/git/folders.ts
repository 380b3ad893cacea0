/**
 * The folder of one mirror:
 *
 * - `id`: the id of its entry.
 * - `sha1`, `sha256`: a bare repository for each object format, without refs: only objects, in packs.
 * - `commits/<commit>`: an empty file for each commit whose objects are complete. Its time is when it was fetched last.
 * - `work-<machine>-<process>-<random>`: what one fetch or one clean-up works in. A leftover of a dead process is removed.
 *
 * No step needs a lock. A fetch downloads into its work folder, checks that the commit is complete, moves the packs, and
 * then names the commit. A pack is named after its content, so two fetches of the same commit do no harm.
 */
import { createHash, randomUUID } from 'node:crypto'
import { mkdir, readdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'

export type ObjectFormat = 'sha1' | 'sha256'

/** Of an object id. */
export function formatOf(commit: string): ObjectFormat {
  return commit.length === 64 ? 'sha256' : 'sha1'
}

export function isObjectId(text: string): boolean {
  return /^(?:[\da-f]{40}|[\da-f]{64})$/.test(text)
}

export function mirrorFolder(root: string, id: string): string {
  return join(root, createHash('sha256').update(id).digest('hex').slice(0, 40))
}

/** Creates what is missing. */
export async function prepareMirror(folder: string, id: string): Promise<void> {
  await mkdir(join(folder, 'commits'), { recursive: true, mode: 0o700 })
  await writeWhole(join(folder, 'id'), id)
}

/** Creates what makes a folder a bare repository, without starting git. */
export async function prepareRepository(gitDir: string, format: ObjectFormat): Promise<void> {
  await mkdir(join(gitDir, 'objects', 'pack'), { recursive: true, mode: 0o700 })
  await mkdir(join(gitDir, 'refs'), { recursive: true, mode: 0o700 })
  const sha256 = '\trepositoryformatversion = 1\n\tbare = true\n[extensions]\n\tobjectformat = sha256\n'
  const sha1 = '\trepositoryformatversion = 0\n\tbare = true\n'
  await writeWhole(join(gitDir, 'config'), `[core]\n${format === 'sha256' ? sha256 : sha1}`)
  await writeWhole(join(gitDir, 'HEAD'), 'ref: refs/heads/none\n')
}

/** Readers see the file whole or not at all, also after a crash. */
export async function writeWhole(path: string, content: string): Promise<void> {
  const written = `${path}.${randomUUID()}`
  try {
    await writeFile(written, content, { mode: 0o600, flush: true })
    await rename(written, path)
  } catch (error) {
    await rm(written, { force: true })
    throw error
  }
}

/** Commits that are complete, with the ms at which each was fetched last. */
export async function recordedCommits(folder: string): Promise<Map<string, number>> {
  const names = (await namesIn(join(folder, 'commits'))).filter(isObjectId)
  const times = await Promise.all(
    names.map(async (name) => {
      const found = await stat(join(folder, 'commits', name)).catch(() => undefined)
      return found === undefined ? [] : [[name, found.mtimeMs] as const]
    }),
  )
  return new Map(times.flat())
}

export async function recordCommit(folder: string, commit: string): Promise<void> {
  const path = join(folder, 'commits', commit)
  await writeFile(path, '', { mode: 0o600 })
  const now = new Date()
  await utimes(path, now, now)
}

export async function forgetCommit(folder: string, commit: string): Promise<void> {
  await rm(join(folder, 'commits', commit), { force: true })
}

/** The packs of a repository, largest first, with their bytes. Names without the ending. */
export async function packsOf(gitDir: string): Promise<{ name: string; bytes: number }[]> {
  const folder = join(gitDir, 'objects', 'pack')
  const names = (await namesIn(folder)).filter((name) => /^pack-[\da-f]+\.pack$/.test(name))
  const packs = await Promise.all(
    names.map(async (name) => {
      const found = await stat(join(folder, name)).catch(() => undefined)
      return { name: name.slice(0, -'.pack'.length), bytes: found?.size ?? 0 }
    }),
  )
  return packs.sort((a, b) => b.bytes - a.bytes)
}

/** The index comes last: git finds a pack by its index. */
export async function movePacks(from: string, to: string): Promise<void> {
  for (const { name } of await packsOf(from)) {
    for (const ending of ['.rev', '.pack', '.idx']) {
      const file = join('objects', 'pack', `${name}${ending}`)
      await rename(join(from, file), join(to, file)).catch((error: NodeJS.ErrnoException) => {
        // git before 2.41 writes no .rev
        if (error.code !== 'ENOENT' || ending !== '.rev') throw error
      })
    }
  }
}

export async function removePack(gitDir: string, name: string): Promise<void> {
  for (const ending of ['.idx', '.rev', '.pack']) {
    await rm(join(gitDir, 'objects', 'pack', `${name}${ending}`), { force: true })
  }
}

/** Bytes of the files in a folder and those below it. */
export async function bytesIn(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  const sizes = await Promise.all(
    entries.map(async (entry) => {
      if (!entry.isFile()) return 0
      // it may have been renamed meanwhile
      return (await stat(join(entry.parentPath, entry.name)).catch(() => undefined))?.size ?? 0
    }),
  )
  return sizes.reduce((sum, size) => sum + size, 0)
}

const machine = createHash('sha256').update(hostname()).digest('hex').slice(0, 8)
/** Work folders in use by this process. */
const inUse = new Set<string>()
/** ms. A work folder of another machine can't be asked for its process. No fetch takes that long. */
const oldest = 24 * 60 * 60_000

/** Runs `work` in a folder of its own, which is removed after it. */
export async function inWorkFolder<Result>(folder: string, work: (own: string) => Promise<Result>): Promise<Result> {
  const name = `work-${machine}-${process.pid}-${randomUUID()}`
  inUse.add(name)
  try {
    await mkdir(join(folder, name), { mode: 0o700 })
    return await work(join(folder, name))
  } finally {
    await rm(join(folder, name), { recursive: true, force: true, maxRetries: 5 })
    inUse.delete(name)
  }
}

/** Removes the work folders of dead processes. Returns how many others are in use. */
export async function othersAtWork(folder: string, own: string): Promise<number> {
  let others = 0
  for (const name of await namesIn(folder)) {
    if (!name.startsWith('work-') || join(folder, name) === own) continue
    if (await isLeftover(folder, name)) await rm(join(folder, name), { recursive: true, force: true, maxRetries: 5 })
    else others += 1
  }
  return others
}

async function isLeftover(folder: string, name: string): Promise<boolean> {
  const [, where, pid] = name.split('-')
  if (where === machine && Number(pid) === process.pid) return !inUse.has(name)
  if (where === machine && !isRunning(Number(pid))) return true
  const found = await stat(join(folder, name)).catch(() => undefined)
  return found !== undefined && Date.now() - found.mtimeMs > oldest
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // it runs as another user
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

export async function namesIn(folder: string): Promise<string[]> {
  // without the folder there are none
  return readdir(folder).catch(() => [])
}
