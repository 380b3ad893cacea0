/**
 * Faults that the tests must notice. `npm run mutants` tries each of them.
 *
 * Not here, because no reader can tell the difference:
 * - `open: 1` beside `undecided: 1` in conditions: a receipt that has ended is never undecided.
 * - Skipping the content of an emptied entry in project(): it has none.
 * - Projecting the entry at the checkpoint once more: projecting is idempotent.
 * - `open: 0` in the deletion of receipts: a receipt that has ended never opens again.
 * - One of the two checks of dropUnused() whether a shared index serves: either of them keeps it.
 * - `live` in the condition of a swap: claim() has checked it, and only the holder of `filling` swaps.
 */
import { accepting } from './accepting.ts'
import { dataDirectory } from './data-directory.ts'
import { deciding } from './deciding.ts'
import { draining } from './draining.ts'
import { indexing } from './indexing.ts'
import { knowledge } from './knowledge.ts'
import { maintaining } from './maintaining.ts'
import { mirroring } from './mirroring.ts'
import type { Mutant } from './mutant.ts'
import { processes } from './processes.ts'
import { projecting } from './projecting.ts'
import { reading } from './reading.ts'
import { runProtocol } from './run-protocol.ts'
import { runs } from './runs.ts'
import { tasks } from './tasks.ts'
import { watching } from './watching.ts'
import { webhooks } from './webhooks.ts'

export const mutants: readonly Mutant[] = [
  ...draining,
  ...deciding,
  ...projecting,
  ...maintaining,
  ...indexing,
  ...reading,
  ...accepting,
  ...knowledge,
  ...dataDirectory,
  ...tasks,
  ...watching,
  ...runs,
  ...runProtocol,
  ...processes,
  ...webhooks,
  ...mirroring,
]
