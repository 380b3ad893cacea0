/** What the two ways of comparing have in common (claims.ts, repeats.ts). */
import type { Entry } from '../../journal/entry.ts'
import type { JournalPorts } from '../../journal/ports.ts'
import { chunks } from '../../ports/chunks.ts'
import type { Documents } from '../../ports/documents.ts'
import type { SearchFilter } from '../../ports/search.ts'
import { type ChangedFields, type PrecedentRecord, records } from '../../records/record.ts'
import type { AskJudge } from './ask-judge.ts'
import type { Comparison, PairFound } from './compare-tasks.ts'
import type { CompareWorker } from './compare-worker.ts'
import type { NearRow } from './likely-update.ts'

export type ComparePorts = JournalPorts & {
  compareWorker: CompareWorker
  /** Absent: no judge is configured, and claims are compared by rules only. */
  askJudge?: AskJudge
}

/** One way of comparing rows. */
export interface Comparing {
  /** The rows of an entry to compare. */
  rows(documents: Documents, entry: Entry): Promise<PrecedentRecord[]>
  /** Where the rows to compare this one with are searched for. `now`: ISO 8601. */
  filter(row: PrecedentRecord, now: string): Pick<SearchFilter, 'kinds' | 'tags' | 'as_of'>
  isOther(row: PrecedentRecord, other: PrecedentRecord): boolean
  find(ports: ComparePorts, row: PrecedentRecord, others: readonly NearRow[]): Promise<PairFound[]>
}

/** Rows read by one query. */
const rowsAtOnce = 20

/** The rows that an entry created as it created them, and those that it changed in this way as they are now. */
export async function rowsIn(documents: Documents, entry: Entry, isChanged: (set: ChangedFields) => boolean) {
  const created = entry.records.flatMap((change) => (change.type === 'new' ? [change.row] : []))
  const ids = entry.records.flatMap((change) => (change.type === 'changed' && isChanged(change.set) ? [change.id] : []))
  const rows = new Map(created.map((row) => [row.id, row]))
  for (const some of chunks([...new Set(ids)], rowsAtOnce)) {
    const found = await documents.find(records, { where: { id: { in: some } }, limit: some.length })
    for (const row of found) rows.set(row.id, row)
  }
  return [...rows.values()]
}

/** If a rule threw on the row, logs it and finds nothing: the defect is in the rule, and other rows must not wait for it. */
export async function foundByRules({ compareWorker, log }: ComparePorts, comparison: Comparison): Promise<PairFound[]> {
  const { id: row, workspace } = comparison.row
  const compared = await compareWorker.run(comparison)
  if ('found' in compared) return compared.found
  log.error({ workspace, row, err: compared.fault }, 'a question rule failed on this record')
  return []
}
