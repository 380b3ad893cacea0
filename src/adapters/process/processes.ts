/**
 * Ends the processes of a session: those of its group, and on Linux also those that left the group but carry the session
 * in their environment. The guard uses this; so does a worker whose guard has died.
 *
 * Two kinds of processes get away: those that left the group and cleared their environment, and those that another user
 * owns. A program of the operator must not start them.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { machineMs } from './messages.ts'
import { runningProcesses, sessionOf } from './process-list.ts'

/** ms between SIGTERM and SIGKILL. */
export const usualGraceMs = 10_000

export interface ProcessesOf {
  session: string
  /** undefined: it is not known. */
  group?: number | undefined
  /** When its first process started: none of its processes is older. undefined: it is not known. */
  startedAt?: number | undefined
}

/** ms. While processes are left, the list of all processes is read again after these times. */
const firstLook = 10
const longestLook = 250

/** Sends SIGTERM, and SIGKILL after the grace. Resolves when no process is left. Never rejects. */
export async function endProcesses(of: ProcessesOf, graceMs: number): Promise<void> {
  const killAt = machineMs() + graceMs
  // an empty group gets no signal: another program may have its number by now
  let isGroupThere = true
  // does not wait for the list of processes: reading it may be slow
  const kill = setTimeout(() => isGroupThere && signalGroup(of, 'SIGKILL'), graceMs)
  // some programs take a second SIGTERM as a demand to quit without cleaning up
  const told = new Set<number | 'group'>()
  let wait = firstLook
  // a process may fork and exit while the list is read, so the list must be empty twice
  for (let timesEmpty = 0; timesEmpty < 2; wait = Math.min(wait * 2, longestLook)) {
    const left = await processesOf(of)
    timesEmpty = left.length === 0 ? timesEmpty + 1 : 0
    isGroupThere = left.some(({ isInGroup }) => isInGroup)
    if (isGroupThere && !told.has('group')) {
      told.add('group')
      signalGroup(of, 'SIGTERM')
    }
    const isOver = machineMs() >= killAt
    for (const { pid, isInGroup } of left) {
      if (isOver) signal(pid, 'SIGKILL')
      else if (!isInGroup && !told.has(pid)) signal(pid, 'SIGTERM')
      told.add(pid)
    }
    if (left.length > 0) await sleep(isOver ? firstLook : Math.min(wait, Math.max(killAt - machineMs(), firstLook)))
  }
  clearTimeout(kill)
}

async function processesOf(of: ProcessesOf): Promise<{ pid: number; isInGroup: boolean }[]> {
  const running = runningProcesses()
  if (running === undefined) return hasMembers(of) ? [{ pid: -(of.group ?? 0), isInGroup: true }] : []
  const found: { pid: number; isInGroup: boolean }[] = []
  for (const one of running) {
    if (one.startedAt < (of.startedAt ?? 0)) continue
    const isInGroup = one.group === of.group && one.systemSession === of.group
    if (isInGroup || (await sessionOf(one)) === of.session) found.push({ pid: one.pid, isInGroup })
  }
  return found
}

function hasMembers({ group }: ProcessesOf): boolean {
  return group !== undefined && signal(-group, 0)
}

function signalGroup({ group }: ProcessesOf, name: 'SIGTERM' | 'SIGKILL'): void {
  if (group !== undefined) signal(-group, name)
}

/** Whether it was sent. Negative: to the group. */
function signal(pid: number, name: 'SIGTERM' | 'SIGKILL' | 0): boolean {
  // 0 and -1 would mean many processes
  if (Math.abs(pid) <= 1) return false
  try {
    return process.kill(pid, name)
  } catch {
    // it has ended, or has become a process of another user
    return false
  }
}
