/** Mutants of what watchers see of runs, of their deletion, and of runs after a restore. */
import type { Mutant } from './mutant.ts'

export const watching: readonly Mutant[] = [
  {
    rule: 'a run is over only when nobody can store milestones any more',
    file: 'src/runs/watching/followed-run.ts',
    find: 'isOver: hasEnded(state) && isClosed(leases.get(run))',
    replace: 'isOver: hasEnded(state)',
    killedBy: ['test/runs/subscribe.test.ts'],
  },
  {
    rule: 'done comes with the last page only',
    file: 'src/runs/subscribe.ts',
    find: 'const done = isOver && (next_after >= last || milestones.length === 0)',
    replace: 'const done = isOver',
    killedBy: ['test/runs/subscribe.test.ts'],
  },
  {
    rule: 'the fleet counts only runs that the caller sees',
    file: 'src/runs/fleet.ts',
    find: '...(isAdmin ? {} : { audience: { in: reader.audiences } })',
    replace: '...(isAdmin ? {} : {})',
    killedBy: ['test/runs/get.test.ts'],
  },
  {
    rule: 'a session with an older fence than its run is lost',
    file: 'src/runs/present.ts',
    find: "if (session.fence < run.fence) return 'lost'",
    replace: "if (session.fence < 0) return 'lost'",
    killedBy: ['test/runs/get.test.ts'],
  },
  {
    rule: 'milestones are kept for 30 days after the end of their run',
    file: 'src/runs/stored/prune.ts',
    find: 'hasEnded(state) && since < before',
    replace: 'hasEnded(state)',
    killedBy: ['test/runs/prune.test.ts'],
  },
  {
    rule: 'a restored run that had not ended awaits approval',
    file: 'src/backup/restore.ts',
    find: 'const { number: head, last_seq } = await stopRuns(',
    replace:
      'await (async (_: unknown, __: unknown, head: { number: number; last_seq: number }) => head)(journal, workspace, {',
    killedBy: ['test/backup/runs.test.ts'],
  },
  {
    rule: 'the key of a long poll is checked again before its answer',
    file: 'src/http/answer.ts',
    find: 'if (route.waits) await',
    replace: 'if (!route) await',
    killedBy: ['test/attacks/runs.test.ts'],
  },
]
