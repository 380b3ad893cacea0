/**
 * Chooses the receipts of the next entry. If all waiting receipts of a lane fit into one entry, they are taken in the
 * order of acceptance. Otherwise callers take turns, so thousands of receipts of one caller don't delay the others.
 * Receipts of one caller always keep their order. Across callers and lanes any order is correct: decisions that depend
 * on the order of acceptance compare the ids of receipts (PROTOCOL 2.10).
 *
 * Waiting receipts are read from an index that is sorted by caller, so the cost does not grow with the backlog.
 */
import { LRUCache } from 'lru-cache'
import type { Documents } from '../ports/documents.ts'
import type { Job } from '../ports/queue.ts'
import { newestFormat, type Pending, pendingFields, type Receipt, receipts } from '../receipt.ts'
import { attemptsTogether } from './decide.ts'
import type { Head } from './head.ts'
import type { JournalPorts } from './ports.ts'

/** The most receipts in one entry. */
const mostReceipts = 500
/** If the backlog is long, pages of other callers read for one entry. The next entry continues after them. */
const mostPages = 16
/** Lanes whose position is remembered. */
const mostRemembered = 10_000

const waitingFields = ['id', 'owner', 'accepted_at', 'attempts', 'format', 'input_bytes'] as const
type Waiting = Pick<Receipt, (typeof waitingFields)[number]>

/**
 * For each lane, the last caller of the previous entry: the next entry continues after it. Without it, the next entry
 * starts with the first caller.
 */
const visited = new WeakMap<Documents, LRUCache<string, string>>()

/** The most bytes of input loaded for one entry. */
const batchBytes = 4 * 1024 * 1024

/** At most as many as fit into one entry; empty if none wait. */
export async function chooseBatch(ports: JournalPorts, job: Job, head: Head): Promise<Waiting[]> {
  const { waiting, isAll } = await waitingIn(ports.documents, job)
  const newer = waiting.find((receipt) => receipt.format > newestFormat)
  if (newer) {
    ports.reportIssue('format', `a receipt has format ${newer.format}, this worker knows ${newestFormat}: upgrade it`)
  }
  const known = waiting.filter((receipt) => receipt.format <= newestFormat).sort(byAcceptance)
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

/**
 * All waiting receipts if they fit into one entry; this needs one query. Otherwise at least `mostReceipts`, from as
 * many callers as `mostPages` queries reach. Page n is as long as the fair share among n + 1 callers. So a caller with
 * a long backlog fills one page, and hundreds of callers with a receipt or two share one.
 */
async function waitingIn(documents: Documents, job: Job): Promise<{ waiting: Waiting[]; isAll: boolean }> {
  const first = await pageAfter(documents, job, undefined, mostReceipts)
  if (first.length < mostReceipts) return { waiting: first, isAll: true }
  const remembered = rememberedOf(documents)
  const key = `${job.lane} ${job.workspace}`
  const start = lastOwner(first)
  const found = new Map(first.map((receipt) => [receipt.id, receipt]))
  let after = remembered.get(key) ?? start
  let isFromStart = after === start
  for (let pages = 1; pages <= mostPages; pages++) {
    const limit = Math.ceil(mostReceipts / (pages + 1))
    const page = await pageAfter(documents, job, after, limit)
    for (const receipt of page) found.set(receipt.id, receipt)
    after = page.length < limit ? start : lastOwner(page)
    // no callers are left after this page
    if (page.length < limit && isFromStart) break
    isFromStart ||= page.length < limit
  }
  if (after === start) remembered.delete(key)
  else remembered.set(key, after)
  return { waiting: [...found.values()], isAll: false }
}

function pageAfter(
  documents: Documents,
  { workspace, lane }: Job,
  owner: string | undefined,
  limit: number,
): Promise<Waiting[]> {
  return documents.find(receipts, {
    where: { workspace, lane, undecided: 1, ...(owner === undefined ? {} : { owner: { gt: owner } }) },
    sort: [
      ['owner', 'asc'],
      ['accepted_at', 'asc'],
      ['id', 'asc'],
    ],
    limit,
    fields: waitingFields,
  })
}

function lastOwner(page: readonly Waiting[]): string {
  return (page.at(-1) as Waiting).owner
}

function rememberedOf(documents: Documents): LRUCache<string, string> {
  const remembered = visited.get(documents) ?? new LRUCache<string, string>({ max: mostRemembered })
  visited.set(documents, remembered)
  return remembered
}
