/** Mutants of pruning, of the deletion of receipts, and of the poller (PROTOCOL 2.6, 4 and 6). */
import type { Mutant } from './mutant.ts'
import { inJournal } from './test-files.ts'

export const maintaining: readonly Mutant[] = [
  ...(['checkpoint.projected', 'checkpoint.indexed', 'compared'] as const).map((one) => ({
    rule: `PROTOCOL 2.6: only entries that ${one} has passed are pruned`,
    file: 'src/journal/maintenance/prune.ts',
    find: 'Math.min(checkpoint.projected, checkpoint.indexed, compared)',
    replace: `Math.min(${['checkpoint.projected', 'checkpoint.indexed', 'compared'].filter((other) => other !== one).join(', ')})`,
    killedBy: inJournal('prune'),
  })),
  {
    rule: 'PROTOCOL 2.6: the newest entry is never pruned',
    file: 'src/journal/maintenance/prune.ts',
    find: 'number: { lt: Math.min',
    replace: 'number: { lte: Math.min',
    killedBy: inJournal('prune'),
  },
  {
    rule: 'PROTOCOL 2.6: entries are kept for journal.retention',
    file: 'src/journal/maintenance/prune.ts',
    find: 'old.filter((entry) => entry.at < before)',
    replace: 'old.filter((entry) => entry.at > "")',
    killedBy: inJournal('prune'),
  },
  {
    rule: 'PROTOCOL 6: receipts are kept for 30 days after they ended',
    file: 'src/journal/maintenance/prune.ts',
    find: 'where: { open: 0, ended_at: { lt: before } }',
    replace: "where: { open: 0, ended_at: { gt: '' } }",
    killedBy: inJournal('prune'),
  },
  {
    rule: 'PROTOCOL 4: a workspace with a receipt older than 5 s is woken',
    file: 'src/journal/maintenance/sweep.ts',
    find: 'for (const part of [wakeStranded, wakeBehind, commitDue])',
    replace: 'for (const part of [wakeBehind, commitDue])',
    killedBy: inJournal('drain'),
  },
  {
    rule: 'PROTOCOL 4: a receipt younger than 5 s wakes no worker',
    file: 'src/journal/maintenance/sweep.ts',
    find: 'const strandedAfter = 5_000',
    replace: 'const strandedAfter = 0',
    killedBy: inJournal('drain'),
  },
  {
    rule: 'PROTOCOL 4: a workspace whose head is beyond checkpoint.projected is woken',
    file: 'src/journal/maintenance/sweep.ts',
    find: 'if (head.number > checkpoint.projected)',
    replace: 'if (head.number > checkpoint.projected + 1)',
    killedBy: inJournal('prune'),
  },
  {
    rule: 'PROTOCOL 4: a workspace whose checkpoint.projected is beyond checkpoint.indexed is woken',
    file: 'src/journal/maintenance/sweep.ts',
    find: 'if (checkpoint.projected > checkpoint.indexed)',
    replace: 'if (checkpoint.projected > checkpoint.indexed + 1)',
    killedBy: inJournal('prune'),
  },
  {
    rule: 'PROTOCOL 4: the poller runs jobs that the queue refuses',
    file: 'src/journal/poll.ts',
    find: 'if (!taken || isStuck)',
    replace: 'if (isStuck)',
    killedBy: inJournal('poll'),
  },
  {
    rule: 'PROTOCOL 4: the poller runs jobs that the queue has lost',
    file: 'src/journal/poll.ts',
    find: 'if (!taken || isStuck)',
    replace: 'if (!taken)',
    killedBy: inJournal('poll'),
  },
]
