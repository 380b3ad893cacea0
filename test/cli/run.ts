/** The command as users run it: the built program, a process of its own. */
import { spawn } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { repository } from '../support/service.ts'

export interface Ran {
  code: number | null
  stdout: string
  stderr: string
}

export interface Running {
  ended: Promise<Ran>
  kill(signal: NodeJS.Signals): void
  stderr(): string
}

/** A folder of the test's own, for files and for the state of the command. */
export function folderOfTest(): string {
  return mkdtempSync(join(tmpdir(), 'precedent-cli-'))
}

export interface Caller {
  url: string
  key: string
  /** Where the command keeps its state. */
  state: string
}

export function start(caller: Caller, ...args: string[]): Running {
  return startOn(caller, undefined, args)
}

/** `input`: what comes in on standard input; undefined: it is closed. */
function startOn(caller: Caller, input: string | Buffer | undefined, args: string[]): Running {
  const child = spawn(process.execPath, [join(repository, 'dist/src/cli/precedent.js'), ...args], {
    env: {
      PATH: process.env.PATH ?? '',
      PRECEDENT_URL: caller.url,
      PRECEDENT_API_KEY: caller.key,
      XDG_STATE_HOME: caller.state,
    },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  // a command that ends before it has read all of it is no failure of the test
  child.stdin.on('error', () => {}).end(input)
  let stdout = ''
  let stderr = ''
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    stdout += chunk
  })
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    stderr += chunk
  })
  const ended = new Promise<Ran>((resolve) => child.once('close', (code) => resolve({ code, stdout, stderr })))
  return { ended, kill: (signal) => void child.kill(signal), stderr: () => stderr }
}

export function run(caller: Caller, ...args: string[]): Promise<Ran> {
  return start(caller, ...args).ended
}

/** With `input` on standard input. */
export function runOn(caller: Caller, input: string | Buffer, ...args: string[]): Promise<Ran> {
  return startOn(caller, input, args).ended
}

/** With --json: the object on standard output, or the one on standard error. */
export async function runJson<T = Record<string, unknown>>(
  caller: Caller,
  ...args: string[]
): Promise<{ code: number | null; body: T }> {
  const { code, stdout, stderr } = await run(caller, ...args, '--json')
  return { code, body: JSON.parse(stdout.trim() === '' ? stderr : stdout) as T }
}
