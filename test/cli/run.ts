/** Runs the built command in a process of its own, as users do. */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { cleanUp, temporaryFolder } from '../support/clean-up.ts'
import { repository } from '../support/repository.ts'

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

/** A new folder for the files of a test and the state of the command. */
export function folderOfTest(): string {
  return temporaryFolder('precedent-cli-')
}

export interface Caller {
  url: string
  key: string
  /** The folder for the state of the command. */
  state: string
}

export function start(caller: Caller, ...args: string[]): Running {
  return startOn(caller, undefined, args)
}

/** `input`: the text on standard input. If undefined, standard input is closed. */
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
  cleanUp(() => child.kill('SIGKILL'))
  // the command may end before it has read all of its input
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

/** Runs the command with `input` on standard input. */
export function runOn(caller: Caller, input: string | Buffer, ...args: string[]): Promise<Ran> {
  return startOn(caller, input, args).ended
}

/** Runs the command with --json. Returns the object on standard output, or the error on standard error. */
export async function runJson<T = Record<string, unknown>>(
  caller: Caller,
  ...args: string[]
): Promise<{ code: number | null; body: T }> {
  const { code, stdout, stderr } = await run(caller, ...args, '--json')
  return { code, body: JSON.parse(stdout.trim() === '' ? stderr : stdout) as T }
}
