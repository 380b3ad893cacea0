/**
 * Keeps the key of an import in a file until the import has ended. If the import is killed and started again, it sends
 * the same items with the same idempotency keys, so nothing is recorded twice. If the input has changed, it is a new run.
 */
import { createHash, randomUUID } from 'node:crypto'
import { closeSync, fsyncSync, linkSync, openSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { makeFolder } from '../../ports/make-folder.ts'
import { Failure } from '../terminal/failure.ts'

export interface Run {
  /** Prefix of all idempotency keys of this run. */
  key: string
  /** A previous process began the run. */
  resumed: boolean
  /** ISO 8601. */
  began_at: string
  /** Called after the last write was answered. The next import is then a new run. */
  end(): void
}

export interface RunOf {
  /** Folder of the state files. */
  stateDir: string
  url: string
  apiKey: string
  /** Absolute. */
  path: string
  sourceName: string
  /** Hash of everything that will be sent, in order. The service would refuse other content with the same keys. */
  fingerprint: string
}

interface State {
  format: 1
  run: string
  fingerprint: string
  began_at: string
  path: string
}

/**
 * The state is durable when this returns. Throws Failure if the state can't be saved, because the import could not be
 * resumed then.
 */
export function openRun(of: RunOf): Run {
  const file = join(of.stateDir, 'imports', `${hashOf([of.url, hashOf([of.apiKey]), of.path, of.sourceName])}.json`)
  try {
    const { state, resumed } = takeState(file, of)
    return {
      key: state.run,
      resumed,
      began_at: state.began_at,
      end: () => endRun(file, state),
    }
  } catch (error) {
    throw new Failure(
      'failed',
      'no_state',
      `The state of the import can't be saved in ${file}: ${(error as Error).message}`,
      {
        remedy: 'Make this folder writable, or set XDG_STATE_HOME to a writable folder.',
        cause: error,
      },
    )
  }
}

function takeState(file: string, { fingerprint, path }: RunOf): { state: State; resumed: boolean } {
  const known = stateIn(file)
  if (known?.fingerprint === fingerprint) return { state: known, resumed: true }
  const made: State = { format: 1, run: randomUUID(), fingerprint, began_at: new Date().toISOString(), path }
  if (writeState(file, made, known !== undefined)) return { state: made, resumed: false }
  // another process has just begun the same import: both send the same items with the same keys
  const theirs = stateIn(file)
  if (theirs?.fingerprint === fingerprint) return { state: theirs, resumed: true }
  writeState(file, made, true)
  return { state: made, resumed: false }
}

/** Meanwhile another process may have begun a run with other content: its state stays. */
function endRun(file: string, { run }: State): void {
  if (stateIn(file)?.run === run) rmSync(file, { force: true })
}

/** Undefined if there is no file, or if the file is incomplete. */
function stateIn(file: string): State | undefined {
  try {
    const state = JSON.parse(readFileSync(file, 'utf8')) as Partial<State>
    const isWhole = state.format === 1 && typeof state.run === 'string' && typeof state.fingerprint === 'string'
    return isWhole ? (state as State) : undefined
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT' || error instanceof SyntaxError) return undefined
    throw error
  }
}

/** Returns false if the file exists and `replace` is false. */
function writeState(file: string, state: State, replace: boolean): boolean {
  makeFolder(dirname(file))
  const draft = `${file}.${process.pid}.${randomUUID()}`
  const open = openSync(draft, 'wx', 0o600)
  try {
    writeSync(open, `${JSON.stringify(state)}\n`)
    fsyncSync(open)
  } finally {
    closeSync(open)
  }
  try {
    if (replace) renameSync(draft, file)
    else linkNew(draft, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    return false
  } finally {
    rmSync(draft, { force: true })
  }
  syncFolder(dirname(file))
  return true
}

/** Fails if the file exists, unlike a rename. So only one of two processes succeeds. */
function linkNew(draft: string, file: string): void {
  try {
    linkSync(draft, file)
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    // the file system has no hard links
    if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'].includes(code)) throw error
    renameSync(draft, file)
  }
}

/** The name of a new file is durable only after its folder is synced. */
function syncFolder(folder: string): void {
  const open = openSync(folder, 'r')
  try {
    fsyncSync(open)
  } finally {
    closeSync(open)
  }
}

export function hashOf(parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex')
}
