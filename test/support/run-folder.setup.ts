/**
 * Gives the run one folder for its temporary files, and removes it at the end. The run fails if a test has left a file in
 * it, or a process that uses it.
 */
import {
  accessSync,
  chmodSync,
  constants,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from 'node:fs'
import { freemem, tmpdir } from 'node:os'
import { join } from 'node:path'

export default function setup(): () => void {
  const folder = newFolder()
  // an engine may run as another user
  chmodSync(folder, 0o711)
  const before = process.env.TMPDIR
  // workers and what they start inherit it
  process.env.PRECEDENT_TEST_TMPDIR = tmpdir()
  process.env.TMPDIR = folder
  return () => {
    if (before === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = before
    const processes = processesIn(folder)
    for (const { pid } of processes) process.kill(pid, 'SIGKILL')
    const left = [...readdirSync(folder), ...processes.map(({ command }) => command)]
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
    if (left.length === 0) return
    console.error(`Tests have left behind:\n${left.map((one) => `  ${one}`).join('\n')}`)
    process.exitCode = 1
  }
}

/** Bytes. Far more than the files of all tests that run at the same time. */
const enough = 6 * 1024 ** 3

/**
 * In memory if there is enough of it: Elasticsearch and git make and delete so many small files that on a disk the file
 * system takes a third of their processor time. TMPDIR names another place.
 */
function newFolder(): string {
  const folder = mkdtempSync(
    join(process.env.TMPDIR === undefined && hasMemory() ? inMemory : tmpdir(), 'precedent-tests-'),
  )
  if (!folder.startsWith(inMemory) || canExecute(folder)) return folder
  rmSync(folder, { recursive: true })
  return mkdtempSync(join(tmpdir(), 'precedent-tests-'))
}

const inMemory = '/dev/shm'

function hasMemory(): boolean {
  try {
    const { bavail, bsize } = statfsSync(inMemory)
    return Math.min(bavail * bsize, freemem()) > enough
  } catch {
    // not Linux
    return false
  }
}

/** Tests write programs and run them, which a mount may forbid. */
function canExecute(folder: string): boolean {
  const program = join(folder, 'program')
  writeFileSync(program, '', { mode: 0o700 })
  try {
    accessSync(program, constants.X_OK)
    return true
  } catch {
    return false
  } finally {
    rmSync(program)
  }
}

/** Processes whose command line or data directory is in the folder. Only Linux tells. */
function processesIn(folder: string): { pid: number; command: string }[] {
  if (process.platform !== 'linux') return []
  const pids = readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0 && pid !== process.pid)
  return pids
    .map((pid) => ({ pid, command: read(pid, 'cmdline'), environment: read(pid, 'environ') }))
    .filter(({ command, environment }) => command.includes(folder) || environment.includes(`_DATA_DIR=${folder}`))
}

function read(pid: number, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8').replaceAll('\0', ' ').trim()
  } catch {
    // the process has ended, or belongs to another user
    return ''
  }
}
