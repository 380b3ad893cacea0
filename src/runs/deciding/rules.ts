/** The rules of runs, as run workers and maintain have published them in the store. */
import type { Policy } from '../../access/run-policy.ts'
import { atMostEvery } from '../../ports/at-most-every.ts'
import { type Clock, instant } from '../../ports/clock.ts'
import type { Collection, Documents } from '../../ports/documents.ts'
import type { RunnerExecutor, RunRules } from '../../records/run-rules.ts'
import { runners } from '../stored/runner.ts'

/** The operator's policy. Maintain replaces it if its file has another hash, with upsertIfNewer by version. */
export interface StoredPolicy {
  /** theOnePolicy */
  id: string
  /** Counts the changes, from 1. */
  version: number
  hash: string
  policy: Policy
  at: string
}

export const theOnePolicy = 'policy'

export const policies: Collection<StoredPolicy> = {
  name: 'policies',
  fields: { id: 'string', version: 'integer', hash: 'string', policy: 'json', at: 'instant' },
  unique: [],
  indexes: [],
}

export type RunSettings = Pick<RunRules, 'approvalDays' | 'runsPerWorkspace' | 'notifies'>

/**
 * ms. Executors of a worker that was not seen for longer are gone, so no run may wait for them. Workers announce
 * themselves every 10 s. It is longer than a restart of a worker, and than clocks of machines differ.
 */
export const seenWithin = 5 * 60_000
/** Run workers that are read. */
const mostRunners = 10_000
/** ms. */
const rulesFreshFor = 1_000

export function runRulesOf(documents: Documents, clock: Clock, settings: RunSettings): () => Promise<RunRules> {
  const read = () => readRules(documents, clock, settings)
  const cached = atMostEvery(rulesFreshFor, clock, read)
  return async () => {
    const rules = await cached()
    // the first worker may have announced its executors a moment ago
    return rules.executors.length > 0 ? rules : read()
  }
}

async function readRules(documents: Documents, clock: Clock, settings: RunSettings): Promise<RunRules> {
  const since = new Date(Date.parse(instant(clock)) - seenWithin).toISOString()
  const [stored, seen] = await Promise.all([
    documents.get(policies, theOnePolicy, ['version', 'policy']),
    documents.find(runners, {
      where: { seen_at: { gte: since } },
      sort: [['seen_at', 'asc']],
      limit: mostRunners,
      fields: ['executors'],
    }),
  ])
  return { ...settings, policy: stored, executors: executorsIn(seen) }
}

/** One for each name, as the worker seen last has published it. `seen` has that worker last. */
function executorsIn(seen: readonly { executors: RunnerExecutor[] }[]): RunnerExecutor[] {
  const byName = new Map(seen.flatMap(({ executors }) => executors).map((executor) => [executor.name, executor]))
  return [...byName.values()].sort((a, b) => (a.name < b.name ? -1 : 1))
}
