import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Checkpoint, checkpointOf, checkpoints, comparisons } from '../../src/journal/checkpoint.ts'
import { drain } from '../../src/journal/drain.ts'
import { entries } from '../../src/journal/entry.ts'
import { prune } from '../../src/journal/maintenance/prune.ts'
import { sweep } from '../../src/journal/maintenance/sweep.ts'
import type { JournalPorts } from '../../src/journal/ports.ts'
import { remember } from '../../src/memories/remember.ts'
import { receipts } from '../../src/receipt.ts'
import { apply, promise, type World, workspace, world } from '../support/apply.ts'

const interactive = { workspace, lane: 'interactive' as const }
const fact = (content: string) => ({ kind: 'fact', content })
const day = 24 * 60 * 60 * 1000

describe('maintenance of the journal', () => {
  let on: World
  let ports: JournalPorts
  let ahead: number
  beforeEach(async () => {
    on = await world()
    ahead = 0
    const known = on.portsOf(on)
    ports = { ...known, clock: { ...known.clock, now: () => known.clock.now() + ahead } }
    for (const content of ['One.', 'Two.', 'Three.']) await apply(on, remember, fact(content))
  })
  afterEach(() => on.close())

  async function emptied(): Promise<number[]> {
    const all = await on.documents.find(entries, { where: { workspace }, sort: [['number', 'asc']], limit: 100 })
    return all.filter((entry) => entry.emptied).map(({ number }) => number)
  }
  const behind = (set: Partial<Checkpoint>) => on.documents.update(checkpoints, workspace, { set })

  it.each(['projected', 'indexed', 'compared'] as const)(
    'prunes no entry that %s has not passed',
    async (checkpoint) => {
      if (checkpoint === 'compared') await on.documents.update(comparisons, workspace, { set: { compared: 2 } })
      else await behind({ [checkpoint]: 2 })
      ahead = 2 * day
      await prune(ports, { journalDays: 1, receiptDays: 0 })
      expect(await emptied()).toEqual([1])
    },
  )

  it('prunes neither entries nor receipts within their retention, and no open receipt', async () => {
    const open = await promise(on, remember, fact('Never decided.'))
    ahead = day - 60_000
    expect(await prune(ports, { journalDays: 1, receiptDays: 1 })).toEqual({ emptied: 0, removed: 0 })
    ahead = 2 * day
    expect(await prune(ports, { journalDays: 0, receiptDays: 0 })).toEqual({ emptied: 0, removed: 0 })
    expect(await prune(ports, { journalDays: 1, receiptDays: 1 })).toEqual({ emptied: 2, removed: 3 })
    expect(await on.documents.get(receipts, open.id)).toMatchObject({ open: 1 })
  })

  it('wakes workers of a workspace whose checkpoints are behind, even if no receipt is open', async () => {
    const woken: string[] = []
    const queue = { ...ports.queue, add: async (kind: string) => void woken.push(kind) } as JournalPorts['queue']
    const by = { ...ports, queue }
    await sweep(by)
    expect(woken).toEqual([])
    await behind({ indexed: 2 })
    await sweep(by)
    expect(woken).toEqual(['index'])
    await behind({ indexed: 2, projected: 2 })
    woken.length = 0
    await sweep(by)
    expect(woken).toEqual(['apply'])
    expect((await checkpointOf(on.documents, workspace)).projected).toBe(2)
    await drain(ports, interactive)
    expect((await checkpointOf(on.documents, workspace)).projected).toBe(3)
  })
})
