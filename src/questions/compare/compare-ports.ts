/** What the steps of comparing have in common. */

import assert from 'node:assert/strict'
import type { JournalPorts } from '../../journal/ports.ts'
import type { PrecedentRecord } from '../../records/record.ts'
import type { AskJudge } from './ask-judge.ts'
import type { RowResult } from './compare-tasks.ts'
import type { CompareWorker } from './compare-worker.ts'

export type ComparePorts = JournalPorts & {
  compareWorker: CompareWorker
  /** Absent: no judge is configured, and claims are compared by rules only. */
  askJudge?: AskJudge
}

/** Yields before each turn. */
export type Turns<T = void> = AsyncGenerator<void, T>

/** If a rule threw on the row, logs it and finds nothing: the defect is in the rule, and other rows must not wait for it. */
export function foundOf<T>(
  { log }: ComparePorts,
  { id, workspace }: PrecedentRecord,
  result: RowResult<T> | undefined,
): T[] {
  assert(result)
  if ('found' in result) return result.found
  log.error({ workspace, row: id, err: result.fault }, 'a question rule failed on this record')
  return []
}
