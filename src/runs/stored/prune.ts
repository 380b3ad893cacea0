/**
 * Deletes the milestones of runs and empties the output of their sessions, 30 days after a run has ended. The lease goes
 * last, so that a look that was interrupted is repeated, and a run that was pruned is not found again.
 */
import { type Clock, madeAt } from '../../ports/clock.ts'
import type { Documents } from '../../ports/documents.ts'
import { pagesById } from '../../ports/pages.ts'
import { hasEnded, runStateDocuments } from '../../records/run.ts'
import { type Lease, leases } from './lease.ts'
import { milestones } from './milestone.ts'
import { sessions } from './session.ts'

/** ms */
const keptFor = 30 * 24 * 60 * 60_000
/** Documents of one query. */
const atOnce = 200

/** Returns the number of runs. */
export async function pruneRuns({ documents, clock }: { documents: Documents; clock: Clock }): Promise<number> {
  const before = clock.now() - keptFor
  let pruned = 0
  for await (const closed of pagesById(documents, leases, {
    where: { open: 0 },
    limit: atOnce,
    fields: ['workspace'],
  })) {
    // ids are in the order of time: a run that was started later has not ended before
    const old = closed.filter(({ id }) => madeAt(id) < before)
    for (const lease of await endedBefore(documents, old, new Date(before).toISOString())) {
      await pruneRun(documents, lease)
      pruned += 1
    }
    if (old.length < closed.length) break
  }
  return pruned
}

type Closed = Pick<Lease, 'id' | 'workspace'>

async function endedBefore(documents: Documents, some: readonly Closed[], before: string): Promise<Closed[]> {
  if (some.length === 0) return []
  const found = await documents.find(runStateDocuments, {
    where: { id: { in: some.map(({ id }) => id) } },
    limit: some.length,
    fields: ['id', 'state', 'since'],
  })
  const over = new Set(found.filter(({ state, since }) => hasEnded(state) && since < before).map(({ id }) => id))
  return some.filter(({ id }) => over.has(id))
}

async function pruneRun(documents: Documents, { id: run, workspace }: Closed): Promise<void> {
  for (;;) {
    const where = { workspace, run, first: { gt: 0 } }
    const page = await documents.find(milestones, { where, limit: atOnce, fields: ['id'] })
    await documents.delete(
      milestones,
      page.map(({ id }) => id),
    )
    if (page.length < atOnce) break
  }
  for (let after = 0; ; ) {
    const where = { workspace, run, fence: { gt: after } }
    const page = await documents.find(sessions, {
      where,
      sort: [['fence', 'asc']],
      limit: atOnce,
      fields: ['id', 'fence'],
    })
    await documents.updateMany(
      sessions,
      page.map(({ id }) => id),
      { set: { output: '' } },
    )
    after = page.at(-1)?.fence ?? after
    if (page.length < atOnce) break
  }
  await documents.delete(leases, [run], { open: 0 })
}
