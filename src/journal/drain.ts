/**
 * The apply worker: drain(workspace, lane) of PROTOCOL 2. Many can run at once in any process, and may crash at any
 * line.
 */
import assert from 'node:assert/strict'
import type { ReceiptId } from '../ids.ts'
import { instant } from '../ports/clock.ts'
import { alone, type Job, type Turn, wakeWorker } from '../ports/queue.ts'
import { EngineUnavailable } from '../ports/unavailable.ts'
import { type Pending, receipts } from '../receipt.ts'
import { chooseBatch, loadBatch } from './batch.ts'
import { checkpointOf } from './checkpoint.ts'
import { decideBatch } from './decide.ts'
import { type Entry, entries } from './entry.ts'
import { cacheEntry, type Head, headOf } from './head.ts'
import type { JournalPorts } from './ports.ts'
import { project, projectUpTo } from './project.ts'
import { workerTurn } from './turns.ts'

/** ms. How long reads may lag behind an append that was refused as a duplicate. */
const unreadableFor = 10_000

/**
 * Runs until no receipt waits, or until another workspace takes the place. It checks for that after each entry or 100
 * ms.
 */
export async function drain(ports: JournalPorts, job: Job, place: Turn = alone): Promise<void> {
  const { documents } = ports
  const { workspace } = job
  const turn = workerTurn(ports.clock, place)
  let awaited = 0
  let unreadableSince: number | undefined
  for (;;) {
    const head = await headOf(documents, workspace)
    if (head.number < awaited) {
      // the append was refused as a duplicate, but this read does not show the entry yet
      unreadableSince ??= ports.clock.elapsed()
      if (ports.clock.elapsed() - unreadableSince > unreadableFor) throw new Error(`entry ${awaited} can't be read`)
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
    // another worker has decided all of them: read the new head
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

/** 'lost': another worker appended first, and nothing was written. */
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
    // an outage is no crash of a worker, so it must not count as an attempt
    if (error instanceof EngineUnavailable) queueRefund(ports, ids)
    throw error
  }
  cacheEntry(ports.documents, entry)
  await project(ports, entry)
  await wakeRuns(ports, entry)
  ports.watch?.decided(entry, pending)
  // receipts that did not fit into the entry were not tried: take their attempt back
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

/** All receipts of the batch threw. The error makes the queue retry with back-off; a loop would spin. */
async function giveUpBatch(ports: JournalPorts, threw: { receipt: Pending; error: unknown }[]): Promise<never> {
  queueRefund(
    ports,
    threw.map(({ receipt }) => receipt.id),
  )
  throw new Error('deciding failed for every receipt of the batch', { cause: threw[0]?.error })
}

/**
 * Attempts to take back, because no worker died. Written with the next write that succeeds; lost if the process ends.
 */
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

/** Run workers also look for queued runs from time to time. */
async function wakeRuns(ports: JournalPorts, { workspace, documents }: Entry): Promise<void> {
  if (!documents.run_states?.some(({ state }) => state === 'queued')) return
  await wakeWorker(ports, 'run', { workspace, lane: 'interactive' })
}

async function wakeIndex(ports: JournalPorts, job: Job): Promise<void> {
  const checkpoint = await checkpointOf(ports.documents, job.workspace)
  if (checkpoint.indexed >= checkpoint.projected) return
  // if the wake-up is lost, the index worker polls, and the sweep wakes it again
  await wakeWorker(ports, 'index', job)
}
