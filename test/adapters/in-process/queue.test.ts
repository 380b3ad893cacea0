import { describe, expect, it } from 'vitest'
import { inProcessQueue } from '../../../src/adapters/in-process/queue.ts'
import type { WorkspaceId } from '../../../src/ids.ts'
import type { Clock } from '../../../src/ports/clock.ts'
import type { Job } from '../../../src/ports/queue.ts'
import { queueContract } from '../../contracts/queue.contract.ts'

queueContract('in-process', async () => inProcessQueue(clock()))

describe('the in-process queue', () => {
  it('backs off from 1 s, doubling up to 30 s plus jitter, and starts over after a success', async () => {
    const slept: number[] = []
    const queue = inProcessQueue(clock((ms) => slept.push(ms)))
    let runs = 0
    await new Promise<void>((done) => {
      queue.process('apply', 1, async (job) => {
        runs++
        if (runs === 10) done()
        if (runs === 8) return queue.add('apply', job)
        throw new Error('unavailable')
      })
      void queue.add('apply', job('w'))
    })
    expect(slept).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 1000])
    await queue.close(100)
  })

  it('logs the error of a failed job', async () => {
    const said: object[] = []
    const queue = inProcessQueue(clock(), { info: () => {}, warn: (fields) => said.push(fields) })
    let runs = 0
    await new Promise<void>((done) => {
      queue.process('index', 1, async () => {
        if (++runs === 2) return done()
        throw new Error('unavailable')
      })
      void queue.add('index', job('w'))
    })
    expect(said).toEqual([
      { err: new Error('unavailable'), kind: 'index', workspace: 'w', lane: 'interactive', failures: 1 },
    ])
    await queue.close(100)
  })

  it('runs one job of a workspace at a time, whichever lane, while others use the free places', async () => {
    const queue = inProcessQueue(clock())
    const ran: string[] = []
    let open = () => {}
    const gate = new Promise<void>((resolve) => {
      open = resolve
    })
    queue.process('apply', 2, async ({ workspace, lane }) => {
      ran.push(`${workspace} ${lane}`)
      if (ran.length === 1) await gate
    })
    await queue.add('apply', job('a'))
    await queue.add('apply', { ...job('a'), lane: 'import' })
    await queue.add('apply', { ...job('b'), lane: 'import' })
    while (ran.length < 2) await new Promise((resolve) => setImmediate(resolve))
    expect(ran).toEqual(['a interactive', 'b import'])
    open()
    while (ran.length < 3) await new Promise((resolve) => setImmediate(resolve))
    expect(ran[2]).toBe('a import')
    await queue.close(100)
  })

  it('runs an import from time to time even if many interactive jobs wait', async () => {
    const queue = inProcessQueue(clock())
    const lanes: string[] = []
    await new Promise<void>((done) => {
      queue.process('apply', 1, async (taken) => {
        lanes.push(taken.lane)
        if (taken.lane === 'import') return done()
        await queue.add('apply', taken)
      })
      for (const workspace of ['a', 'b']) void queue.add('apply', job(workspace))
      void queue.add('apply', { ...job('a'), lane: 'import' })
    })
    expect(lanes.length).toBeLessThan(30)
    await queue.close(100)
  })
})

function job(workspace: string): Job {
  return { workspace: workspace as WorkspaceId, lane: 'interactive' }
}

/** Back-off takes no time; deadlines take their real time. */
function clock(slept: (ms: number) => void = () => {}): Clock {
  return {
    now: () => Date.now(),
    elapsed: () => performance.now(),
    id: () => 'unused',
    idsFollow: () => {},
    random: () => 0,
    sleep: (ms) => {
      slept(ms)
      return new Promise((resolve) => setTimeout(resolve, ms === 5000 ? ms : Math.min(ms, 20)))
    },
  }
}
