/** The apply worker: drain(workspace, lane) of PROTOCOL 2. Many may run at once, anywhere, and die at any line. */
import assert from 'node:assert/strict'
import { instant } from '../ports/clock.ts'
import { alone, type Job, type Turn } from '../ports/queue.ts'
import { EngineUnavailable } from '../ports/unavailable.ts'
import { type Pending, receipts } from '../receipts/receipt.ts'
import type { ReceiptId } from '../records/ids.ts'
import { chooseBatch, loadBatch } from './batch.ts'
import { decideBatch } from './decide.ts'
import { type Entry, entries } from './entry.ts'
import { checkpointOf, type Head, headOf } from './head.ts'
import { cacheEntry } from './load-entry.ts'
import type { JournalPorts } from './ports.ts'
import { project, projectUpTo } from './project.ts'
import { workerTurn } from './worker-turn.ts'

/** How long an append that was refused as a duplicate may stay unreadable, in ms. */
const unreadableFor = 10_000

/** Until nothing waits, or another workspace has the place: that is asked after each entry, or 100 ms of work. */
export async function drain(ports: JournalPorts, job: Job, place: Turn = alone): Promise<void> {
  const { documents } = ports
  const { workspace } = job
  const turn = workerTurn(ports.clock, place)
  let awaited = 0
  let unreadableSince: number | undefined
  for (;;) {
    const head = await headOf(documents, workspace)
    if (head.number < awaited) {
      // refused as a duplicate, yet not to be read: a read that lags behind
      unreadableSince ??= ports.clock.elapsed()
      if (ports.clock.elapsed() - unreadableSince > unreadableFor) throw new Error(`entry ${awaited} stays unreadable`)
      await ports.clock.sleep(20)
      continue
    }
    unreadableSince = undefined
    if (!(await projectUpTo(ports, workspace, head, turn))) return
    const chosen = await chooseBatch(ports, job, head)
    if (chosen.length === 0) {
      await wakeIndex(ports, job)
      return
    }
    if (await turn.isGivenUp()) return
    const pending = await loadBatch(documents, chosen)
    // another worker has decided all of them meanwhile: head has moved
    if (pending.length === 0) continue
    const won = await decideAndAppend(ports, head, pending)
    if (won === 'lost') {
      awaited = head.number + 1
      await ports.clock.sleep(5 + ports.clock.random() * 95)
      continue
    }
    await wakeIndex(ports, job)
    turn.pieceDone()
  }
}

/** 'lost': another worker appended first; nothing was done. */
async function decideAndAppend(ports: JournalPorts, head: Head, pending: Pending[]): Promise<'won' | 'lost'> {
  const workspace = (pending[0] as Pending).workspace
  const ids = pending.map((receipt) => receipt.id)
  await refund(ports)
  await ports.documents.updateMany(
    receipts,
    ids,
    { set: { state: 'processing', updated_at: instant(ports.clock) }, inc: { attempts: 1 } },
    { undecided: 1, open: 1 },
  )
  let entry: Entry
  try {
    const { entry: made, threw } = await decideBatch(ports, workspace, head, pending)
    entry = made
    if (threw.length > 0) await countErrors(ports, threw)
    if (entry.receipts.length === 0) return await giveUpBatch(ports, threw)
    assert(entry.number === head.number + 1 && entry.first_seq === head.last_seq + 1, 'the journal has no gap')
    if (!(await ports.documents.insert(entries, entry))) {
      queueRefund(ports, ids)
      await refund(ports)
      return 'lost'
    }
  } catch (error) {
    // an outage or our own mistake, no death: it does not count against the receipts
    if (error instanceof EngineUnavailable) queueRefund(ports, ids)
    throw error
  }
  cacheEntry(ports.documents, entry)
  await project(ports, entry)
  ports.watch?.decided(entry, pending)
  // those that the entry had no room for were marked, but not tried
  const undone = new Set<ReceiptId>(ids)
  for (const { receipt } of entry.receipts) undone.delete(receipt)
  if (undone.size > 0) queueRefund(ports, [...undone])
  return 'won'
}

async function countErrors(ports: JournalPorts, threw: { receipt: Pending }[]): Promise<void> {
  await ports.documents.updateMany(
    receipts,
    threw.map(({ receipt }) => receipt.id),
    { inc: { errors: 1 } },
    { undecided: 1, open: 1 },
  )
}

/** Each of the batch threw: the job is tried again with back-off, else it would spin. */
async function giveUpBatch(ports: JournalPorts, threw: { receipt: Pending; error: unknown }[]): Promise<never> {
  queueRefund(
    ports,
    threw.map(({ receipt }) => receipt.id),
  )
  throw new Error('deciding every receipt of the batch threw', { cause: threw[0]?.error })
}

/** Attempts that were no deaths of a worker: taken back as soon as the store takes a write. Lost with the process. */
const refunds = new WeakMap<JournalPorts, ReceiptId[]>()

function queueRefund(ports: JournalPorts, ids: readonly ReceiptId[]): void {
  refunds.set(ports, [...(refunds.get(ports) ?? []), ...ids].slice(-10_000))
}

async function refund(ports: JournalPorts): Promise<void> {
  const ids = refunds.get(ports)
  if (!ids || ids.length === 0) return
  refunds.delete(ports)
  try {
    await ports.documents.updateMany(receipts, ids, { inc: { attempts: -1 } }, { undecided: 1, open: 1 })
  } catch (error) {
    queueRefund(ports, ids)
    throw error
  }
}

async function wakeIndex(ports: JournalPorts, job: Job): Promise<void> {
  const checkpoint = await checkpointOf(ports.documents, job.workspace)
  if (checkpoint.indexed >= checkpoint.projected) return
  // best effort: the index worker polls, and maintain wakes what is stranded
  await ports.queue.add('index', job).catch((error: unknown) => ports.log.warn({ err: error }, 'no wake-up for index'))
}
