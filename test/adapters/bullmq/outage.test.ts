/** What happens to jobs if Redis or a worker fails. */
import { Redis } from 'ioredis'
import { describe, it, type TestContext } from 'vitest'
import { bullmqQueue } from '../../../src/adapters/bullmq/queue.ts'
import { systemClock } from '../../../src/adapters/system-clock.ts'
import type { WorkspaceId } from '../../../src/ids.ts'
import type { Job, Lane, Queue, QueueLog } from '../../../src/ports/queue.ts'
import { EngineUnavailable } from '../../../src/ports/unavailable.ts'
import { skipIf } from '../../support/skip.ts'
import { missing, type StartedEngine, startEngine } from '../../support/start-engine.ts'

const reason = missing('redis')

describe.concurrent('Redis outages', skipIf(reason), () => {
  it('adding a job fails at once and health reports it if Redis is unreachable', async (context) => {
    const { expect } = context
    const queue = open(context, 'redis://127.0.0.1:1')
    await expect(queue.add('apply', job('w'))).rejects.toBeInstanceOf(EngineUnavailable)
    await expect(queue.add('apply', job('w'))).rejects.toThrow(/^redis: unreachable: .*ECONNREFUSED/)
    await expect(queue.counts()).rejects.toBeInstanceOf(EngineUnavailable)
    expect((await queue.health())?.message).toMatch(/^redis: unreachable: /)
    queue.process('apply', 2, async () => {})
    expect(await queue.close(20_000)).toBe(true)
  })

  it('workers that were running before an outage run the jobs that are added after it', async (context) => {
    const { expect } = context
    const engine = await started(context)
    const queue = open(context, engine.url)
    const ran: string[] = []
    queue.process('apply', 2, async ({ workspace }) => void ran.push(workspace))
    await queue.add('apply', job('before'))
    await expect.poll(() => ran).toEqual(['before'])

    process.kill(engine.pid, 'SIGKILL')
    await expect.poll(() => failureOf(queue.add('apply', job('meanwhile')))).toBeInstanceOf(EngineUnavailable)
    expect((await queue.health())?.message).toMatch(/^redis: unreachable: /)
    await engine.stop()
    await engine.start()
    await expect.poll(() => failureOf(queue.add('apply', job('after'))), { timeout: 10_000 }).toBeUndefined()
    await expect.poll(() => ran, { timeout: 40_000 }).toContain('after')
  })

  it('the log says once that Redis is unreachable, and once that it is back', async (context) => {
    const { expect } = context
    const engine = await started(context)
    const said: string[] = []
    const say = (_: object, message: string) => void said.push(message.split(';')[0] as string)
    const queue = open(context, engine.url, { info: say, warn: say })
    queue.process('apply', 1, async () => {})
    await queue.add('apply', job('w'))
    process.kill(engine.pid, 'SIGKILL')
    await expect.poll(() => said, { timeout: 10_000 }).toEqual(['Redis is unreachable'])
    await engine.stop()
    await engine.start()
    await expect.poll(() => said, { timeout: 20_000 }).toEqual(['Redis is unreachable', 'Redis is reachable again'])
  })

  it('adding a job fails within a deadline while Redis is frozen', async (context) => {
    const { expect } = context
    const engine = await started(context)
    const queue = open(context, engine.url)
    await queue.add('apply', job('w'))
    process.kill(engine.pid, 'SIGSTOP')
    context.onTestFinished(() => void process.kill(engine.pid, 'SIGCONT'))
    const answers = await Promise.all(
      ['a', 'b', 'a', 'a'].map((workspace) => failureOf(queue.add('apply', job(workspace)))),
    )
    for (const answer of answers) expect(answer).toBeInstanceOf(EngineUnavailable)
    process.kill(engine.pid, 'SIGCONT')
    await expect.poll(() => queue.health(), { timeout: 10_000 }).toBeUndefined()
  })

  it('a job runs if it is added after Redis has lost everything', async (context) => {
    const { expect } = context
    const engine = await started(context)
    const queue = open(context, engine.url)
    let begun = 0
    let release = () => {}
    const gate = new Promise<void>((resolve) => (release = resolve))
    queue.process('index', 1, async () => {
      begun++
      await gate
    })
    await queue.add('index', job('w'))
    await expect.poll(() => begun).toBe(1)
    await queue.add('index', job('w'))
    const redis = new Redis(engine.url)
    await redis.flushall()
    await redis.quit()
    release()
    await queue.add('index', job('w'))
    await expect.poll(() => begun, { timeout: 20_000 }).toBe(2)
  })

  it('the job of a dead worker is run by another worker', async (context) => {
    const { expect } = context
    const engine = await started(context)
    const dying = open(context, engine.url)
    const [first, second]: string[][] = [[], []]
    dying.process('apply', 1, async ({ workspace }) => {
      first?.push(workspace)
      await new Promise(() => {})
    })
    await dying.add('apply', job('w'))
    await expect.poll(() => first).toEqual(['w'])
    expect(await dying.close(10)).toBe(false)
    const living = open(context, engine.url)
    living.process('apply', 1, async ({ workspace }) => void second?.push(workspace))
    await expect.poll(() => second, { timeout: 50_000 }).toEqual(['w'])
  })

  it('health reports an eviction policy that loses jobs, and a full memory', async (context) => {
    const { expect } = context
    const engine = await started(context)
    const queue = open(context, engine.url)
    expect(await queue.health()).toBeUndefined()
    const redis = new Redis(engine.url)
    await redis.config('SET', 'maxmemory-policy', 'allkeys-lru')
    expect((await queue.health())?.message).toMatch(/maxmemory-policy is allkeys-lru\. Set it to noeviction/)
    await redis.config('SET', 'maxmemory-policy', 'noeviction', 'maxmemory', '1000')
    expect((await queue.health())?.message).toMatch(/full/)
    await expect(queue.add('apply', job('w'))).rejects.toThrow(/OOM/)
    await redis.quit()
  })
})

