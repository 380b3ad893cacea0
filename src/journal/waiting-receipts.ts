/**
 * Reads the undecided receipts of a lane from an index that is sorted by caller, so the cost does not grow with the
 * backlog.
 */
import type { Documents } from '../ports/documents.ts'
import type { Job } from '../ports/queue.ts'
import { type Receipt, receipts } from '../receipts/receipt.ts'

/** The most receipts in one entry. */
export const mostReceipts = 500
/** If the backlog is long, pages of other callers read for one entry. The next entry continues after them. */
const mostPages = 16
/** Lanes whose position is remembered. */
const mostRemembered = 10_000

const waitingFields = ['id', 'owner', 'accepted_at', 'attempts', 'format', 'input_bytes'] as const
export type Waiting = Pick<Receipt, (typeof waitingFields)[number]>

/**
 * For each lane, the caller after whom the next entry continues. Without it, the next entry starts with the first
 * caller.
 */
const visited = new WeakMap<Documents, Map<string, string>>()

/**
 * All waiting receipts if they fit into one entry; this needs one query. Otherwise at least `mostReceipts`, from as
 * many callers as `mostPages` queries reach. Page n is as long as the fair share among n + 1 callers. So a caller with
 * a long backlog fills one page, and hundreds of callers with a receipt or two share one.
 */
export async function waitingIn(documents: Documents, job: Job): Promise<{ waiting: Waiting[]; isAll: boolean }> {
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

function rememberedOf(documents: Documents): Map<string, string> {
  const remembered = visited.get(documents) ?? new Map<string, string>()
  if (remembered.size >= mostRemembered) remembered.clear()
  visited.set(documents, remembered)
  return remembered
}
