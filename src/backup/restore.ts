/**
 * Restores a backup into an empty store. It writes the copied rows, projects the entries that were appended while the
 * backup was taken, and builds the search index. The feed gets a new epoch and continues after the highest sequence.
 */
import type { Logger } from 'pino'
import { keys } from '../access/keys.ts'
import { feedEpoch, settings } from '../access/settings.ts'
import { workspaces } from '../access/workspaces.ts'
import { collections } from '../collections.ts'
import { copyAfter } from '../indexing/copy-rows.ts'
import { indexWorkspace } from '../indexing/index-entries.ts'
import { sharedIndex } from '../indexing/rebuilds.ts'
import { checkpoints } from '../journal/checkpoint.ts'
import { assertIntact, restoring } from '../journal/maintenance/intact.ts'
import type { JournalPorts } from '../journal/ports.ts'
import { projectUpTo } from '../journal/project.ts'
import { shownIn } from '../journal/shown-in.ts'
import type { Operation } from '../operation.ts'
import { type Clock, instant } from '../ports/clock.ts'
import type { AnyCollection, Collection, Document, Documents } from '../ports/documents.ts'
import type { Queue } from '../ports/queue.ts'
import type { SearchEngine } from '../ports/search.ts'
import { projections } from '../projections.ts'
import { restoreRun } from '../runs/steps/restored.ts'
import { type Session, sessions } from '../runs/stored/session.ts'
import { DamagedBackup, type Line, type Point } from './lines.ts'
import { readBackup } from './read.ts'
import { makeLeases, stopRuns } from './restore-runs.ts'

export interface RestorePorts {
  documents: Documents
  queue: Queue
  search: SearchEngine
  clock: Clock
}

export interface Restored {
  /** The instant of the backup. */
  at: string
  epoch: string
  workspaces: number
  /** By collection. */
  documents: Record<string, number>
}

/** The store is not empty, or another process writes into it. */
export class NotEmpty extends Error {}

/** Documents, and bytes of JSON, that are written with one call. */
const rowsAtOnce = 250
const bytesAtOnce = 4 * 1024 * 1024
const known = new Map(collections.map((one) => [one.name, one as Collection<Document>]))
/** The first start of a service writes into these collections, with ids that are the same in every store. */
const writtenByFirstStart: readonly AnyCollection[] = [settings, keys, workspaces]
/** Settings that belong to the store itself and not to its content. */
const notRestored = ['feed_epoch', restoring]

/** As PRECEDENT_APPROVAL_DAYS. */
const defaultApprovalDays = 7

/** `approvalDays`: until a run expires that had not ended. Throws DamagedBackup or NotEmpty before anything is written. */
export async function restoreBackup(
  file: string,
  ports: RestorePorts,
  log: Logger,
  approvalDays: number = defaultApprovalDays,
): Promise<Restored> {
  // read the whole file before anything is written, because a half-restored store is useless
  const { at, points } = await placesIn(file)
  const { documents, clock } = ports
  await assertEmpty(documents)
  // while this setting exists, a service refuses to start on the store
  if (!(await documents.insert(settings, { id: restoring, version: 1, value: { at: instant(clock) } }))) {
    throw new NotEmpty('Another restore into this store is running, or was interrupted.')
  }
  const { lines } = await readBackup(file)
  const written = await writeLines(documents, lines)
  const epoch = await feedEpoch(documents, () => clock.id())
  const live = sharedIndex(clock.id())
  await ports.search.create(live)
  const journal = journalOf(ports, epoch, log, approvalDays)
  for (const point of points) await restoreWorkspace(journal, point, live, epoch)
  await makeLeases(documents)
  await documents.delete(settings, [restoring])
  await assertIntact(documents)
  return { at, epoch, workspaces: points.length, documents: written }
}

async function placesIn(file: string): Promise<{ at: string; points: Point[] }> {
  const points: Point[] = []
  let at = ''
  const { lines } = await readBackup(file)
  for await (const [name, document] of lines) {
    if (name === 'point') points.push(document as Point)
    else if (name === 'at') at = document.id
    else if (!known.has(name))
      throw new DamagedBackup(`${file} contains ${name}, which this version of Precedent does not know.`)
  }
  return { at, points }
}

