import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { type ExecutorSession, longestLine } from '../../../src/ports/executor.ts'
import { linesOf } from '../../contracts/executor.contract.ts'
import { temporaryFolder } from '../../support/clean-up.ts'
import { skipIf } from '../../support/skip.ts'
import { build } from './build.ts'
import {
  expectNothingLeft,
  farAway,
  guardsOf,
  heard,
  isWindows,
  notLinux,
  patience,
  processesWith,
  testing,
} from './sessions.ts'

/** Lives until it is killed. */
const ignoring = `trap '' TERM; echo ready; while :; do sleep 1; done`

describe('the end of a process', skipIf(isWindows), () => {
  const built = build()
  const at = testing(built)
  /** For programs that end by themselves, however busy the machine is. */
  const patient = testing(built, { graceMs: farAway })
  afterEach(() => {
    expectNothingLeft(at)
    expectNothingLeft(patient)
  })

  it('gets SIGTERM once and may clean up, and its last lines are read', async () => {
    // the process in the background says that it is ready: before, a signal might be handled by the trap and not end it
    const session = await patient.shell(
      `trap 'echo terminated' TERM; (echo ready; exec sleep 1000) & wait; echo after; exit 0`,
    )
    await heard(session, 'ready')
    session.end()
    expect(await printedBy(session)).toEqual(['terminated', 'after'])
    expect(await session.ended).toEqual({ how: 'ended' })
  })

  it('gets SIGKILL after the grace if it ignores SIGTERM', async () => {
    const session = await at.shell(ignoring)
    await heard(session, 'ready')
    session.end()
    expect(await session.ended).toEqual({ how: 'ended' })
  })

  it('gets no SIGKILL before the grace is over', async () => {
    const session = await patient.shell(
      `trap 'sleep 1; echo cleaned; exit' TERM; echo ready; while :; do sleep 0.1; done`,
    )
    await heard(session, 'ready')
    session.end()
    expect(await printedBy(session)).toEqual(['cleaned'])
    await session.ended
  })

  it('gets SIGKILL after the grace if it ignores SIGTERM when the lease or the time limit is over', async () => {
    const sessions = await Promise.all([
      at.shell(ignoring, { untilMs: 3_000 }),
      at.shell(ignoring, { timeLimitMs: 700 }),
    ])
    expect(await Promise.all(sessions.map(({ ended }) => ended))).toEqual([
      { how: 'lease_over' },
      { how: 'time_limit' },
    ])
  })

  it('ends processes of its group that ignore SIGTERM', async () => {
    const session = await at.shell(`(${ignoring}) & (${ignoring.replace('ready', 'other')}) & wait`)
    await heard(session, 'ready')
    session.end()
    expect(await session.ended).toEqual({ how: 'ended' })
  })

  it('ends what it left behind in its group, and does not wait for the open pipes', async () => {
    const session = await at.shell(
      `mkfifo told; (${ignoring.replace('ready', 'ready; echo > told')}) & read x < told; exit 0`,
    )
    expect((await linesOf(session)).map(({ text }) => text)).toEqual(['ready'])
    expect(await session.ended).toEqual({ how: 'done' })
  })

  it('ends processes that left the group', skipIf(notLinux), async () => {
    const leaving = `setsid sh -c "${ignoring}" & (setsid setsid sleep 1000 &) ; setsid sleep 1000 > /dev/null 2>&1 &`
    const session = await at.shell(`${leaving} sleep 1000`)
    await heard(session, 'ready')
    await vi.waitFor(() => expect(processesWith(`MARK=${at.mark}`).length).toBeGreaterThanOrEqual(5), patience)
    session.end()
    expect(await session.ended).toEqual({ how: 'ended' })
  })

  it('ends processes that left the group when the first one has ended', skipIf(notLinux), async () => {
    const session = await at.shell(`setsid sh -c "${ignoring}" & sleep 0.3; exit 5`)
    expect(await session.ended).toEqual({ how: 'failed', exitCode: 5, message: 'The executor ended with exit code 5.' })
  })

  it('ends processes that go on to fork while they are ended', skipIf(notLinux), async () => {
    const forking = `trap '' TERM; echo ready; while :; do setsid sleep 1000 & sleep 0.05; done`
    const session = await at.shell(forking)
    await heard(session, 'ready')
    session.end()
    expect(await session.ended).toEqual({ how: 'ended' })
  })

  it('sends SIGTERM only once to a process that left the group', skipIf(notLinux), async () => {
    const file = join(temporaryFolder(), 'terms')
    const session = await patient.shell(
      `setsid sh -c "trap 'echo term >> ${file}' TERM; echo ready; for n in 1 2 3 4 5 6 7 8 9; do sleep 0.2; done" & wait`,
    )
    await heard(session, 'ready')
    session.end()
    await session.ended
    expect(readFileSync(file, 'utf8')).toBe('term\n')
  })

  it('goes on after it has closed its output', async () => {
    const file = join(temporaryFolder(), 'after')
    const session = await at.shell(`echo first; exec 1>&- 2>&-; sleep 0.5; echo x > ${file}; exit 6`)
    expect((await linesOf(session)).map(({ text }) => text)).toEqual(['first'])
    expect(await session.ended).toMatchObject({ exitCode: 6 })
    expect(existsSync(file)).toBe(true)
  })

  it('keeps the last output of a program that has ended while nobody read', skipIf(notLinux), async () => {
    // more than the guard sends at once; the pipe holds the rest
    const session = await at.shell('head -c 340000 /dev/zero | tr "\\0" "\\n"; echo last')
    expect(await session.ended).toEqual({ how: 'done' })
    const lines = await linesOf(session)
    expect([lines.length, lines.at(-1)?.text]).toEqual([340_001, 'last'])
  })

  it('holds little memory if a program prints 100 MB and nobody reads', skipIf(notLinux), async () => {
    const session = await at.shell('echo $$; exec head -c 100000000 /dev/zero')
    const lines = session.lines[Symbol.asyncIterator]()
    const pid = (await lines.next()).value?.text
    const written = () => Number(/^wchar: (\d+)/m.exec(readFileSync(`/proc/${pid}/io`, 'utf8'))?.[1])
    await vi.waitFor(() => expect(written()).toBeGreaterThan(100_000), patience)
    const { value } = await lines.next()
    expect([value?.isCut, value?.text.length]).toEqual([true, longestLine])
    expect(await session.ended).toEqual({ how: 'done' })
    const [guard] = guardsOf(built)
    const status = readFileSync(`/proc/${guard}/status`, 'utf8')
    // kB
    expect(Number(/^VmHWM:\s+(\d+)/m.exec(status)?.[1])).toBeLessThan(120_000)
  })

  it('runs many sessions that end at once', async () => {
    const sessions = await Promise.all(Array.from({ length: 20 }, (_, n) => at.shell(`echo ${n}; exit ${n % 2}`)))
    const endings = await Promise.all(sessions.map(async (one) => [await linesOf(one), (await one.ended).how]))
    expect(endings).toEqual(
      sessions.map((_, n) => [[{ text: `${n}`, from: 'stdout', isCut: false }], n % 2 === 0 ? 'done' : 'failed']),
    )
  })
})

/** A shell tells on standard error that a signal has ended a program. */
async function printedBy(session: ExecutorSession): Promise<string[]> {
  return (await linesOf(session)).filter(({ from }) => from === 'stdout').map(({ text }) => text)
}
