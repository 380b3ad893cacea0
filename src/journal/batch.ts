/**
 * Chooses the receipts of the next entry. If all waiting receipts of a lane fit into one entry, they are taken in the
 * order of acceptance. Otherwise callers take turns, so thousands of receipts of one caller don't delay the others.
 * Receipts of one caller always keep their order. Across callers and lanes any order is correct: decisions that depend
 * on the order of acceptance compare the ids of receipts (PROTOCOL 2.10).
 */
import type { Documents } from '../ports/documents.ts'
import type { Job } from '../ports/queue.ts'
import { format, type Pending, pendingFields, receipts } from '../receipts/receipt.ts'
import { attemptsTogether } from './decide.ts'
import type { Head } from './head.ts'
import type { JournalPorts } from './ports.ts'
import { mostReceipts, type Waiting, waitingIn } from './waiting-receipts.ts'

/** The most bytes of input loaded for one entry. */
const batchBytes = 4 * 1024 * 1024

/** At most as many as fit into one entry; empty if none wait. */
export async function chooseBatch(ports: JournalPorts, job: Job, head: Head): Promise<Waiting[]> {
  const { waiting, isAll } = await waitingIn(ports.documents, job)
  const newer = waiting.find((receipt) => receipt.format > format)
  if (newer) {
    ports.reportIssue('format', `a receipt has format ${newer.format}, this worker knows ${format}: upgrade it`)
  }
  const known = waiting.filter((receipt) => receipt.format <= format).sort(byAcceptance)
  const suspects = known.filter(isSuspect)
  const bytes = known.reduce((sum, receipt) => sum + receipt.input_bytes, 0)
  if (isAll && suspects.length === 0 && bytes <= batchBytes) return known
  const callers = byCaller(known)
  const together = fitting(inTurns(callers.map(beforeSuspect)))
  const suspect = suspects.find((receipt) => callers.some(([first]) => first === receipt))
  // only in every other entry: a batch that killed its worker is retried one by one, and must not delay all others
  return suspect && (together.length === 0 || head.number % 2 === 0) ? [suspect] : together
}

/** Loads the fields that deciding needs. */
export async function loadBatch(documents: Documents, chosen: readonly Waiting[]): Promise<Pending[]> {
  const loaded = await documents.find(receipts, {
    where: { id: { in: chosen.map((receipt) => receipt.id) } },
    limit: chosen.length,
    fields: pendingFields,
  })
  const byId = new Map(loaded.map((receipt) => [receipt.id, receipt]))
  // another worker decided the missing ones; then the head has moved, and our append will be refused
  return chosen.flatMap(({ id }) => {
    const receipt = byId.get(id)
    return receipt?.undecided === 1 ? [receipt] : []
  })
}

function byAcceptance(a: Waiting, b: Waiting): number {
  if (a.accepted_at !== b.accepted_at) return a.accepted_at < b.accepted_at ? -1 : 1
  return a.id < b.id ? -1 : 1
}

/** It may crash the worker, so it is decided alone. */
function isSuspect({ attempts }: Waiting): boolean {
  return attempts >= attemptsTogether
}

/** Groups by caller. The caller that has waited longest comes first. */
function byCaller(sorted: readonly Waiting[]): Waiting[][] {
  const callers = new Map<string, Waiting[]>()
  for (const receipt of sorted) {
    const own = callers.get(receipt.owner)
    if (own) own.push(receipt)
    else callers.set(receipt.owner, [receipt])
  }
  return [...callers.values()]
}

/** Receipts behind a suspect wait for it, because receipts of one caller keep their order. */
function beforeSuspect(own: Waiting[]): Waiting[] {
  const suspect = own.findIndex(isSuspect)
  return suspect < 0 ? own : own.slice(0, suspect)
}

/** Takes the first receipt of each caller, then the second of each, and so on. */
function inTurns(callers: readonly Waiting[][]): Waiting[] {
  const chosen: Waiting[] = []
  for (let round = 0, left = callers; left.length > 0 && chosen.length < mostReceipts; round++) {
    left = left.filter((own) => own.length > round)
    chosen.push(...left.map((own) => own[round] as Waiting))
  }
  return chosen.slice(0, mostReceipts)
}

/** Cuts the list at batchBytes, but keeps at least one. */
function fitting(chosen: Waiting[]): Waiting[] {
  let bytes = 0
  const tooMany = chosen.findIndex((receipt) => {
    bytes += receipt.input_bytes
    return bytes > batchBytes
  })
  return tooMany < 0 ? chosen : chosen.slice(0, Math.max(1, tooMany))
}
