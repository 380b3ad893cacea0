import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { describe, expect, it, vi } from 'vitest'
import { endLeftovers } from '../../../src/adapters/process/leftovers.ts'
import { systemClock as clock } from '../../../src/adapters/system-clock.ts'
import { cleanUp } from '../../support/clean-up.ts'
import { skipIf } from '../../support/skip.ts'
import { build } from './build.ts'
import {
  expectNothingLeft,
  farAway,
  foldersOf,
  guardsOf,
  heard,
  killMarked,
  type Left,
  newSession,
  notLinux,
  patience,
  processesWith,
  testing,
  waitUntilNothingLeft,
} from './sessions.ts'
import type { WorkerArguments } from './worker.ts'

/** Both live until they are killed. The second one leaves the group. */
const ignoring = `trap '' TERM; while :; do sleep 1; done`
const stubborn = `setsid sh -c "${ignoring}" & trap '' TERM; echo ready; while :; do sleep 1; done`

describe('the guard of a worker', skipIf(notLinux), () => {
  const built = build()

  it('is started with the first session, serves all executors, and ends when it was idle', async () => {
    const at = testing(built, { idleMs: 300 })
    expect(guardsOf(built)).toEqual([])
    const sessions = await Promise.all([at.shell('sleep 1000'), at.shell('sleep 1000'), at.shell('sleep 1000')])
    const [guard, ...others] = guardsOf(built)
    expect([guard, others]).toEqual([expect.any(Number), []])
    for (const session of sessions) session.end()
    await Promise.all(sessions.map(({ ended }) => ended))
    await vi.waitFor(() => expect(guardsOf(built)).toEqual([]), patience)
    const next = await at.shell('exit 0')
    expect(await next.ended).toEqual({ how: 'done' })
    await at.guard.close()
    expect(guardsOf(built)).toEqual([])
  })

  it('ends all sessions when it is closed', async () => {
    const at = testing(built)
    const session = await at.shell(stubborn)
    await heard(session, 'ready')
    await at.guard.close()
    expect(await session.ended).toEqual({ how: 'ended' })
    expectNothingLeft(at)
  })

  it('is not ended by the signals that a service manager sends to all processes', async () => {
    const at = testing(built)
    const session = await at.shell('echo ready; sleep 1000')
    await heard(session, 'ready')
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.kill(guardsOf(built)[0] as number, signal)
    session.end()
    expect(await session.ended).toEqual({ how: 'ended' })
    await at.guard.close()
  })

  it('shows nothing of a session in its arguments and variables', async () => {
    const at = testing(built)
    const session = await at.shell('echo ready; sleep 1000')
    await heard(session, 'ready')
    const [pid] = guardsOf(built)
    const shown = ['cmdline', 'environ'].map((name) => readFileSync(`/proc/${pid}/${name}`, 'utf8').split('\0').length)
    expect(shown).toEqual([5, 1])
    await at.guard.close()
  })

  it('starts nothing if `until` came before it was heard', async () => {
    const at = testing(built)
    const session = await at.executor(['true']).open({ id: newSession(), timeLimitMs: farAway })
    const [guard] = guardsOf(built)
    process.kill(guard as number, 'SIGSTOP')
    session.start({ document: {}, key: 'key' }, clock.elapsed() + 100)
    await clock.sleep(200)
    process.kill(guard as number, 'SIGCONT')
    expect(await session.ended).toEqual({ how: 'ended' })
    await at.guard.close()
  })

  it('leaves the end of all sessions to the worker if it was killed', async () => {
    const at = testing(built)
    const sessions = await Promise.all([at.shell(stubborn), at.shell(stubborn)])
    const waiting = await at.executor(['true']).open({ id: newSession(), timeLimitMs: farAway })
    const lines = await Promise.all(sessions.map((session) => heard(session, 'ready')))
    process.kill(guardsOf(built)[0] as number, 'SIGKILL')
    for (const one of lines) expect(await one.next()).toEqual({ done: true, value: undefined })
    const failed = { how: 'failed', exitCode: null, message: 'the guard of process executors has died (SIGKILL)' }
    const endings = await Promise.all([...sessions, waiting].map(({ ended }) => ended))
    expect(endings).toEqual([failed, failed, failed])
    expectNothingLeft(at)
    // the next session gets another guard
    const next = await at.shell('exit 0')
    expect(await next.ended).toEqual({ how: 'done' })
    await at.guard.close()
  })

  it('ends all sessions if the worker was killed, and then itself', async () => {
    const { worker, left } = await workerWith(stubborn)
    worker.kill('SIGKILL')
    await waitUntilNothingLeft(left)
    await vi.waitFor(() => expect(guardsOf(built)).toEqual([]), patience)
  })

  it('ends a session when its lease is over while the worker is frozen', async () => {
    // prints all the time: nobody reads what the guard sends
    const { worker, left } = await workerWith(`(${stubborn}) & exec yes`, 3_000)
    worker.kill('SIGSTOP')
    await waitUntilNothingLeft(left)
    expect(guardsOf(built)).toHaveLength(1)
    worker.kill('SIGKILL')
    await vi.waitFor(() => expect(guardsOf(built)).toEqual([]), patience)
  })

  it('ends what a worker and a guard that were killed together left behind, but no session that is believed', async () => {
    const lost = await workerWith(stubborn)
    const [guard] = guardsOf(built)
    const believed = await workerWith(stubborn)
    process.kill(guard as number, 'SIGSTOP')
    lost.worker.kill('SIGKILL')
    process.kill(guard as number, 'SIGKILL')
    await vi.waitFor(() => expect(guardsOf(built)).not.toContain(guard), patience)
    const counts = () =>
      [lost, believed].map(({ left }) => [processesWith(`MARK=${left.mark}`).length > 1, foldersOf(left).length])
    expect(counts()).toEqual([
      [true, 1],
      [true, 1],
    ])
    const asked = new Map<string, boolean>()
    await endLeftovers(
      async (session, hasGuard) => {
        asked.set(session, hasGuard)
        return !lost.left.sessions.has(session)
      },
      { graceMs: 200 },
    )
    expect([...lost.left.sessions].map((session) => asked.get(session))).toEqual([false])
    expect([...believed.left.sessions].map((session) => asked.get(session))).toEqual([true])
    expect(counts()).toEqual([
      [false, 0],
      [true, 1],
    ])
    believed.worker.kill('SIGKILL')
    await waitUntilNothingLeft(believed.left)
    await vi.waitFor(() => expect(guardsOf(built)).toEqual([]), patience)
  })

  /** Resolves when its session is ready. */
  async function workerWith(script: string, leaseMs = farAway): Promise<{ worker: ChildProcess; left: Left }> {
    const session = newSession()
    const told: WorkerArguments = {
      guard: built.guard.href,
      graceMs: 300,
      session,
      command: ['sh', '-c', script],
      mark: session,
      leaseMs,
    }
    const worker = spawn(process.execPath, [built.worker, JSON.stringify(told)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    cleanUp(() => killMarked(session))
    cleanUp(() => worker.kill('SIGKILL'))
    await new Promise<void>((resolve) => {
      // goes on to read, so that the worker never waits
      createInterface(worker.stdout).on('line', (line) => line === 'ready' && resolve())
    })
    return { worker, left: { mark: session, sessions: new Set([session]) } }
  }
})
