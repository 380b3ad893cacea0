import { afterEach, beforeEach, expect, it } from 'vitest'
import { systemClock } from '../../src/adapters/system-clock.ts'
import { remember } from '../../src/memories/remember.ts'
import type { Documents, Find } from '../../src/ports/documents.ts'
import { type Receipt, type ReceiptSeen, receipts } from '../../src/receipt.ts'
import { waiting } from '../../src/receipts/waiting.ts'
import { promise, quiet, type World, world } from '../support/apply.ts'
import { ticks } from '../support/chaos.ts'

let on: World
beforeEach(async () => {
  on = await world()
})
afterEach(() => on.close())

/** The same documents, but counts the queries of receipts by id. */
function listening(asked: (ids: number) => void): Documents {
  return {
    ...on.documents,
    find: (collection, query) => {
      const { id } = (query as unknown as Find<Receipt>).where as { id?: { in: string[] } }
      if (id !== undefined) asked(id.in.length)
      return on.documents.find(collection, query)
    },
  }
}

async function accepted(count: number): Promise<ReceiptSeen[]> {
  const all: ReceiptSeen[] = []
  for (let number = 0; number < count; number++) {
    all.push(await promise(on, remember, { kind: 'fact', content: `Waited for, number ${number}.` }))
  }
  return all
}

it('all waiting callers share one query, and each of them is notified', async () => {
  const queries: number[] = []
  const waiters = waiting(
    listening((ids) => void queries.push(ids)),
    systemClock,
    false,
  )
  const all = await accepted(1_300)
  const ended = Promise.all(all.map((receipt) => waiters.untilEnded(receipt, 50_000)))
  await expect.poll(() => queries.length).toBeGreaterThan(1)
  expect(queries.slice(0, 2)).toEqual([1_000, 300])
  // the newest receipt is in the last query
  await on.documents.update(receipts, all.at(-1)?.id as string, { set: { open: 0, undecided: 0, state: 'failed' } })
  const last = await waiters.untilEnded(all.at(-1) as ReceiptSeen, 50_000)
  expect(last.state).toBe('failed')
  await quiet(on)
  expect(new Set((await ended).map(({ state }) => state))).toEqual(new Set(['applied', 'failed']))
  waiters.close()
})

it('no query runs if workers notify callers', async () => {
  const queries: number[] = []
  const waiters = waiting(
    listening((ids) => void queries.push(ids)),
    // a query would run at once
    { ...systemClock, sleep: () => ticks(1) },
    true,
  )
  const [receipt] = await accepted(1)
  const ended = waiters.untilEnded(receipt as ReceiptSeen, 50_000)
  await ticks(20)
  await quiet(on)
  waiters.ended([(receipt as ReceiptSeen).id])
  expect((await ended).state).toBe('applied')
  expect(queries).toEqual([])
})

it('a wait ends with the last known state at the deadline or when the service stops', async () => {
  const waiters = waiting(on.documents, systemClock, false)
  const [first, second] = (await accepted(2)) as [ReceiptSeen, ReceiptSeen]
  expect((await waiters.untilEnded(first, 150)).state).toBe('accepted')
  const held = waiters.untilEnded(second, 50_000)
  await new Promise((resolve) => setTimeout(resolve, 20))
  waiters.close()
  expect((await held).state).toBe('accepted')
})

/** ms. The test ends before. */
const longest = 1_000_000

it('a wait ends at once if the receipt has ended since the caller read it', async () => {
  const waiters = waiting(on.documents, systemClock, true)
  const [receipt] = (await accepted(1)) as [ReceiptSeen]
  await quiet(on)
  // its worker reported the end before anyone waited, and does not report it again
  let ended: ReceiptSeen | undefined
  void waiters.untilEnded(receipt, longest).then((now) => {
    ended = now
  })
  await expect.poll(() => ended, { timeout: 20_000 }).toMatchObject({ id: receipt.id, state: 'applied' })
  waiters.close()
})

it('a wait notices a receipt that ends between the first read and the wait', async () => {
  const [receipt] = (await accepted(1)) as [ReceiptSeen]
  let isOver = false
  const documents: Documents = {
    ...on.documents,
    async get(collection, id, ...rest) {
      const found = await on.documents.get(collection, id, ...rest)
      if (!isOver && collection.name === receipts.name) {
        isOver = true
        await quiet(on)
        waiters.ended([receipt.id])
      }
      return found
    },
  }
  const waiters = waiting(documents, systemClock, true)
  let ended: ReceiptSeen | undefined
  void waiters.untilEnded(receipt, longest).then((now) => {
    ended = now
  })
  await expect.poll(() => ended, { timeout: 20_000 }).toMatchObject({ id: receipt.id, state: 'applied' })
  waiters.close()
})
