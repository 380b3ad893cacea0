/** What the programs of runs have written down, and which processes of them are there. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'

/** A line of program.sh. Lines are in the order in which they were written. */
export interface Told {
  event: 'start' | 'step' | 'child' | 'stray' | 'end'
  run: string
  fence: number
  phase: string
}

export function toldIn(folder: string): Told[] {
  const file = join(folder, 'told')
  if (!existsSync(file)) return []
  const lines = readFileSync(file, 'utf8').split('\n')
  return lines.slice(0, -1).map((line) => {
    const [event, session, phase] = line.split(' ') as [Told['event'], string, string]
    const at = session.lastIndexOf('-')
    return { event, run: session.slice(0, at), fence: Number(session.slice(at + 1)), phase }
  })
}

/** Sessions of a run never live side by side: once a later one has written, no earlier one writes. */
export function neverTwoAtOnce(told: readonly Told[]): void {
  const newest = new Map<string, number>()
  for (const { run, fence, event } of told) {
    expect(fence, `${event} of session ${fence} after one of session ${newest.get(run)}, run ${run}`).not.toBeLessThan(
      newest.get(run) ?? 0,
    )
    newest.set(run, fence)
  }
}

/** How often the program was started for this phase of a run. */
export function starts(told: readonly Told[], run: string, phase: 'plan' | 'run' = 'run'): number {
  return told.filter((one) => one.event === 'start' && one.run === run && one.phase === phase).length
}

/** The processes with a variable in their environment that begins like this. */
export function processesWith(variable: string): number[] {
  return pids().filter((pid) => `\0${read(pid, 'environ')}`.includes(`\0${variable}`))
}

/** The guard of a worker: a child that runs guard.js. */
export function guardOf(worker: number | undefined): number {
  const found = pids().filter((pid) => parentOf(pid) === worker && read(pid, 'cmdline').includes('guard.js'))
  expect(found, 'a worker has one guard').toHaveLength(1)
  return found[0] as number
}

function pids(): number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0)
}

function parentOf(pid: number): number {
  const stat = read(pid, 'stat')
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
}

/** Empty: it has ended, or belongs to another user. */
function read(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'latin1')
  } catch {
    return ''
  }
}
