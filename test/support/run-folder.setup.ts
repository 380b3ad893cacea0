/**
 * Gives the run one folder for its temporary files, and removes it at the end. The run fails if a test has left a file in
 * it, or a process that uses it.
 */
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export default function setup(): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'precedent-tests-'))
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
