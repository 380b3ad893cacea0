/**
 * Runs the command. run(), runJson() and runOn() call it in this process, because a new process costs 0.4 s.
 * start() runs the built command in a process of its own, as users do: for signals, and for what only a process shows.
 */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { Readable, Writable } from 'node:stream'
import { cliSettings } from '../../config/cli.ts'
import { main } from '../../src/cli/main.ts'
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
  const child = spawn(process.execPath, [join(repository, 'dist/src/cli/precedent.js'), ...args], {
    env: { PATH: process.env.PATH ?? '', ...variablesOf(caller) },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  cleanUp(() => child.kill('SIGKILL'))
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
  return runOn(caller, '', ...args)
}

/** Runs the command with `input` on standard input. */
export async function runOn(caller: Caller, input: string | Buffer, ...args: string[]): Promise<Ran> {
  const [stdout, stderr] = [textOutput(), textOutput()]
  const code = await main(
    args,
    {
      stdin: Readable.from(input.length === 0 ? [] : [Buffer.from(input)]),
      stdout: stdout.stream,
      stderr: stderr.stream,
      on: () => {},
      exit: (status) => assert.fail(`the command exits at once, with ${status}`),
    },
    cliSettings(variablesOf(caller)),
  )
  return { code, stdout: stdout.text(), stderr: stderr.text() }
}

function variablesOf({ url, key, state }: Caller): Record<string, string> {
  return { PRECEDENT_URL: url, PRECEDENT_API_KEY: key, XDG_STATE_HOME: state }
}

function textOutput(): { stream: Writable; text(): string } {
  const chunks: Buffer[] = []
  const stream = new Writable({
    write(chunk: Buffer, _, done) {
      chunks.push(chunk)
      done()
    },
  })
  return { stream, text: () => Buffer.concat(chunks).toString() }
}

/** Runs the command with --json. Returns the object on standard output, or the error on standard error. */
export async function runJson<T = Record<string, unknown>>(
  caller: Caller,
  ...args: string[]
): Promise<{ code: number | null; body: T }> {
  const { code, stdout, stderr } = await run(caller, ...args, '--json')
  return { code, body: JSON.parse(stdout.trim() === '' ? stderr : stdout) as T }
}
