import { join } from 'node:path'
import fc from 'fast-check'
import pino from 'pino'
import { describe, expect, it } from 'vitest'
import { workspaces } from '../../src/access/workspaces.ts'
import { inProcessQueue } from '../../src/adapters/in-process/queue.ts'
import { writeBackup } from '../../src/backup/file.ts'
import type { Point } from '../../src/backup/lines.ts'
import { readBackup } from '../../src/backup/read.ts'
import { restoreBackup } from '../../src/backup/restore.ts'
import { takeBackup } from '../../src/backup/take.ts'
import { checkpointOf } from '../../src/journal/checkpoint.ts'
import { type Entry, entries } from '../../src/journal/entry.ts'
import { headOf } from '../../src/journal/head.ts'
import { projectUpTo } from '../../src/journal/project.ts'
import type { Collection, Document, Documents } from '../../src/ports/documents.ts'
import { receipts } from '../../src/receipt.ts'
import { activities } from '../../src/records/activity.ts'
import { links } from '../../src/records/link.ts'
import { questionLinks } from '../../src/records/projections/question-links.ts'
import { sourceKeys } from '../../src/records/projections/source-keys.ts'
import { supersededClaims } from '../../src/records/projections/superseded-claims.ts'
import { taskKeys } from '../../src/records/projections/tasks.ts'
import { records } from '../../src/records/record.ts'
import { taskParents } from '../../src/records/task-parent.ts'
import { openWorld, quiet, run, type World, workspace } from '../journal/world.ts'
import { randomOf, ticks, worker } from '../support/chaos.ts'
import { temporaryFolder } from '../support/clean-up.ts'
import { tries } from '../support/size.ts'

const log = pino({ level: 'silent' })
const runs = Number(process.env.BACKUP_RUNS ?? tries(8))

describe('a backup taken while workers write, crash and freeze', () => {
  it('a restored backup holds exactly the state of its journal, and nothing newer', { timeout: 600_000 }, async () => {
    const folder = temporaryFolder('precedent-backup-')
    await fc.assert(
      fc.asyncProperty(fc.integer(), fc.integer({ min: 0, max: 3000 }), async (seed, begins) => {
        const file = join(folder, `${seed}.gz`)
        const source = await openWorld(randomOf(seed))
        const target = await openWorld(randomOf(1), '2026-06-01T00:00:00Z')
        try {
          await withWorkspace(source)
          const before = await backUpUnderLoad(source, seed, begins, file)
          const { epoch } = await restoreBackup(file, { ...target, queue: inProcessQueue(target.clock) }, log)
          const point = await pointOf(file)
          const head = await headOf(target.documents, workspace)
          expect([head.number, head.last_seq]).toEqual([point?.head ?? 0, point?.last_seq ?? 0])
          await rowsAreThoseOfItsJournal(source, target, head.number)
          await receiptsAreThoseOfItsJournal(source, target, head.number)
          await indexHoldsEveryRecord(target, epoch)
          await everyAcknowledgedWriteEnds(target, before)
        } finally {
          await source.close()
          await target.close()
        }
      }),
      { numRuns: runs, endOnFailure: true },
    )
  })
})

async function withWorkspace(world: World): Promise<void> {
  const made = { id: workspace, name: 'test', type: 'company' as const, created_at: '2026-01-01T00:00:00.000Z' }
  await world.documents.insert(workspaces, made)
}

/** Returns the ids of the receipts that were acknowledged when the backup began to copy the undecided receipts. */
async function backUpUnderLoad(source: World, seed: number, begins: number, file: string): Promise<string[]> {
  // reads of the backup are slow, so that the workers go on between them
  const slow = worker(source, randomOf(seed + 1), new Map()).documents
  let before: string[] | undefined
  const find: Documents['find'] = async (collection, query) => {
    const isForUndecided = collection.name === receipts.name && 'undecided' in query.where
    if (isForUndecided) before ??= (await all(source, receipts)).map(({ id }) => id)
    return slow.find(collection, query)
  }
  // a new object, because the worker's documents are a proxy
  const documents = { get: slow.get, find } as Documents
  const backup = (async () => {
    await ticks(begins)
    await writeBackup(file, takeBackup(documents, source.clock), new AbortController().signal)
  })()
  await run(source, seed, 14)
  await backup
  return before ?? []
}

async function pointOf(file: string): Promise<Point | undefined> {
  const { lines } = await readBackup(file)
  let point: Point | undefined
  for await (const [name, document] of lines) if (name === 'point') point = document as Point
  return point
}

const all = async <T extends Document>(world: World, collection: Collection<T>): Promise<T[]> =>
  (await world.documents.find(collection as unknown as Collection<Document>, {
    where: { id: { gt: '' } },
    sort: [['id', 'asc']],
    limit: 10_000,
  })) as T[]

/** Compares the restored rows with the journal of the source up to `head`, projected into an empty store. */
async function rowsAreThoseOfItsJournal(source: World, target: World, head: number): Promise<void> {
  const journal = (await all(source, entries)).filter(({ number }) => number <= head)
  expect(await all(target, entries)).toEqual(journal)
  const model = await openWorld(randomOf(2))
  try {
    await model.documents.insertMany(entries, journal)
    const last_seq = journal.find(({ number }) => number === head)?.last_seq ?? 0
    await projectUpTo(model.portsOf(model), workspace, { number: head, last_seq })
    for (const collection of [
      records,
      links,
      sourceKeys,
      questionLinks,
      supersededClaims,
      taskParents,
      taskKeys,
      activities,
    ] as unknown as Collection<Document>[]) {
      expect(await all(target, collection)).toEqual(await all(model, collection))
    }
  } finally {
    await model.close()
  }
}

async function receiptsAreThoseOfItsJournal(source: World, target: World, head: number): Promise<void> {
  const journal: Entry[] = (await all(source, entries)).filter(({ number }) => number <= head)
  const decided = new Map(
    journal.flatMap((entry) => entry.receipts.map((one) => [one.receipt as string, one] as const)),
  )
  const restored = await all(target, receipts)
  const ids = new Set<string>(restored.map(({ id }) => id))
  for (const id of decided.keys()) expect(ids).toContain(id)
  for (const receipt of restored) {
    const outcome = decided.get(receipt.id)
    if (outcome) expect([receipt.state, receipt.open]).toEqual([outcome.state, 0])
    else expect([receipt.open, receipt.undecided, receipt.input === null]).toEqual([1, 1, false])
  }
}

async function indexHoldsEveryRecord(target: World, epoch: string): Promise<void> {
  const { live, indexed, projected, projected_seq } = await checkpointOf(target.documents, workspace)
  expect(indexed).toBe(projected)
  const found = (await all(target, records)).filter(({ kind }) => kind !== 'question')
  if (projected === 0) return
  expect(await target.search.count(live, workspace)).toBe(found.length)
  expect(await target.search.watermark(live, workspace)).toEqual({ epoch, sequence: projected_seq })
}

async function everyAcknowledgedWriteEnds(target: World, before: readonly string[]): Promise<void> {
  await quiet(target)
  for (const receipt of before) {
    const found = await target.documents.get(receipts, receipt, ['open', 'state'])
    expect(found?.open, receipt).toBe(0)
  }
}
