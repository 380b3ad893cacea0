/** The contract of every executor adapter (src/ports/executor.ts). */
import { afterEach, describe, expect, it } from 'vitest'
import { systemClock as clock } from '../../src/adapters/system-clock.ts'
import { type Ending, type Executor, type ExecutorSession, type Line, longestLine } from '../../src/ports/executor.ts'

/** What a test's executor does in each session. It first prints all of its lines, and then ends. */
export interface Program {
  /** Prints first what it was given, as a line of JSON: `{ document, key }`. */
  echoes?: boolean
  /** Printed one after the other, as they are. */
  prints?: readonly (string | Uint8Array)[]
  /** Prints a line of this many bytes again and again. */
  repeats?: { line: number; times: number }
  /** done: it succeeds, and prints a result line if the adapter needs one. never: only when it is ended. */
  ends: 'done' | 'failed' | 'never'
}

export interface ExecutorHarness {
  open(program: Program): Promise<Opened>
}

export interface Opened {
  executor: Executor
  /** How many sessions of it have been started. */
  starts(): Promise<number>
  /** How many bytes its only session could print up to now. */
  printed(): Promise<number>
  /** Waits for a moment until nothing of its sessions is left running, and fails if something is. */
  nothingLeft(): Promise<void>
}

/** ms. Later than any test ends. */
const farAway = 600_000

const given = { document: { phase: 'run', text: 'line\nend "quote" 中\u2028' }, key: 'svc_run_test' }
/** An adapter prints it by itself if it needs one. */
const isResult = ({ text }: Line) => text.startsWith('{"type":"result"')

