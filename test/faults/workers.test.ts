/** Apply workers that are killed or frozen while others run. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { full } from '../support/size.ts'
import { skipIf } from '../support/skip.ts'
import { type Cluster, missingFor, startCluster } from './cluster.ts'
import { allApplied, allAppliedOnce, eachOnce, type Load, recovery, sleep, underLoad } from './load.ts'
import { proxyTo, type Step } from './mongodb-proxy.ts'

const frozen = full ? 60_000 : 10_000
const writesAtEach = 6
/** ms between two writes of a writer. 16 writers keep both apply workers at work */
const pause = full ? 60 : 400

/** The commands of drain, in order: head, checkpoint, pending, mark, append, then projection. */
const commands: [string, string][] = [
  ['find', 'journal'],
  ['find', 'checkpoints'],
  ['find', 'receipts'],
  ['update', 'receipts'],
  ['insert', 'journal'],
  ['insert', 'records'],
  ['update', 'checkpoints'],
]
const steps: Step[] = commands.flatMap(([command, collection]) =>
  (['before', 'after'] as const).map((when) => ({ command, collection, when })),
)

describe('apply workers', skipIf(missingFor([])), () => {
  let cluster: Cluster
  beforeAll(async () => {
    cluster = await startCluster([], ['web', 'index'])
  }, 180_000)
  afterAll(() => cluster?.close(), 60_000)

  it('every write is applied once if apply workers are killed at each step of drain', async () => {
    const [web] = cluster.webs
    const loads: Load[] = []
    const killedAt: string[] = []
    for (const step of steps) {
      const at = nameOf(step)
      const load = underLoad([web as never], at.replaceAll(' ', '-'), { most: writesAtEach })
      loads.push(load)
      await load.stop()
      // continues the work of its predecessors, and dies
      await killedAtStep(cluster, step)
      killedAt.push(at)
    }
    expect(killedAt).toEqual(steps.map(nameOf))
    const began = Date.now()
    const last = await cluster.start('apply')
    await allApplied(web as never, loads, began + recovery)
    await eachOnce(web as never, loads)
    await last.kill()
    console.log(`killed at ${steps.length} steps; what was left was applied in ${Date.now() - began} ms`)
  }, 400_000)

  it(`an apply worker that is frozen for ${frozen / 1000} s delays no other one, and breaks nothing when it wakes up`, async () => {
    const [web] = cluster.webs
    const workers = [await cluster.start('apply'), await cluster.start('apply'), await cluster.start('maintain')]
    const load = underLoad([web as never], 'frozen', { every: pause })
    await sleep(1_500)
    workers[0]?.child.kill('SIGSTOP')
    const stopped = Date.now()
    await sleep(500)
    const meanwhile = underLoad([web as never], 'meanwhile', { most: 16 })
    await meanwhile.stop()
    // applied by the other workers
    await allApplied(web as never, [meanwhile], stopped + recovery)
    const waited = Date.now() - stopped
    await sleep(Math.max(0, frozen - waited))
    workers[0]?.child.kill('SIGCONT')
    await sleep(1_000)
    await load.stop()
    await allAppliedOnce(web as never, [load, meanwhile])
    console.log(
      `one of two frozen for ${frozen} ms: ${meanwhile.acknowledged.size} writes applied by the other after ${waited} ms`,
    )
  }, 400_000)
})

const nameOf = ({ when, command, collection }: Step) => `${when} ${command} ${collection}`

/** ms until a new apply worker reaches any step */
const mostUntilReached = 30_000

async function killedAtStep(cluster: Cluster, step: Step): Promise<void> {
  const reached = withResolvers()
  const proxy = await proxyTo(cluster.env.MONGODB_URL as string, step, reached.resolve)
  const worker = await cluster.spawn('apply', { MONGODB_URL: proxy.url })
  const late = setTimeout(
    () => reached.reject(new Error(`not reached: ${nameOf(step)}\n${worker.log()}`)),
    mostUntilReached,
  )
  try {
    await reached.promise
  } finally {
    clearTimeout(late)
    await worker.kill()
    proxy.close()
  }
}

function withResolvers() {
  let resolve: () => void = () => {}
  let reject: (error: Error) => void = () => {}
  const promise = new Promise<void>((one, other) => {
    resolve = one
    reject = other
  })
  return { promise, resolve, reject }
}