async function assertEmpty(documents: Documents): Promise<void> {
  for (const collection of known.values()) {
    const [first] = await documents.find(collection, { where: { id: { gt: '' } }, limit: 1, fields: ['id'] })
    if (first) throw new NotEmpty(`The store is not empty: it contains ${collection.name}.`)
  }
}

async function writeLines(documents: Documents, lines: AsyncGenerator<Line>): Promise<Record<string, number>> {
  const written: Record<string, number> = {}
  let batch: Document[] = []
  let bytes = 0
  let name = ''
  const firstStartIds = new Set<string>()
  const flush = async () => {
    const collection = known.get(name)
    if (!collection || batch.length === 0) return
    const duplicates = await documents.insertMany(collection, batch)
    if (duplicates.length > 0 && writtenByFirstStart.includes(collection)) {
      throw new NotEmpty(
        `Another process has written ${name} into the store. Stop it, empty the store, and restore again.`,
      )
    }
    // a document may be in the backup twice; either copy is valid
    written[name] = (written[name] ?? 0) + batch.length - duplicates.length
    batch = []
    bytes = 0
  }
  for await (const [next, document] of lines) {
    if (next !== name || batch.length >= rowsAtOnce || bytes >= bytesAtOnce) await flush()
    name = next
    const collection = known.get(next)
    if (!collection || (next === settings.name && notRestored.includes(document.id))) continue
    if (writtenByFirstStart.includes(collection)) {
      if (firstStartIds.has(document.id)) continue
      firstStartIds.add(document.id)
    }
    batch.push(withAllFields(collection, restoredOf(collection, document)))
    bytes += JSON.stringify(document).length
  }
  await flush()
  return written
}

/** No session of the store that the backup was taken from counts any more. */
function restoredOf(collection: AnyCollection, document: Document): Document {
  const isRunning = collection.name === sessions.name && (document as Session).state === 'running'
  return isRunning ? ({ ...document, state: 'lost' } as Document) : document
}

/** Sets each field to null that is newer than the version that took the backup. */
function withAllFields({ fields }: AnyCollection, document: Document): Document {
  const given = document as unknown as Record<string, unknown>
  return Object.fromEntries(Object.keys(fields).map((field) => [field, given[field] ?? null])) as unknown as Document
}

function journalOf(ports: RestorePorts, epoch: string, log: Logger, approvalDays: number): JournalPorts {
  return {
    ...ports,
    log,
    // a restore decides no receipts of callers
    operations: new Map([[restoreRun.name, restoreRun as unknown as Operation<never>]]),
    projections,
    raiseQuestions: async (_, outcome) => outcome,
    workspaceType: async () => 'company',
    runRules: async () => ({ policy: undefined, executors: [], approvalDays, runsPerWorkspace: 0, notifies: false }),
    epoch: async () => epoch,
    ended: () => {},
    reportIssue: () => {},
  }
}

/** Brings the records, receipts and search index of a workspace to the point of time of the backup. */
async function restoreWorkspace(journal: JournalPorts, point: Point, live: string, epoch: string): Promise<void> {
  const { id: workspace, projected, projected_seq } = point
  const { documents, search } = journal
  const unindexed = { indexed: 0, indexed_seq: 0, live, shown_in: null, filling: null }
  await documents.insert(checkpoints, { id: workspace, projected, projected_seq, ...unindexed })
  await projectUpTo(journal, workspace, { number: point.head, last_seq: point.last_seq })
  const { number: head, last_seq } = await stopRuns(journal, workspace, {
    number: point.head,
    last_seq: point.last_seq,
  })
  await copyAfter(journal, workspace, live, 0, async () => {})
  await search.refresh(live, workspace, { epoch, sequence: last_seq })
  const shown_in = shownIn({ live, indexed: head }, [search.version])
  await documents.update(checkpoints, workspace, { set: { indexed: head, indexed_seq: last_seq, shown_in } })
  // the index is complete, so receipts that waited for it end now
  await indexWorkspace(journal, { workspace, lane: 'interactive' })
}
