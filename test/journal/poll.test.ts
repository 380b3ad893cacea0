import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { indexWorkspace } from '../../src/indexing/index-entries.ts'
import { drain } from '../../src/journal/drain.ts'
import { poller } from '../../src/journal/poll.ts'
import type { JournalPorts } from '../../src/journal/ports.ts'
import { remember } from '../../src/memories/remember.ts'
import type { Job, JobKind } from '../../src/ports/queue.ts'
import { EngineUnavailable } from '../../src/ports/unavailable.ts'
import { type ReceiptSeen, receipts, seenFields } from '../../src/receipt.ts'
import { promise, type World, workspace, world } from '../support/apply.ts'

let on: World
let told: string[]
beforeEach(async () => {
  on = await world()
  told = []
})
afterEach(() => on.close())

/** The ports of the workers, with a queue that either loses every wake-up or refuses it. */
function portsWith(queue: 'loses all' | 'is away'): JournalPorts {
  const ports = on.portsOf(on)
  const add = async (kind: JobKind, { lane }: Job) => {
    told.push(`${kind} ${lane}`)
    if (queue === 'is away') throw new EngineUnavailable('redis', 'away')
  }
  return { ...ports, queue: { ...ports.queue, add } }
}

const fact = (number: number) => ({ kind: 'fact', content: `Fact ${number} of those nobody was woken for.` })
const stateOf = async ({ id }: ReceiptSeen) => (await on.documents.get(receipts, id, seenFields))?.state

describe('the poller', () => {
  it('runs jobs at once that the queue refuses', async () => {
    const ports = portsWith('is away')
    const receipt = await promise(on, remember, fact(1))
    await poller(ports, 'apply', (job) => drain(ports, job))()
    expect(await stateOf(receipt)).toBe('processing')
    await poller(ports, 'index', (job) => indexWorkspace(ports, job))()
    expect(await stateOf(receipt)).toBe('applied')
  })

  it('leaves jobs to the queue, but runs those that made no progress until the next look', async () => {
    const ports = portsWith('loses all')
    const receipt = await promise(on, remember, fact(1))
    const look = poller(ports, 'apply', (job) => drain(ports, job))
    await look()
    expect(told).toEqual(['apply interactive'])
    expect(await stateOf(receipt)).toBe('accepted')
    await look()
    expect(await stateOf(receipt)).toBe('processing')
  })

  it('does not run a lane that makes progress', async () => {
    const ports = portsWith('loses all')
    const joined: Job[] = []
    const look = poller(ports, 'apply', async (job) => void joined.push(job))
    for (const number of [1, 2, 3, 4]) {
      await promise(on, remember, fact(number))
      await look()
      // another worker makes progress between two looks
      await drain(ports, { workspace, lane: 'interactive' })
      await promise(on, remember, fact(number + 10))
    }
    expect(joined).toEqual([])
  })

  it('finds both lanes, and does nothing if no receipt is open', async () => {
    const ports = portsWith('is away')
    const look = poller(ports, 'apply', (job) => drain(ports, job))
    await look()
    expect(told).toEqual([])
    await promise(on, remember, fact(1))
    await promise(on, remember, fact(2), undefined, 'import')
    await look()
    expect(told.filter((one) => one.startsWith('apply')).sort()).toEqual(['apply import', 'apply interactive'])
  })

  it('continues after a failed job, but stops if an engine is unavailable', async () => {
    const ports = portsWith('is away')
    await promise(on, remember, fact(1))
    await promise(on, remember, fact(2), undefined, 'import')
    for (const [error, tried] of [
      [new Error('of its own'), 2],
      [new EngineUnavailable('search', 'away'), 1],
    ] as const) {
      const jobs: Job[] = []
      await poller(ports, 'index', async (job) => {
        jobs.push(job)
        throw error
      })()
      expect(jobs).toHaveLength(tried)
    }
  })
})
