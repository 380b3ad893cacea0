/** A git that stands still at one step of indexing, so that a test can freeze or kill what it likes at that step. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { temporaryFolder } from '../support/clean-up.ts'

/** Look for a new commit, fetch it, list its files or what changed, read them to be parsed. */
export const gitSteps = ['ls-remote', 'fetch', 'ls-tree', 'cat-file --batch-command', 'diff-tree'] as const
export type GitStep = (typeof gitSteps)[number]

export interface Held {
  git: number
  /** Of the worker that started it. */
  worker: number
}

export interface HeldGit {
  /** For the environment of the service. */
  PATH: string
  /** The next process of git at this step stops itself, as if it was frozen. */
  hold(step: GitStep): void
  /** Resolves when it stands still. */
  held(): Promise<Held>
}

export function heldGit(): HeldGit {
  const folder = temporaryFolder()
  const [wanted, held] = [join(folder, 'wanted'), join(folder, 'held')]
  const git = execFileSync('/bin/sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim()
  // folders, because git may write no file where it only reads
  mkdirSync(held)
  const program = `#!/bin/sh
if [ -f ${wanted} ]; then
  case "$*" in
    *"$(cat ${wanted})"*) rm ${wanted} 2>/dev/null && mkdir ${held}/$$-$PPID && kill -STOP $$ ;;
  esac
fi
exec ${git} "$@"
`
  writeFileSync(join(folder, 'git'), program, { mode: 0o755 })
  return {
    PATH: `${folder}:${process.env.PATH}`,
    hold(step) {
      for (const name of readdirSync(held)) rmdirSync(join(held, name))
      writeFileSync(wanted, step)
    },
    async held() {
      for (;;) {
        const [pid, worker] = (readdirSync(held)[0] ?? '').split('-').map(Number)
        if (pid && worker && stateOf(pid) === 'T') return { git: pid, worker }
        await sleep(20)
      }
    },
  }
}

/** Why processes can't be seen here; undefined: they can. */
export const noProcesses = existsSync('/proc/self/stat') ? undefined : 'needs /proc of Linux'

/** The child process in which a service parses. undefined: it has none now. */
export function parserOf(service: number): number | undefined {
  const children = readdirSync(`/proc/${service}/task`).flatMap((thread) =>
    read(`/proc/${service}/task/${thread}/children`).split(' ').map(Number),
  )
  return children.find((pid) => pid > 0 && read(`/proc/${pid}/cmdline`).includes('/child/program.js'))
}

/** To git and all that it has started, which are a group of their own. */
export function signalGroup(pid: number, signal: NodeJS.Signals): void {
  process.kill(-pid, signal)
}

const stateOf = (pid: number) => read(`/proc/${pid}/stat`).split(') ').at(-1)?.[0]

function read(file: string): string {
  try {
    return readFileSync(file, 'latin1')
  } catch {
    return ''
  }
}
