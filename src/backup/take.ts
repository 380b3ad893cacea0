/**
 * Takes a backup through the documents port while the service keeps writing. The backup is one point in time without a
 * snapshot of the engine, because the journal is the only commit point:
 *
 * 1. Read N = checkpoint.projected of each workspace. The records hold at least all entries up to N.
 * 2. Copy everything, page by page. A row may be copied before or after a later entry has changed it.
 * 3. Copy the undecided receipts. Every receipt that was acknowledged before this step (`at`) is in the backup.
 * 4. Read E = the newest entry of each workspace. An entry is appended before it changes rows, so no copied row is newer
 *    than E.
 * 5. Copy the entries after N up to E, and the receipts that they decided.
 * 6. Copy the milestones and sessions of runs. A run that has ended by E has all of them.
 *
 * The restore projects the entries after N up to E over the copied rows, as a worker does after a crash. A row is written
 * only if its sequence is older, so all rows end at E. docs/operations.md explains this in detail.
 */
import { keys } from '../access/keys.ts'
import { sessionKeys } from '../access/session-keys.ts'
import { settings } from '../access/settings.ts'
import { workspaces } from '../access/workspaces.ts'
import { collections } from '../collections.ts'
import type { WorkspaceId } from '../ids.ts'
import { rebuilds } from '../indexing/rebuilds.ts'
import { checkpoints, comparisons } from '../journal/checkpoint.ts'
import { entries } from '../journal/entry.ts'
import { entryOf, headOf } from '../journal/head.ts'
import { type Clock, instant } from '../ports/clock.ts'
import type { AnyCollection, Collection, Document, Documents } from '../ports/documents.ts'
import { lanes } from '../ports/queue.ts'
import { receipts } from '../receipt.ts'
import { leases } from '../runs/stored/lease.ts'
import { milestones } from '../runs/stored/milestone.ts'
import { runners } from '../runs/stored/runner.ts'
import { sessions } from '../runs/stored/session.ts'
import { type At, backupFormat, type End, type Header, type Line, type Point } from './lines.ts'

/** Read last, so that the key of every copied receipt is in the backup. */
const small: readonly AnyCollection[] = [settings, keys, workspaces]
/** Read first, so that everything before a copied position is copied after it. */
const positions: readonly AnyCollection[] = [comparisons]
/** Read after the newest entries: what a run has told is stored before the entry that ends it. */
const toldByRuns: readonly AnyCollection[] = [milestones, sessions]
/** Not in the backup: the restore creates these itself, and workers and keys of sessions belong to a running service. */
const notCopied: readonly AnyCollection[] = [checkpoints, rebuilds, leases, runners, sessionKeys]
const rest = collections.filter((one) => ![...positions, ...small, ...toldByRuns, ...notCopied].includes(one))
const copied = [...positions, ...rest]

/** Bytes of JSON that a page should have, and the most documents of a page. */
const pageBytes = 4 * 1024 * 1024
const pageDocuments = 1000
const firstPage = 16
const idsAtOnce = 500
/** Open receipts of a lane that one query returns. */
const waitingAtOnce = 10_000

/** The lines of a backup, in the order of the steps above. */
export async function* takeBackup(documents: Documents, clock: Clock): AsyncGenerator<string> {
  let lines = 0
  const lineOf = ([collection, document]: Line) => {
    lines += 1
    return `${JSON.stringify([collection, document])}\n`
  }
  const projected = await projectedNow(documents)
  const header: Header = { precedent: 'backup', format: backupFormat }
  yield `${JSON.stringify(header)}\n`
  for (const collection of copied) {
    for await (const document of allOf(documents, collection as Collection<Document>))
      yield lineOf([collection.name, document])
  }
  const at: At = { id: instant(clock) }
  yield lineOf(['at', at])
  for await (const receipt of undecided(documents)) yield lineOf([receipts.name, receipt])
  for (const collection of small) {
    for await (const document of allOf(documents, collection as Collection<Document>))
      yield lineOf([collection.name, document])
  }
  for await (const { id } of allOf(documents, workspaces)) {
    const { number: head, last_seq } = await headOf(documents, id)
    const { projected: from = 0, projected_seq = 0 } = projected.get(id) ?? {}
    for await (const line of entriesUpTo(documents, id, from, head)) yield lineOf(line)
    const point: Point = { id, projected: from, projected_seq, head, last_seq }
    if (head > 0) yield lineOf(['point', point])
  }
  for (const collection of toldByRuns) {
    for await (const document of allOf(documents, collection as Collection<Document>))
      yield lineOf([collection.name, document])
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

/** Reads in the order of ids, which never change, so no document that exists from the start is missed. */
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

/**
 * Undecided receipts of each lane. The copy by id has missed those that were accepted later, or by a process whose
 * clock is behind.
 */
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
    if (!entry || entry.emptied)
      throw new Error(`Entry ${number} of workspace ${workspace} was deleted during the backup. Take the backup again.`)
    const decided = entry.receipts.map(({ receipt }) => ({ id: receipt }))
    for await (const receipt of byId(documents, decided)) yield [receipts.name, receipt]
    yield [entries.name, entry]
  }
}
