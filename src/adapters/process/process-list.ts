/** What runs on this machine. Only Linux tells, in /proc. */
import { readdirSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'

/** The variable that marks the processes of a session. */
export const sessionVariable = 'PRECEDENT_SESSION'

export interface Running {
  pid: number
  parent: number
  group: number
  /** The session of the system, which the first process of a group made with it. */
  systemSession: number
  /** When it started, in ticks of the system. */
  startedAt: number
}

/** All but this process. undefined: this machine does not tell. Zombies are left out, because they do nothing. */
export function runningProcesses(): Running[] | undefined {
  let names: string[]
  try {
    names = readdirSync('/proc')
  } catch {
    // a system without /proc, or too many open files
    return undefined
  }
  const pids = names.map(Number).filter((pid) => pid > 0 && pid !== process.pid)
  return pids.map(runningProcess).filter((one) => one !== undefined)
}

/** undefined: it has ended. Never blocks, other than a look at the environment. */
export function runningProcess(pid: number): Running | undefined {
  try {
    // Node reads UTF-8 faster, and the list of all processes is read at the end of each session
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // the name of the program before them may hold spaces and brackets
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    if (fields[0] === 'Z' || fields[0] === 'X') return undefined
    const numbers = [1, 2, 3, 19].map((at) => Number(fields[at])) as [number, number, number, number]
    const [parent, group, systemSession, startedAt] = numbers
    return { pid, parent, group, systemSession, startedAt }
  } catch {
    return undefined
  }
}

/** undefined: it belongs to none, or to another user, or has ended. */
export async function sessionOf({ pid }: Running): Promise<string | undefined> {
  // the system may make the reader wait for the process
  const environment = await readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '')
  const variable = environment.split('\0').find((one) => one.startsWith(`${sessionVariable}=`))
  return variable?.slice(sessionVariable.length + 1)
}

/** The sessions of all processes that this user may look at, and whether a guard has started one of their processes. */
export async function runningSessions(): Promise<Map<string, boolean>> {
  const sessions = new Map<string, boolean>()
  for (const one of runningProcesses() ?? []) {
    const session = await sessionOf(one)
    if (session !== undefined) sessions.set(session, sessions.get(session) || (await isGuard(one.parent)))
  }
  return sessions
}

/** Of any worker on this machine. What can't be read may be one. */
async function isGuard(pid: number): Promise<boolean> {
  const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '/guard.js')
  return command.split('\0').some((argument) => argument.endsWith('/guard.js'))
}
