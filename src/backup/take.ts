/**
 * Takes a backup through the documents port, beside a service that goes on writing. It is one point in time without any
 * snapshot of the engine, because the journal is the only commit point:
 *
 * 1. N = checkpoint.projected of each workspace. Records hold at least everything up to N.
 * 2. Everything is copied, page by page. A row may be copied as a later entry has left it, or before that.
 * 3. Receipts that wait undecided are copied: every one acknowledged before this step, `at`, is in the backup.
 * 4. E = the newest entry of each workspace. Whatever was copied, no row of it is newer than E: it was appended first.
 * 5. The entries after N up to E, and the receipts that they decided.
 *
 * Restoring projects the entries after N up to E over the copied rows, which is what a worker does after a crash: each
 * row is written only over an older sequence, so that all of them come to E, and none beyond. docs/operations.md says
 * it at length.
 */
import { keys } from '../access/keys.ts'
import { settings } from '../access/settings.ts'
import { workspaces } from '../access/workspaces.ts'
import { collections } from '../collections.ts'
import { comparisons } from '../journal/compared.ts'
import { checkpoints, entries } from '../journal/entry.ts'
import { entryOf, headOf } from '../journal/head.ts'
import { rebuilds } from '../journal/rebuilds.ts'
import { type Clock, instant } from '../ports/clock.ts'
import type { AnyCollection, Collection, Document, Documents } from '../ports/documents.ts'
import { lanes } from '../ports/queue.ts'
import { receipts } from '../receipts/receipt.ts'
import type { WorkspaceId } from '../records/ids.ts'
import { type At, backupFormat, type End, type Header, type Line, type Point } from './lines.ts'

/** Read last: a key that made a receipt is there when the receipt is. */
const small: readonly AnyCollection[] = [settings, keys, workspaces]
/** Read first: what a position says was done is then among what is copied after it. */
const positions: readonly AnyCollection[] = [comparisons]
/** Made anew by restoring. */
const notCopied: readonly AnyCollection[] = [checkpoints, rebuilds]
const rest = collections.filter((one) => ![...positions, ...small, ...notCopied].includes(one))
const copied = [...positions, ...rest]

/** Bytes of JSON that a page should have, and documents that it may have. */
const pageBytes = 4 * 1024 * 1024
const pageDocuments = 1000
const firstPage = 16
const idsAtOnce = 500
/** Open receipts of a lane that are looked at by one query. */
const waitingAtOnce = 10_000

/** Written in this order; the point of time lies before the last line. */
export async function* takeBackup(documents: Documents, clock: Clock): AsyncGenerator<string> {
  let lines = 0
  const worded = ([collection, document]: Line) => {
    lines += 1
    return `${JSON.stringify([collection, document])}\n`
  }
  const projected = await projectedNow(documents)
  const header: Header = { precedent: 'backup', format: backupFormat }
  yield `${JSON.stringify(header)}\n`
  for (const collection of copied) {
    for await (const document of allOf(documents, collection as Collection<Document>))
      yield worded([collection.name, document])
  }
  const at: At = { id: instant(clock) }
  yield worded(['at', at])
  for await (const receipt of undecided(documents)) yield worded([receipts.name, receipt])
  for (const collection of small) {
    for await (const document of allOf(documents, collection as Collection<Document>))
      yield worded([collection.name, document])
  }
  for await (const { id } of allOf(documents, workspaces)) {
    const { number: head, last_seq } = await headOf(documents, id)
    const { projected: from = 0, projected_seq = 0 } = projected.get(id) ?? {}
    for await (const line of entriesUpTo(documents, id, from, head)) yield worded(line)
    const point: Point = { id, projected: from, projected_seq, head, last_seq }
    if (head > 0) yield worded(['point', point])
  }
  yield `${JSON.stringify({ end: true, lines } satisfies End)}\n`
}

async function projectedNow(
  documents: Documents,
): Promise<Map<WorkspaceId, { projected: number; projected_seq: number }>> {
  const found = new Map<WorkspaceId, { projected: number; projected_seq: number }>()
  for await (const { id, projected, projected_seq } of allOf(documents, checkpoints)) {
    found.set(id, { projected, projected_seq })
  }
  return found
}

/** In the order of their ids, which never change: none that is there from the first page on is missed. */
async function* allOf<T extends Document>(documents: Documents, collection: Collection<T>): AsyncGenerator<T> {
  let after = ''
  let limit = firstPage
  for (;;) {
    const page = (await documents.find(collection as AnyCollection as Collection<Document>, {
      where: { id: { gt: after } },
      sort: [['id', 'asc']],
      limit,
    })) as T[]
    yield* page
    if (page.length < limit) return
    after = page.at(-1)?.id ?? ''
    const bytes = JSON.stringify(page).length / page.length
    limit = Math.max(1, Math.min(pageDocuments, Math.floor(pageBytes / bytes)))
  }
}

/** Those that wait in each lane: they were accepted after their id was passed, or by a clock that is behind. */
async function* undecided(documents: Documents): AsyncGenerator<Document> {
  for await (const { id: workspace } of allOf(documents, workspaces)) {
    for (const lane of lanes) {
      let from: string | undefined
      for (;;) {
        const waiting = await documents.find(receipts, {
          where: { workspace, lane, open: 1, ...(from === undefined ? {} : { accepted_at: { gte: from } }) },
          sort: [['accepted_at', 'asc']],
          limit: waitingAtOnce,
          fields: ['id', 'accepted_at', 'undecided'],
        })
        const left = waiting.filter((receipt) => receipt.undecided === 1)
        yield* byId(documents, left)
        const last = waiting.at(-1)?.accepted_at
        if (waiting.length < waitingAtOnce || last === from) break
        from = last
      }
    }
  }
}

async function* byId(documents: Documents, wanted: readonly { id: string }[]): AsyncGenerator<Document> {
  for (let at = 0; at < wanted.length; at += idsAtOnce) {
    const ids = wanted.slice(at, at + idsAtOnce).map(({ id }) => id)
    yield* await documents.find(receipts, { where: { id: { in: ids } }, limit: ids.length })
  }
}

async function* entriesUpTo(
  documents: Documents,
  workspace: WorkspaceId,
  from: number,
  head: number,
): AsyncGenerator<Line> {
  for (let number = from + 1; number <= head; number++) {
    const entry = await entryOf(documents, workspace, number)
    if (!entry || entry.emptied) throw new Error(`entry ${number} of ${workspace} is gone: take the backup again`)
    const decided = entry.receipts.map(({ receipt }) => ({ id: receipt }))
    for await (const receipt of byId(documents, decided)) yield [receipts.name, receipt]
    yield [entries.name, entry]
  }
}
