/** Runs the built `precedent mcp` as a client of MCP does, and speaks lines of JSON with it. */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { cleanUp } from '../../support/clean-up.ts'
import { repository } from '../../support/repository.ts'

export interface Message {
  jsonrpc: string
  id?: string | number | null
  method?: string
  result?: Record<string, unknown>
  error?: { code: number; message: string; data?: Record<string, unknown> }
}

export interface McpProcess {
  pid: number
  /** Writes a frame, or a text as it is, as a line. */
  send(frame: object | string | Buffer): void
  /** The next answer with this id; rejects if the process ends before. */
  answer(id: string | number | null): Promise<Message>
  /** Sends a request, and resolves with its answer. */
  ask(method: string, params?: object): Promise<Message>
  /** Every line of standard output so far. */
  lines(): string[]
  stderr(): string
  /** Closes standard input. */
  end(): void
  kill(signal: NodeJS.Signals): void
  /** The exit code. */
  ended: Promise<number | null>
}

export function startMcp(env: Record<string, string>, args: string[] = [], cwd?: string): McpProcess {
  const child = spawn(process.execPath, [join(repository, 'dist/src/cli/precedent.js'), 'mcp', ...args], {
    env: { PATH: process.env.PATH ?? '', ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
    ...(cwd === undefined ? {} : { cwd }),
  })
  cleanUp(() => child.kill('SIGKILL'))
  child.stdin.on('error', () => {})
  let stdout = ''
  let stderr = ''
  let newest = 0
  let hasEnded = false
  const taken = new Set<string>()
  const listeners = new Set<() => void>()
  const tell = () => {
    for (const listener of listeners) listener()
  }
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    stdout += chunk
    tell()
  })
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    stderr += chunk
  })
  const ended = new Promise<number | null>((resolve) =>
    child.once('close', (code) => {
      hasEnded = true
      tell()
      resolve(code)
    }),
  )
  const lines = () => stdout.split('\n').slice(0, -1)

  function send(frame: object | string | Buffer): void {
    const bytes = typeof frame === 'string' || Buffer.isBuffer(frame) ? frame : JSON.stringify(frame)
    child.stdin.write(bytes)
    child.stdin.write('\n')
  }

  function answer(id: string | number | null): Promise<Message> {
    return new Promise((resolve, reject) => {
      const look = () => {
        const at = lines().findIndex((line, n) => !taken.has(String(n)) && (JSON.parse(line) as Message).id === id)
        if (at < 0 && !hasEnded) return
        listeners.delete(look)
        if (at < 0) return reject(new Error(`precedent mcp ended without an answer to ${id}:\n${stderr}`))
        taken.add(String(at))
        resolve(JSON.parse(lines()[at] as string) as Message)
      }
      listeners.add(look)
      look()
    })
  }

  return {
    pid: child.pid as number,
    send,
    answer,
    ask(method, params = {}) {
      newest += 1
      send({ jsonrpc: '2.0', id: newest, method, params })
      return answer(newest)
    },
    lines,
    stderr: () => stderr,
    end: () => void child.stdin.end(),
    kill: (signal) => void child.kill(signal),
    ended,
  }
}
