/** The contract of every queue adapter (src/ports/queue.ts). */
import { afterEach, describe, expect, it } from 'vitest'
import type { WorkspaceId } from '../../src/ids.ts'
import type { Job, Lane, Queue } from '../../src/ports/queue.ts'
import { EngineUnavailable } from '../../src/ports/unavailable.ts'

/** Opens an empty queue. */
export type OpenQueue = () => Promise<Queue>

export function queueContract(name: string, open: OpenQueue): void {
  describe(`${name}: the queue's contract`, () => {
    const opened: Queue[] = []
    const started = async () => {
      const queue = await open()
      opened.push(queue)
      return queue
    }
    afterEach(async () => {
      await Promise.all(opened.splice(0).map((queue) => queue.close(1000)))
    })

    it('runs jobs added before or after processing starts', async () => {
      const queue = await started()
      const ran: string[] = []
      await queue.add('apply', job('before'))
      queue.process('apply', 1, async ({ workspace }) => void ran.push(workspace))
      await until(() => ran.length === 1)
      await queue.add('apply', job('after'))
      await until(() => ran.length === 2)
      expect(ran).toEqual(['before', 'after'])
    })

    it('passes each kind to its handler, with workspace and lane', async () => {
      const queue = await started()
      const ran: unknown[] = []
      queue.process('apply', 1, async (taken) => void ran.push(['apply', taken]))
      queue.process('index', 1, async (taken) => void ran.push(['index', taken]))
      await queue.add('index', job('w', 'import'))
      await until(() => ran.length === 1)
      expect(ran).toEqual([['index', { workspace: 'w', lane: 'import' }]])
    })

    it('keeps one waiting job if the same job is added many times', async () => {
      const queue = await started()
      for (let n = 0; n < 20; n++) await queue.add('apply', job('w'))
      await queue.add('apply', job('w', 'import'))
      expect((await queue.counts()).apply).toEqual({ waiting: 2, active: 0 })
      const ran: Lane[] = []
      queue.process('apply', 1, async ({ lane }) => void ran.push(lane))
      await until(() => ran.length === 2)
      await quiet()
      expect([...ran].sort()).toEqual(['import', 'interactive'])
    })

    it('runs a job once more if it was added while active, but never twice at a time', async () => {
      const queue = await started()
      const gate = gateway()
      let runs = 0
      let together = 0
      let most = 0
      queue.process('apply', 4, async () => {
        runs++
        most = Math.max(most, ++together)
        if (runs === 1) await gate.opened
        together--
      })
      await queue.add('apply', job('w'))
      await until(() => runs === 1)
      for (let n = 0; n < 5; n++) await queue.add('apply', job('w'))
      expect((await queue.counts()).apply).toEqual({ waiting: 1, active: 1 })
      gate.open()
      await until(() => runs === 2)
      await quiet()
      expect({ runs, most }).toEqual({ runs: 2, most: 1 })
    })

    it('runs an interactive job before waiting imports', async () => {
      const queue = await started()
      for (const workspace of ['a', 'b', 'c']) await queue.add('apply', job(workspace, 'import'))
      await queue.add('apply', job('d'))
      const ran: string[] = []
      queue.process('apply', 1, async ({ workspace }) => void ran.push(workspace))
      await until(() => ran.length === 4)
      expect(ran[0]).toBe('d')
    })

    it('runs jobs of all workspaces in turn even if one workspace adds its job again and again', async () => {
      const queue = await started()
      const ran: string[] = []
      queue.process('apply', 1, async (taken) => {
        ran.push(taken.workspace)
        if (taken.workspace === 'busy' && ran.length < 30) await queue.add('apply', taken)
        if (ran.length === 3) for (const other of ['a', 'b']) await queue.add('apply', job(other))
      })
      await queue.add('apply', job('busy'))
      await until(() => ran.includes('a') && ran.includes('b'))
      expect(Math.max(ran.indexOf('a'), ran.indexOf('b'))).toBeLessThan(9)
    })

    it('tells a job to give up its place if another workspace waits, and runs it again afterwards', async () => {
      const queue = await started()
      const gate = gateway()
      const ran: string[] = []
      const answers: boolean[] = []
      queue.process('apply', 1, async ({ workspace }, turn) => {
        ran.push(workspace)
        if (workspace !== 'flooded') return
        await gate.opened
        answers.push(await turn.giveUp())
      })
      await queue.add('apply', job('flooded'))
      await until(() => ran.length === 1)
      await queue.add('apply', job('quiet'))
      gate.open()
      await until(() => answers.length === 2)
      expect(ran).toEqual(['flooded', 'quiet', 'flooded'])
      // the second time no other job waits
      expect(answers).toEqual([true, false])
      await quiet()
      expect(await queue.counts()).toMatchObject({ apply: { waiting: 0, active: 0 } })
    })

    it('tells an import to give up its place if an interactive job of the same kind waits', async () => {
      const queue = await started()
      const gate = gateway()
      const answers: boolean[] = []
      let isBackfilling = false
      queue.process('apply', 1, async ({ lane }, turn) => {
        if (lane !== 'import') return
        isBackfilling = true
        await gate.opened
        answers.push(await turn.giveUp())
        if (answers.length > 1) return
        await queue.add('apply', job('agent'))
        // a worker may just have fetched the job. Until it asks for a place, the queue does not know that it waits
        let told = await turn.giveUp()
        while (!told) told = await turn.giveUp()
        answers.push(told)
      })
      await queue.add('apply', job('backfill', 'import'))
      await until(() => isBackfilling)
      await queue.add('index', job('other'))
      gate.open()
      await until(() => answers.length >= 3)
      expect(answers).toEqual([false, true, false])
    })

    it('lets a job continue if no other waits, even while others run', async () => {
      const queue = await started()
      const gate = gateway()
      let active = 0
      let answer: boolean | undefined
      queue.process('index', 2, async ({ workspace }, turn) => {
        active++
        await gate.opened
        if (workspace === 'a') answer = await turn.giveUp()
      })
      for (const workspace of ['a', 'b']) await queue.add('index', job(workspace))
      await until(() => active === 2)
      gate.open()
      await until(() => answer !== undefined)
      expect(answer).toBe(false)
    })

    it('runs no more jobs at a time than the given concurrency', async () => {
      const queue = await started()
      const gate = gateway()
      let active = 0
      queue.process('apply', 3, async () => {
        active++
        await gate.opened
      })
      for (let n = 0; n < 8; n++) await queue.add('apply', job(`w${n}`))
      await until(() => active === 3)
      await quiet()
      expect(active).toBe(3)
      expect((await queue.counts()).apply).toEqual({ waiting: 5, active: 3 })
      gate.open()
      await until(() => active === 8)
    })

    it('retries a failed job, and runs others meanwhile', async () => {
      const queue = await started()
      const ran: string[] = []
      queue.process('apply', 1, async ({ workspace }) => {
        ran.push(workspace)
        if (workspace === 'bad' && ran.filter((w) => w === 'bad').length < 2) throw new Error('unavailable')
      })
      await queue.add('apply', job('bad'))
      await queue.add('apply', job('good'))
      await until(() => ran.length === 3)
      expect(ran).toEqual(['bad', 'good', 'bad'])
    })

    it('waits for active jobs on close, and starts or accepts no others', async () => {
      const queue = await started()
      const gate = gateway()
      const ran: string[] = []
      queue.process('apply', 1, async ({ workspace }) => {
        ran.push(workspace)
        await gate.opened
        ran.push(`${workspace} ended`)
      })
      await queue.add('apply', job('active'))
      await queue.add('apply', job('waiting'))
      await until(() => ran.length === 1)
      const closing = queue.close(5000)
      gate.open()
      expect(await closing).toBe(true)
      expect(ran).toEqual(['active', 'active ended'])
      await expect(queue.add('apply', job('late'))).rejects.toBeInstanceOf(EngineUnavailable)
    })

    it('stops waiting on close at the deadline', async () => {
      const queue = await started()
      const gate = gateway()
      let active = false
      queue.process('index', 1, async () => {
        active = true
        await gate.opened
      })
      await queue.add('index', job('stuck'))
      await until(() => active)
      expect(await queue.close(50)).toBe(false)
      gate.open()
    })

    it('health() reports no fault while the queue works', async () => {
      const queue = await started()
      expect(await queue.health()).toBeUndefined()
    })
  })
}

function job(workspace: string, lane: Lane = 'interactive'): Job {
  return { workspace: workspace as WorkspaceId, lane }
}

function gateway(): { opened: Promise<void>; open: () => void } {
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { opened, open }
}

async function until(met: () => boolean): Promise<void> {
  while (!met()) await new Promise((resolve) => setTimeout(resolve, 5))
}

/** Long enough that a job which must not run would have run. */
async function quiet(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 50))
}
