/**
 * Checks the data directory: it is writable, has free space, is used by one service at most, and only its owner can
 * read it.
 */
import { randomUUID } from 'node:crypto'
import { mkdtemp, open, readdir, rm, rmdir, stat, statfs } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { DirectoryInUse, lockDirectory } from '../adapters/sqlite/lock.ts'
import { fileIn } from '../engines/stores.ts'
import { isFolder, nearestExisting, whyNoFolder } from '../ports/make-folder.ts'
import { type Finding, note, ok, wrong } from './finding.ts'

const what = 'PRECEDENT_DATA_DIR'
const mebibyte = 1024 * 1024
/** Bytes. Below 256 MiB, a checkpoint of the write-ahead log may fail. A busy service may write 2 GiB in a day. */
const leastFree = 256 * mebibyte
const enoughFree = 2048 * mebibyte
const probeBytes = 64 * 1024

export async function* examineDirectory(directory: string): AsyncGenerator<Finding> {
  if (!isFolder(directory)) {
    yield await missing(directory)
    return
  }
  yield await writable(directory)
  yield await freeSpace(directory)
  yield locked(directory)
  yield await permissions(directory)
}

/** The same for a directory that holds nothing but mirrors: several processes may use it. */
export async function* examineMirrorDirectory(directory: string): AsyncGenerator<Finding> {
  if (!isFolder(directory)) {
    yield await missing(directory)
    return
  }
  yield await writable(directory)
  yield await freeSpace(directory)
}

async function missing(directory: string): Promise<Finding> {
  if (await canCreateIn(nearestExisting(directory)))
    return ok(what, `${directory} does not exist; the first start of the service creates it`)
  const { found, remedy } = whyNoFolder(directory)
  return wrong(what, found, remedy)
}

/** Tries it: some file systems, such as that of /proc, refuse new folders even to those who may write. */
async function canCreateIn(parent: string): Promise<boolean> {
  try {
    await rmdir(await mkdtemp(join(parent, '.doctor-')))
    return true
  } catch {
    return false // whatever the reason: the service would fail as well
  }
}

async function writable(directory: string): Promise<Finding> {
  const file = join(directory, `.doctor-${randomUUID()}`)
  try {
    const handle = await open(file, 'wx', 0o600)
    try {
      await handle.write(Buffer.alloc(probeBytes))
      await handle.sync()
    } finally {
      await handle.close()
    }
    return ok(what, `${directory} is writable`)
  } catch (error) {
    return wrong(
      what,
      `${directory} is not writable: ${(error as Error).message}`,
      'Make this user its owner, and check that the disk is not full.',
    )
  } finally {
    await rm(file, { force: true }).catch(() => {}) // a directory that is not writable is already reported
  }
}

async function freeSpace(directory: string): Promise<Finding> {
  const { bavail, bsize } = await statfs(directory)
  const free = bavail * bsize
  const found = `${Math.floor(free / mebibyte).toLocaleString('en')} MiB are free on the disk of ${directory}`
  const remedy =
    'Free some space, or move the directory to a larger disk. If the disk is full, the service answers writes with 503.'
  if (free < leastFree) return wrong(what, found, remedy)
  return free < enoughFree ? note(what, found, remedy) : ok(what, found)
}

/** Takes the lock of the directory, and releases it at once. */
function locked(directory: string): Finding {
  try {
    lockDirectory(directory).release()
    return ok(what, 'no service is using it now')
  } catch (error) {
    if (error instanceof DirectoryInUse) return ok(what, 'a service is using it now')
    return wrong(what, (error as Error).message, 'Make this user the owner of the directory and its files.')
  }
}

async function permissions(directory: string): Promise<Finding> {
  if (!(await isOpen(directory))) return ok(what, 'only its owner can read it')
  const readable: string[] = []
  for (const entry of await readdir(directory, { withFileTypes: true })) {
    const isRead = entry.isFile() || entry.isDirectory()
    if (isRead && (await isOpen(join(directory, entry.name)))) readable.push(entry.name)
  }
  if (readable.length === 0) return ok(what, 'other users of this machine see its file names, but can read no file')
  const found = readable.includes(basename(fileIn(directory)))
    ? 'the whole store'
    : readable.slice(0, mostNamed).join(', ')
  return note(what, `other users of this machine can read ${found}`, `Run \`chmod 700 ${directory}\`.`)
}

const mostNamed = 3

/** Whether others than its owner may use it. A file that was deleted meanwhile is not. */
async function isOpen(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined)
  return found !== undefined && (found.mode & 0o077) !== 0
}
