/** The data directory: that it can be written to, has room, is used by one service, and read by nobody else. */
import { randomUUID } from 'node:crypto'
import { constants, existsSync } from 'node:fs'
import { access, open, rm, stat, statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { DirectoryInUse, lockDirectory } from '../adapters/sqlite/lock.ts'
import { fileIn } from '../engines.ts'
import { type Finding, note, ok, wrong } from './finding.ts'

const what = 'PRECEDENT_DATA_DIR'
const mebibyte = 1024 * 1024
/** Below it a checkpoint of the log may find no room; and what a busy service writes in a day. */
const leastRoom = 256 * mebibyte
const goodRoom = 2048 * mebibyte
const probeBytes = 64 * 1024

export async function* examineDirectory(directory: string): AsyncGenerator<Finding> {
  if (!existsSync(directory)) {
    yield await missing(directory)
    return
  }
  yield await writable(directory)
  yield await room(directory)
  yield locked(directory)
  yield await readers(directory)
}

async function missing(directory: string): Promise<Finding> {
  let parent = dirname(directory)
  while (!existsSync(parent)) parent = dirname(parent)
  const may = await access(parent, constants.W_OK | constants.X_OK).then(
    () => true,
    () => false,
  )
  return may
    ? ok(what, `${directory} is not there: the first start makes it`)
    : wrong(
        what,
        `${directory} is not there, and ${parent} may not be written to`,
        `Make it, and give it to this user.`,
      )
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
    return ok(what, `${directory} takes durable writes`)
  } catch (error) {
    return wrong(
      what,
      `nothing can be written to ${directory}: ${(error as Error).message}`,
      'Give it to this user, and room.',
    )
  } finally {
    await rm(file, { force: true }).catch(() => {}) // a folder that refuses writes has said so
  }
}

async function room(directory: string): Promise<Finding> {
  const { bavail, bsize } = await statfs(directory)
  const free = bavail * bsize
  const says = `${Math.floor(free / mebibyte).toLocaleString('en')} MiB are free where ${directory} is`
  const remedy = 'Make room, or move it to a larger disk: with none left writes are answered 503.'
  if (free < leastRoom) return wrong(what, says, remedy)
  return free < goodRoom ? note(what, says, remedy) : ok(what, says)
}

/** The lock is given back at once. */
function locked(directory: string): Finding {
  try {
    lockDirectory(directory).release()
    return ok(what, 'no service runs on it now')
  } catch (error) {
    if (error instanceof DirectoryInUse) return ok(what, 'a service runs on it now')
    return wrong(what, (error as Error).message, 'Give the directory and its files to this user.')
  }
}

async function readers(directory: string): Promise<Finding> {
  const file = fileIn(directory)
  const others = async (path: string) => ((await stat(path)).mode & 0o077) !== 0
  if (!existsSync(file) || !(await others(directory)) || !(await others(file))) {
    return ok(what, 'only its owner reads it')
  }
  return note(what, 'other users of this machine may read all that is kept', `Run \`chmod 700 ${directory}\`.`)
}