export function executorContract(name: string, harness: ExecutorHarness): void {
  describe(`${name}: the executor's contract`, () => {
    const opened: Opened[] = []
    let ids = 0

    const running = async (program: Program) => {
      const one = await harness.open(program)
      opened.push(one)
      return { ...one, session: () => sessionOf(one.executor) }
    }
    const sessionOf = (executor: Executor, timeLimitMs = farAway) => {
      ids += 1
      return executor.open({ id: `0199aaaa-0000-7000-8000-${clock.id().slice(-12)}-${ids}`, timeLimitMs })
    }
    const started = async (program: Program) => {
      const one = await running(program)
      const session = await one.session()
      session.start(given, clock.elapsed() + farAway)
      return { ...one, session }
    }
    afterEach(async () => {
      for (const { executor, nothingLeft } of opened.splice(0)) {
        await executor.close()
        await nothingLeft()
      }
    })

    it('gives the document and the key, and is done when the executor has succeeded', async () => {
      const { session } = await started({ echoes: true, ends: 'done' })
      const [line] = await linesOf(session)
      expect(JSON.parse(line?.text ?? '')).toEqual(given)
      expect(await session.ended).toEqual({ how: 'done' })
    })

    it('fails when the executor fails, with a message that holds nothing it printed', async () => {
      const { session } = await started({ prints: ['the secret word\n'], ends: 'failed' })
      expect((await linesOf(session)).map(({ text }) => text)).toEqual(['the secret word'])
      const ending = await session.ended
      expect(ending.how).toBe('failed')
      expect(JSON.stringify(ending)).not.toContain('secret')
    })

    it('splits lines at their ends, however the bytes arrive, and takes the rest at the end as a line', async () => {
      const bytes = Buffer.from('first\n\nthird 中\r\n{"type":"milestone"}\nhalf a line')
      const { session } = await started({ prints: [...bytes].map((byte) => Uint8Array.of(byte)), ends: 'failed' })
      expect(await linesOf(session)).toEqual(
        ['first', '', 'third 中', '{"type":"milestone"}', 'half a line'].map((text) => ({
          text,
          from: 'stdout',
          isCut: false,
        })),
      )
    })

    it('replaces bytes that are not UTF-8', async () => {
      const { session } = await started({ prints: [Uint8Array.of(0x61, 0xff, 0x00, 0xc3, 0x0a)], ends: 'failed' })
      expect((await linesOf(session)).map(({ text }) => text)).toEqual(['a\ufffd\0\ufffd'])
    })

    it('cuts a line that is too long, says so, and goes on with the next', async () => {
      const { session } = await started({
        prints: ['中'.repeat(longestLine), '\n', 'a'.repeat(longestLine), '\nnext\n'],
        ends: 'failed',
      })
      const [cut, longest, next] = await linesOf(session)
      expect(cut).toEqual({ text: '中'.repeat(Math.floor(longestLine / 3)), from: 'stdout', isCut: true })
      expect(longest).toEqual({ text: 'a'.repeat(longestLine), from: 'stdout', isCut: false })
      expect(next?.text).toBe('next')
    })

    it('pauses the executor while nobody reads, and loses nothing', async () => {
      const repeats = { line: 1000, times: 100_000 }
      const { session, printed } = await started({ prints: ['first\n'], repeats, ends: 'done' })
      const lines = session.lines[Symbol.asyncIterator]()
      expect((await lines.next()).value?.text).toBe('first')
      // buffers of the adapter and of the system
      expect(await settled(printed)).toBeLessThan(8 * 1024 * 1024)
      let read = 0
      for (let next = await lines.next(); !next.done; next = await lines.next()) if (!isResult(next.value)) read++
      expect(read).toBe(repeats.times)
      expect(await session.ended).toEqual({ how: 'done' })
    })

    it('ends when the executor has, even if nobody reads', async () => {
      const { session } = await started({ prints: ['one\ntwo\n'], ends: 'done' })
      expect(await session.ended).toEqual({ how: 'done' })
      expect((await linesOf(session)).filter((line) => !isResult(line)).map(({ text }) => text)).toEqual(['one', 'two'])
    })

    it('starts nothing if `until` has come', async () => {
      const { session, starts } = await running({ ends: 'never' })
      const one = await session()
      one.start(given, clock.elapsed())
      expect(await one.ended).toEqual({ how: 'ended' })
      expect(await linesOf(one)).toEqual([])
      expect(await starts()).toBe(0)
    })

    it('ends a session whose `until` comes', async () => {
      const { session } = await running({ prints: ['begun\n'], ends: 'never' })
      const one = await session()
      one.start(given, clock.elapsed() + 3_000)
      expect(await one.ended).toEqual({ how: 'lease_over' })
    })

    it('lets a session go on when `until` was extended, and ignores an earlier instant', async () => {
      const { session } = await running({ prints: ['begun\n'], ends: 'never' })
      const one = await session()
      const until = clock.elapsed() + 2_000
      one.start(given, until)
      one.extend(until + farAway)
      one.extend(until - 1_000)
      await clock.sleep(until + 500 - clock.elapsed())
      one.end()
      expect(await one.ended).toEqual({ how: 'ended' })
    })

    it('ends a session at its time limit', async () => {
      const { executor } = await running({ prints: ['begun\n'], ends: 'never' })
      const one = await sessionOf(executor, 500)
      one.start(given, clock.elapsed() + farAway)
      expect(await one.ended).toEqual({ how: 'time_limit' })
    })

    it('ends a session when told, once and again, and its lines with it', async () => {
      const { session } = await started({ prints: ['begun\n'], ends: 'never' })
      const lines = session.lines[Symbol.asyncIterator]()
      expect((await lines.next()).value?.text).toBe('begun')
      session.end()
      session.end()
      expect(await lines.next()).toEqual({ done: true, value: undefined })
      expect(await session.ended).toEqual({ how: 'ended' })
      session.end()
    })

    it('never starts a session that was ended before', async () => {
      const { session, starts } = await running({ ends: 'never' })
      const one = await session()
      one.end()
      one.start(given, clock.elapsed() + farAway)
      expect(await one.ended).toEqual({ how: 'ended' })
      expect(await starts()).toBe(0)
    })

    it('keeps sessions apart', async () => {
      const { session } = await running({ echoes: true, ends: 'never' })
      const texts = ['a', 'b', 'c']
      const all = await Promise.all(texts.map(session))
      all.forEach((one, at) => {
        one.start({ document: { text: texts[at] }, key: `key ${at}` }, clock.elapsed() + farAway)
      })
      const heard = await Promise.all(all.map((one) => one.lines[Symbol.asyncIterator]().next()))
      expect(heard.map(({ value }) => JSON.parse(value?.text ?? ''))).toEqual(
        texts.map((text, at) => ({ document: { text }, key: `key ${at}` })),
      )
      all[1]?.end()
      expect(await all[1]?.ended).toEqual({ how: 'ended' })
      const others: (Ending | 'running')[] = await Promise.all([0, 2].map((at) => endingNow(all[at])))
      expect(others).toEqual(['running', 'running'])
    })

    it('ends all sessions when it is closed, started or not', async () => {
      const { executor, session } = await started({ prints: ['begun\n'], ends: 'never' })
      const other = await sessionOf(executor)
      await executor.close()
      expect([await endingNow(session), await endingNow(other)]).toEqual([{ how: 'ended' }, { how: 'ended' }])
    })
  })
}

export async function linesOf(session: ExecutorSession): Promise<Line[]> {
  const lines: Line[] = []
  for await (const line of session.lines) lines.push(line)
  return lines
}

async function endingNow(session: ExecutorSession | undefined): Promise<Ending | 'running'> {
  if (session === undefined) throw new Error('no such session')
  return Promise.race([session.ended, clock.sleep(10).then(() => 'running' as const)])
}

/** The value once it has stopped to grow. */
async function settled(look: () => Promise<number>): Promise<number> {
  let before = -1
  for (let same = 0; same < 5; ) {
    const now = await look()
    same = now === before && now > 0 ? same + 1 : 0
    before = now
    await clock.sleep(100)
  }
  return before
}
