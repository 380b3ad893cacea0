/** The apply worker: drain(workspace, lane) of PROTOCOL 2. Many may run at once, anywhere, and die at any line. */
import assert from 'node:assert/strict'
import { instant } from '../ports/clock.ts'
import type { Job } from '../ports/queue.ts'
import { EngineUnavailable } from '../ports/unavailable.ts'
import { format, type Pending, pendingFields, type Receipt, receipts } from '../receipts/receipt.ts'
import type { ReceiptId } from '../records/ids.ts'
import { attemptsTogether, decideBatch } from './decide.ts'
import { type Entry, entries } from './entry.ts'
import { checkpointOf, type Head, headOf } from './head.ts'
import { keepEntry } from './load.ts'
import type { JournalPorts } from './ports.ts'
import { project, projectUpTo } from './project.ts'

/** Receipts of one entry at the most. */
const mostReceipts = 500
/** Bytes of input that are loaded for one entry. */
const batchBytes = 4 * 1024 * 1024
/** How long an append that was refused as a duplicate may stay unreadable, in ms. */
const unreadableFor = 10_000

export async function drain(ports: JournalPorts, { workspace, lane }: Job): Promise<void> {
  const { documents, queue } = ports
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
    await projectUpTo(ports, workspace, head)
    const pending = await pendingOf(ports, { workspace, lane })
    if (pending.length === 0) {
      await wakeIndex(ports, { workspace, lane })
      return
    }
    const won = await decideAndAppend(ports, head, pending)
    if (won === 'lost') {
      awaited = head.number + 1
      await ports.clock.sleep(5 + ports.clock.random() * 95)
      continue
    }
    await wakeIndex(ports, { workspace, lane })
    if (pending.length >= mostReceipts) {
      // to the back of the queue, so that a long lane does not starve others; where it takes nothing, go on here
      const queued = await queue.add('apply', { workspace, lane }).then(
        () => true,
        () => false,
      )
      if (queued) return
    }
  }
}

type Waiting = Pick<Receipt, 'id' | 'attempts' | 'format' | 'input_bytes'>

/** The oldest undecided receipts of the lane: as many as one entry may take, with what deciding needs of them. */
async function pendingOf(ports: JournalPorts, { workspace, lane }: Job): Promise<Pending[]> {
  const waiting = await ports.documents.find(receipts, {
    where: { workspace, lane, undecided: 1 },
    sort: [
      ['accepted_at', 'asc'],
      ['id', 'asc'],
    ],
    limit: mostReceipts,
    fields: ['id', 'attempts', 'format', 'input_bytes'],
  })
  const newer = waiting.find((receipt) => receipt.format > format)
  if (newer) {
    ports.concern('format', `a receipt has format ${newer.format}, this worker knows ${format}: upgrade it`)
  }
  const chosen = chooseBatch(waiting.filter((receipt) => receipt.format <= format))
  if (chosen.length === 0) return []
  const loaded = await ports.documents.find(receipts, {
    where: { id: { in: chosen.map((receipt) => receipt.id) } },
    limit: chosen.length,
    fields: pendingFields,
  })
  const byId = new Map(loaded.map((receipt) => [receipt.id, receipt]))
  // one that another worker has decided meanwhile has no input any more; then head has moved and our append loses
  return chosen.flatMap(({ id }) => {
    const receipt = byId.get(id)
    return receipt?.undecided === 1 ? [receipt] : []
  })
}

function chooseBatch(known: Waiting[]): Waiting[] {
  const suspect = known.findIndex((receipt) => receipt.attempts >= attemptsTogether)
  // one that may be poison is decided alone
  if (suspect === 0) return known.slice(0, 1)
  let bytes = 0
  const fits = known.slice(0, suspect > 0 ? suspect : known.length).findIndex((receipt) => {
    bytes += receipt.input_bytes
    return bytes > batchBytes
  })
  if (fits >= 0) return known.slice(0, Math.max(1, fits))
  return suspect > 0 ? known.slice(0, suspect) : known
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
      owe(ports, ids)
      await refund(ports)
      return 'lost'
    }
  } catch (error) {
    // an outage or our own mistake, no death: it does not count against the receipts
    if (error instanceof EngineUnavailable) owe(ports, ids)
    throw error
  }
  keepEntry(ports.documents, entry)
  await project(ports, entry)
  ports.watch?.decided(entry, pending)
  // those that the entry had no room for were marked, but not tried
  const undone = new Set<ReceiptId>(ids)
  for (const { receipt } of entry.receipts) undone.delete(receipt)
  if (undone.size > 0) owe(ports, [...undone])
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
  owe(
    ports,
    threw.map(({ receipt }) => receipt.id),
  )
  throw new Error('deciding every receipt of the batch threw', { cause: threw[0]?.error })
}

/** Attempts that were no deaths of a worker: taken back as soon as the store takes a write. Lost with the process. */
const owed = new WeakMap<JournalPorts, ReceiptId[]>()

function owe(ports: JournalPorts, ids: readonly ReceiptId[]): void {
  owed.set(ports, [...(owed.get(ports) ?? []), ...ids].slice(-10_000))
}

async function refund(ports: JournalPorts): Promise<void> {
  const ids = owed.get(ports)
  if (!ids || ids.length === 0) return
  owed.delete(ports)
  try {
    await ports.documents.updateMany(receipts, ids, { inc: { attempts: -1 } }, { undecided: 1, open: 1 })
  } catch (error) {
    owe(ports, ids)
    throw error
  }
}

async function wakeIndex(ports: JournalPorts, job: Job): Promise<void> {
  const checkpoint = await checkpointOf(ports.documents, job.workspace)
  if (checkpoint.indexed >= checkpoint.projected) return
  // best effort: the index worker polls, and maintain wakes what is stranded
  await ports.queue.add('index', job).catch((error: unknown) => ports.log.warn({ err: error }, 'no wake-up for index'))
}
