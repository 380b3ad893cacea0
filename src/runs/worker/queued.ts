/** Finds queued runs of an executor, the most urgent and oldest first. */
import type { Documents } from '../../ports/documents.ts'
import { type RunStateDocument, runStateDocuments } from '../../records/run.ts'

/** Runs of one query. */
const pageSize = 200
/** Of one look. Beyond them, all runs of full workspaces wait for the next look. */
const mostLooked = 10_000

export type QueuedRun = Pick<RunStateDocument, 'id' | 'workspace' | 'phase' | 'priority' | 'since'>

/** Skips the runs of workspaces that have no free place. The journal counts again when a run begins. */
export async function* queuedRuns(
  documents: Documents,
  executor: string,
  placesOfWorkspace: number,
): AsyncGenerator<QueuedRun> {
  const full = new Map<string, boolean>()
  for await (const run of allQueued(documents, executor)) {
    let isFull = full.get(run.workspace)
    if (isFull === undefined) {
      const where = { workspace: run.workspace, place: 'occupied' }
      const occupied = await documents.count(runStateDocuments, { where, upTo: placesOfWorkspace })
      isFull = occupied >= placesOfWorkspace
      full.set(run.workspace, isFull)
    }
    if (!isFull) yield run
  }
}

interface After {
  priority?: number | { gt: number }
  since?: { gte: string } | { gt: string }
}

async function* allQueued(documents: Documents, executor: string): AsyncGenerator<QueuedRun> {
  const seen = new Set<string>()
  let after: After = {}
  while (seen.size < mostLooked) {
    const page: QueuedRun[] = await documents.find(runStateDocuments, {
      where: { executor, state: 'queued', ...after },
      sort: [
        ['priority', 'asc'],
        ['since', 'asc'],
        ['id', 'asc'],
      ],
      limit: pageSize,
      fields: ['id', 'workspace', 'phase', 'priority', 'since'],
    })
    // several runs may have come at the same instant
    const fresh = page.filter(({ id }) => !seen.has(id))
    for (const run of fresh) {
      seen.add(run.id)
      yield run
    }
    const last = page.at(-1)
    if (page.length === pageSize && last) {
      const since = fresh.length > 0 ? { gte: last.since } : { gt: last.since }
      after = { priority: last.priority, since }
    } else if (after.since !== undefined) after = { priority: { gt: after.priority as number } }
    else return
  }
}
