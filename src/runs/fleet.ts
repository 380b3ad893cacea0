/** What can carry out a run: the workers that have its executor, and the runs that compete for them. */
import type { RecordId } from '../ids.ts'
import type { Documents, Where } from '../ports/documents.ts'
import { bodyOf } from '../records/body.ts'
import type { RecordReader } from '../records/read/reader.ts'
import type { RecordOf } from '../records/record.ts'
import { type RunStateDocument, runStateDocuments } from '../records/run.ts'
import { priorityRank } from '../records/task.ts'
import { runners } from './stored/runner.ts'

/** ms. Workers publish themselves every 10 s. */
const seenWithin = 30_000
/** Workers that are read. */
const mostRunners = 1_000
/** Runs that are counted. */
const mostCounted = 10_000

interface Asking {
  reader: RecordReader
  documents: Documents
  /** An admin sees the figures of the whole workspace, but never those of another one. */
  isAdmin: boolean
}

/** Runs that the caller may not see are not counted. */
export async function fleetOf(run: RecordId, row: Pick<RecordOf<'run'>, 'kind' | 'body' | 'mutable'>, asking: Asking) {
  const { reader, documents, isAdmin } = asking
  const { executor, priority } = bodyOf(row, 'run')
  const { state, since } = row.mutable
  const seen: Where<RunStateDocument> = {
    workspace: reader.workspace,
    ...(isAdmin ? {} : { audience: { in: reader.audiences } }),
    executor,
  }
  const count = (more: Where<RunStateDocument>) =>
    documents.count(runStateDocuments, { where: { ...seen, ...more }, upTo: mostCounted })
  const ahead = async () => {
    const queued = { state: 'queued', priority: priorityRank(priority) } as const
    const counts = await Promise.all([
      count({ state: 'queued', priority: { lt: queued.priority } }),
      count({ ...queued, since: { lt: since } }),
      count({ ...queued, since, id: { lt: run } }),
    ])
    return counts.reduce((sum, one) => sum + one, 0)
  }
  const [workers, active, queued, before] = await Promise.all([
    workersOf(executor, reader.now, documents),
    count({ state: { in: ['planning', 'running'] } }),
    count({ state: 'queued' }),
    state === 'queued' ? ahead() : undefined,
  ])
  return { ...workers, active, queued, ...(before === undefined ? {} : { position: before + 1 }) }
}

async function workersOf(executor: string, now: string, documents: Documents) {
  const since = new Date(Date.parse(now) - seenWithin).toISOString()
  const found = await documents.find(runners, {
    where: { seen_at: { gte: since } },
    limit: mostRunners,
    fields: ['executors'],
  })
  const capacities = found.flatMap(({ executors }) => executors.find(({ name }) => name === executor)?.capacity ?? [])
  return { workers: capacities.length, capacity: capacities.reduce((sum, one) => sum + one, 0) }
}
