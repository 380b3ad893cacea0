/** What the process of the kind `maintain` does, again and again. All of it may run in several processes at once. */
import type { Config } from '../config/load.ts'
import { maintainIndexes, rebuildOutdated } from './indexing/maintain-indexes.ts'
import { prune } from './journal/maintenance/prune.ts'
import { sweep } from './journal/maintenance/sweep.ts'
import type { JournalPorts } from './journal/ports.ts'
import { pruneVerdicts } from './questions/compare/ask-judge.ts'
import { gatherOldProposals } from './questions/old-proposals/find.ts'
import type { Repeating } from './repeating.ts'
import { maintainRuns } from './runs/maintain/work.ts'
import { type NoticePorts, sendNotices } from './runs/notices/send.ts'
import { pruneRuns } from './runs/stored/prune.ts'

export type MaintainSettings = Pick<Config, 'journalRetentionDays' | 'receiptRetentionDays' | 'operator' | 'publicUrl'>

type Maintained = JournalPorts & Pick<NoticePorts, 'notifier' | 'count'>

/** ms. */
const sweepEvery = 5_000
const noticesEvery = 2_000
const pruneEvery = 10 * 60_000
const lookForLostEvery = 60_000
const gatherEvery = 60_000

export function maintain(
  ports: Maintained,
  settings: MaintainSettings,
  every: Repeating['every'],
  stopping: AbortSignal,
): void {
  const retention = { journalDays: settings.journalRetentionDays, receiptDays: settings.receiptRetentionDays }
  every(sweepEvery, 'waking stranded work', () => sweep(ports))
  every(pruneEvery, 'pruning', () => prune(ports, retention))
  every(gatherEvery, 'gathering old proposals', () => gatherOldProposals(ports))
  every(pruneEvery, 'pruning verdicts', () => pruneVerdicts(ports))
  every(pruneEvery, 'pruning runs', () => pruneRuns(ports))
  every(sweepEvery, 'rebuilding indexes', () => maintainIndexes(ports, stopping))
  every(lookForLostEvery, 'looking for outdated indexes', () => rebuildOutdated(ports, stopping))
  maintainRuns(ports, settings.operator, every)
  every(noticesEvery, 'sending notices', () => sendNotices({ ...ports, publicUrl: settings.publicUrl }, stopping))
}
