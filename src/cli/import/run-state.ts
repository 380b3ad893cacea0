/**
 * The Idempotency-Key of an import, kept in a file until the import has ended: an import that was killed and is started
 * again sends what it sent before under the same keys, so that nothing is doubled. What changed meanwhile is a new run.
 */
import { createHash, randomUUID } from 'node:crypto'
import {
  closeSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { Failure } from '../failure.ts'

export interface Run {
  /** Begins the keys of everything that this run sends. */
  key: string
  /** The run was begun by a process before this one. */
  resumed: boolean
  /** ISO 8601. */
  began_at: string
  /** After the last write was answered: the next import is a new run. */
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
  /** Of all that will be sent, in its order: other content under the same keys would be refused. */
  fingerprint: string
}

interface State {
  format: 1
  run: string
  fingerprint: string
  began_at: string
  path: string
}

/** Durable when it returns. Throws Failure where the state can't be kept: without it a killed import can't resume. */
export function openRun(of: RunOf): Run {
  const file = join(of.stateDir, 'imports', `${hashOf([of.url, hashOf([of.apiKey]), of.path, of.sourceName])}.json`)
  try {
    const { state, resumed } = takeState(file, of)
    return {
      key: state.run,
      resumed,
      began_at: state.began_at,
      end: () => rmSync(file, { force: true }),
    }
  } catch (error) {
    throw new Failure(
      'failed',
      'no_state',
      `The state of the import can't be kept in ${file}: ${(error as Error).message}`,
      {
        remedy: 'Make that folder writable, or set XDG_STATE_HOME to one that is.',
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
  // another process began the same import in this moment: both send the same under the same keys
  const theirs = stateIn(file)
  if (theirs?.fingerprint === fingerprint) return { state: theirs, resumed: true }
  writeState(file, made, true)
  return { state: made, resumed: false }
}

/** undefined: there is none, or none that is whole. */
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

/** false: there is one already, and it was not to be replaced. */
function writeState(file: string, state: State, replace: boolean): boolean {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
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

/** Unlike a rename it replaces nothing: of two processes one is first. */
function linkNew(draft: string, file: string): void {
  try {
    linkSync(draft, file)
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    // a file system without hard links
    if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'].includes(code)) throw error
    renameSync(draft, file)
  }
}

/** The name of a new file is durable only with its folder. */
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
