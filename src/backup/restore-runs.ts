/**
 * Runs after a restore. A backup holds no leases, because they belong to the workers of the store that it was taken from.
 * Nobody has a session of the restored store, so each run gets a free lease, and a run that had not ended awaits approval.
 */
import assert from 'node:assert/strict'
import { serviceActor } from '../access/actor.ts'
import type { WorkspaceId } from '../ids.ts'
import { decideBatch } from '../journal/decide.ts'
import { entries } from '../journal/entry.ts'
import type { Head } from '../journal/head.ts'
import type { JournalPorts } from '../journal/ports.ts'
import { project } from '../journal/project.ts'
import type { Operation } from '../operation.ts'
import type { Documents } from '../ports/documents.ts'
import { pagesById } from '../ports/pages.ts'
import { pendingFields, receipts } from '../receipt.ts'
import { accept } from '../receipts/accept.ts'
import { runStateDocuments } from '../records/run.ts'
import { restoredStates, restoreRun } from '../runs/steps/restored.ts'
import { leases } from '../runs/stored/lease.ts'

/** Runs of one entry, and leases of one write. */
const atOnce = 200

/** Appends entries that let the active runs of a workspace await approval. Returns the new head. */
export async function stopRuns(journal: JournalPorts, workspace: WorkspaceId, from: Head): Promise<Head> {
  const { documents } = journal
  for (let head = from; ; ) {
    const active = await documents.find(runStateDocuments, {
      where: { workspace, state: { in: restoredStates } },
      limit: atOnce,
      fields: ['id'],
    })
    if (active.length === 0) return head
    const accepted = active.map(({ id }) => acceptFor(journal, workspace, id))
    const ids = (await Promise.all(accepted)).map(({ id }) => id)
    const pending = await documents.find(receipts, {
      where: { id: { in: ids } },
      limit: ids.length,
      fields: pendingFields,
    })
    const { entry, threw } = await decideBatch(journal, workspace, head, pending)
    assert(threw.length === 0 && entry.receipts.length > 0, 'a run that has not ended can await approval')
    assert(await documents.insert(entries, entry), 'nobody else writes into a store that is being restored')
    await project(journal, entry)
    head = { number: entry.number, last_seq: entry.last_seq }
  }
}

async function acceptFor(journal: JournalPorts, workspace: WorkspaceId, run: string) {
  return accept(journal, {
    operation: restoreRun as Operation<unknown> as Operation<{ run: string }>,
    actor: serviceActor('maintain', workspace, await journal.workspaceType(workspace)),
    input: { run },
    idempotencyKey: `${restoreRun.name}/${run}/${await journal.epoch()}`,
  })
}

/** Maintain closes the leases of runs that have ended. */
export async function makeLeases(documents: Documents): Promise<void> {
  for await (const page of pagesById(documents, runStateDocuments, {
    limit: atOnce,
    fields: ['workspace', 'fence'],
  })) {
    const made = page.map((run) => ({ ...run, beat: 0, holder: null, open: 1 }))
    // the entries after the copied rows have made the leases of new runs, with fence 0
    await documents.delete(
      leases,
      made.map(({ id }) => id),
    )
    await documents.insertMany(leases, made)
  }
}
