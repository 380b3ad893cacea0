/** Runs in the tests of visibility: what workers tell of them, and a copy of those that a reader sees. */
import type { RecordId } from '../../../src/ids.ts'
import type { Collection, Document } from '../../../src/ports/documents.ts'
import { runStateDocuments } from '../../../src/records/run.ts'
import { leases } from '../../../src/runs/stored/lease.ts'
import { milestones } from '../../../src/runs/stored/milestone.ts'
import { sessions } from '../../../src/runs/stored/session.ts'
import { report, storeSession } from '../../runs/stored-run.ts'
import { rows, type World, workspace } from '../apply.ts'

/** It makes no plans, so that its runs await approval; of some tasks, they are queued. */
export function announceExecutor({ rules }: World): void {
  rules.executors = [{ name: 'coder', plans: false, repeatable: false, capacity: 1 }]
  const allow = {
    name: 'pricing is free',
    when: { project: ['pricing'] },
    verdict: 'allow',
    self_approval: true,
  } as const
  rules.policy = { version: 1, policy: { default: 'require_approval', rules: [allow] } }
}

/** Gives each run a session and milestones. Both contain the word that is unique to its task. */
export async function tellOfRuns(on: World): Promise<void> {
  for (const { kind, record_id, text } of await rows(on)) {
    if (kind !== 'run') continue
    await report(on, record_id, 1, [{ title: text }, { title: 'second' }])
    await storeSession(on, record_id, 1, { output: text })
  }
}

/** The documents of these runs, beside their rows. */
export async function copyRuns(from: World, to: World, runs: readonly RecordId[]): Promise<void> {
  const copy = async <T extends Document>(collection: Collection<T>, field: 'id' | 'run') => {
    for (const run of runs) {
      const where = { ...(field === 'run' ? { workspace } : {}), [field]: run } as never
      await to.documents.insertMany(collection, (await from.documents.find(collection, { where, limit: 100 })) as T[])
    }
  }
  await copy(runStateDocuments, 'id')
  await copy(leases, 'id')
  await copy(milestones, 'run')
  await copy(sessions, 'run')
}
