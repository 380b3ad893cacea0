/** Executors that are programs on this machine. A guard owns their processes (guard.ts). */
import assert from 'node:assert/strict'
import { tmpdir } from 'node:os'
import type { Clock } from '../../ports/clock.ts'
import type { Ending, Executor, ExecutorSession, Given } from '../../ports/executor.ts'
import type { Guard } from './guard-of-worker.ts'
import { isSessionId } from './leftovers.ts'
import { machineMs, type StartMessage } from './messages.ts'
import { sessionVariable } from './process-list.ts'
import { locatedProgram } from './program.ts'
import { sessionOutput } from './session-output.ts'

export interface ProcessSettings {
  /** The program and its arguments. No shell reads it. */
  command: readonly [string, ...string[]]
  /** An absolute path. undefined: a new one for each session, which is removed after it. */
  directory: string | undefined
  /** `pass`: names of variables of the worker. `set`: values. The program gets no other variables of the worker. */
  environment: { pass: readonly string[]; set: Readonly<Record<string, string>> }
}

interface Ports {
  /** Where the program calls this service. */
  publicUrl: string
  clock: Clock
  /** The environment of the worker. Its PATH finds programs, even if it is not passed. */
  variables: Readonly<Record<string, string | undefined>>
  /** The same for all executors of a worker. */
  guard: Guard
}

/** Throws on Windows, which has no process groups. */
export function processExecutor(settings: ProcessSettings, ports: Ports): Executor {
  if (process.platform === 'win32') {
    throw new Error(
      'Executors of the type process do not run on Windows: run the worker on Linux or macOS, or use one of the type http.',
    )
  }
  const sessions = new Set<ExecutorSession>()
  return {
    async open(asked) {
      const session = await openSession(settings, ports, asked)
      sessions.add(session)
      void session.ended.then(() => sessions.delete(session))
      return session
    },
    async close() {
      const all = [...sessions]
      for (const session of all) session.end()
      await Promise.all(all.map(({ ended }) => ended))
    },
  }
}

async function openSession(
  settings: ProcessSettings,
  { guard, clock, ...ports }: Ports,
  { id, timeLimitMs }: { id: string; timeLimitMs: number },
): Promise<ExecutorSession> {
  assert(isSessionId(id))
  let state: 'open' | 'started' | 'over' = 'open'
  let resolve: (ending: Ending) => void = () => {}
  const ended = new Promise<Ending>((done) => {
    resolve = done
  })
  const output = sessionOutput((bytes) => send({ type: 'credit', bytes }))

  function finish(ending: Ending): void {
    state = 'over'
    output.end()
    resolve(ending)
  }

  const path = await locatedProgram(settings.command[0], settings.environment.set.PATH ?? ports.variables.PATH)
  const { send, leave } = await guard.connect(id, { output: output.add, outputEnded: output.end, ended: finish })

  function giveUp(): void {
    leave()
    finish({ how: 'ended' })
  }

  return {
    start(given, until) {
      if (state !== 'open') return
      if (until <= clock.elapsed()) return giveUp()
      state = 'started'
      send(startMessage(settings, { ...ports, id, path, timeLimitMs, given, until: onMachine(until, clock) }))
    },
    extend(until) {
      if (state === 'started') send({ type: 'extend', until: onMachine(until, clock) })
    },
    end() {
      if (state === 'open') giveUp()
      else if (state === 'started') send({ type: 'end' })
    },
    lines: output.lines,
    ended,
  }
}

/** The guard can't know this process's clock. If a pause falls between the two readings, the result is only earlier. */
function onMachine(until: number, clock: Clock): number {
  const now = machineMs()
  return now + until - clock.elapsed()
}

interface Start extends Pick<Ports, 'publicUrl' | 'variables'> {
  id: string
  path: string
  timeLimitMs: number
  given: Given
  until: number
}

function startMessage(
  { command, directory, environment: { pass, set } }: ProcessSettings,
  { id, path, timeLimitMs, given, until, publicUrl, variables }: Start,
): StartMessage {
  const passed = pass.flatMap((name) => {
    const value = variables[name]
    return value === undefined ? [] : [[name, value]]
  })
  return {
    type: 'start',
    id,
    path,
    command,
    directory: directory === undefined ? { temporaryIn: tmpdir() } : { path: directory },
    environment: {
      ...Object.fromEntries(passed),
      ...set,
      PRECEDENT_URL: publicUrl,
      PRECEDENT_API_KEY: given.key,
      [sessionVariable]: id,
    },
    input: `${JSON.stringify(given.document)}\n`,
    until,
    timeLimitMs,
  }
}