describe.concurrent('jobs of several processes', skipIf(reason), () => {
  it('each job runs once, and never twice at the same time', async (context) => {
    const { expect } = context
    const engine = await started(context)
    const processes = [open(context, engine.url), open(context, engine.url), open(context, engine.url)] as const
    const runs = new Map<string, number>()
    const now = new Set<string>()
    let together = false
    for (const queue of processes) {
      queue.process('apply', 4, async ({ workspace }) => {
        together ||= now.has(workspace)
        now.add(workspace)
        await new Promise((resolve) => setTimeout(resolve, 5))
        runs.set(workspace, (runs.get(workspace) ?? 0) + 1)
        now.delete(workspace)
      })
    }
    const workspaces = Array.from({ length: 40 }, (_, n) => `w${n}`)
    await Promise.all(workspaces.map((workspace, n) => processes[n % 3]?.add('apply', job(workspace))))
    await expect.poll(() => runs.size, { timeout: 10_000 }).toBe(40)
    expect([...runs.values()].every((times) => times === 1)).toBe(true)
    await Promise.all(Array.from({ length: 60 }, (_, n) => processes[n % 3]?.add('apply', job('same'))))
    await expect.poll(async () => (await processes[0].counts()).apply).toEqual({ waiting: 0, active: 0 })
    expect(together).toBe(false)
  })

  it('an import runs even if interactive jobs never end', async (context) => {
    const { expect } = context
    const engine = await started(context)
    const queue = open(context, engine.url)
    const ran: Lane[] = []
    queue.process('apply', 1, async (taken) => {
      ran.push(taken.lane)
      if (taken.lane === 'interactive' && !ran.includes('import')) await queue.add('apply', taken)
    })
    await Promise.all(['a', 'b', 'c'].map((workspace) => queue.add('apply', job(workspace))))
    await queue.add('apply', job('a', 'import'))
    await expect.poll(() => ran, { timeout: 10_000 }).toContain('import')
  })

  it('a job runs again if it is added while another addition is in progress', async (context) => {
    const { expect } = context
    const engine = await started(context)
    const queue = open(context, engine.url)
    let told = 0
    let seen = 0
    queue.process('apply', 1, async () => {
      seen = told
    })
    for (let round = 0; round < 200; round++) {
      const additions = Array.from({ length: 5 }, () => {
        told++
        return queue.add('apply', job('w'))
      })
      if (round % 10 === 0) await Promise.all(additions)
      else void Promise.all(additions)
      if (round % 3 === 0) await new Promise((resolve) => setImmediate(resolve))
    }
    await expect.poll(() => seen).toBe(1000)
  })
})

async function started({ onTestFinished }: TestContext): Promise<StartedEngine> {
  const engine = await startEngine('redis')
  onTestFinished(() => engine.remove())
  return engine
}

const silent: QueueLog = { info: () => {}, warn: () => {} }

function open({ onTestFinished }: TestContext, url: string, log = silent): Queue {
  const queue = bullmqQueue({ url, prefix: 'test' }, systemClock, log)
  onTestFinished(() => void queue.close(100))
  return queue
}

function job(workspace: string, lane: Lane = 'interactive'): Job {
  return { workspace: workspace as WorkspaceId, lane }
}

async function failureOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => undefined,
    (error: unknown) => error,
  )
}
