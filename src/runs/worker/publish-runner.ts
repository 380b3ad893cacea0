/** Publishes what a run worker can do, and forgets workers that are gone. */
import { type Clock, instant } from '../../ports/clock.ts'
import type { Documents } from '../../ports/documents.ts'
import type { RunnerExecutor } from '../../records/run-rules.ts'
import { seenWithin } from '../deciding/rules.ts'
import { type Runner, runners } from '../stored/runner.ts'

interface Publishing {
  documents: Documents
  clock: Clock
}

export async function publishRunner({ documents, clock }: Publishing, runner: Omit<Runner, 'seen_at'>): Promise<void> {
  const executors = runner.executors.map(({ name, plans, repeatable, capacity }: RunnerExecutor) => ({
    ...{ name, plans, repeatable, capacity },
  }))
  const row: Runner = { id: runner.id, executors, seen_at: instant(clock) }
  if (await documents.update(runners, row.id, { set: { seen_at: row.seen_at, executors } })) return
  await documents.insert(runners, row)
}

/** Rows deleted at once. */
const atOnce = 500

export function forgetRunners({ documents, clock }: Publishing): Promise<void> {
  const before = new Date(Date.parse(instant(clock)) - seenWithin).toISOString()
  return forget(documents, { lt: before })
}

/** For a process that has all workers, before they start: all that have announced themselves are gone. */
export function forgetAllRunners(documents: Documents): Promise<void> {
  return forget(documents, { gt: new Date(0).toISOString() })
}

async function forget(documents: Documents, seen_at: { lt: string } | { gt: string }): Promise<void> {
  const gone = await documents.find(runners, { where: { seen_at }, limit: atOnce, fields: ['id'] })
  if (gone.length > 0) {
    const ids = gone.map(({ id }) => id)
    await documents.delete(runners, ids, { seen_at })
  }
}
