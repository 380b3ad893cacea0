/** Mutants of supersession, search and questions (SEMANTICS). */
import type { Mutant } from './mutant.ts'

export const knowledge: readonly Mutant[] = [
  {
    rule: 'SEMANTICS 1: a successor must be seen by all who see the older record',
    file: 'src/deciding/supersession.ts',
    find: "return newer === 'workspace' || newer === older",
    replace: "return newer === 'workspace' || newer !== older",
    killedBy: ['test/decisions/record.test.ts'],
  },
  {
    rule: 'SEMANTICS 1: a proposal supersedes nothing',
    file: 'src/deciding/supersession.ts',
    find: 'if (isOnHold && planned === undefined) return',
    replace: 'if (isOnHold && planned === "") return',
    killedBy: ['test/decisions/record.test.ts'],
  },
  {
    rule: 'SEMANTICS 1: superseded_by names the successor with the earliest valid_from',
    file: 'src/deciding/supersession.ts',
    find: '[...others, { id, valid_from, reason }].sort(earliestFirst)',
    replace: '[...others, { id, valid_from, reason }]',
    killedBy: ['test/decisions/record.test.ts'],
  },
  {
    rule: 'SEMANTICS 1: a cycle through the fifty-first successor is found',
    file: 'src/deciding/supersession.ts',
    find: 'return found || (!namesAll && leadsTo(to, from, (id) => supersededBy(state, id)))',
    replace: 'return found',
    killedBy: ['test/decisions/record.test.ts'],
  },
  {
    rule: 'SEMANTICS 2: decide finds only what the actor sees',
    file: 'src/deciding/visible.ts',
    find: 'record && audiences.includes(record.audience) ?',
    replace: 'record ?',
    killedBy: ['test/records/visible.test.ts'],
  },
  {
    rule: 'SEMANTICS 3: a title counts twice',
    file: 'src/text/analyzer.ts',
    find: 'export const titleWeight = 2',
    replace: 'export const titleWeight = 1',
    killedBy: ['test/text/analyzer.test.ts'],
  },
  {
    rule: 'SEMANTICS 6: each reason of a question has its score',
    file: 'src/questions/priority.ts',
    find: "single_source: { priority: 'watching', confidence: 0.6, score: 0.3 }",
    replace: "single_source: { priority: 'watching', confidence: 0.6, score: 0.55 }",
    killedBy: ['test/questions/priority.test.ts'],
  },
  {
    rule: 'SEMANTICS 6: a binding record adds to the score',
    file: 'src/questions/priority.ts',
    find: 'const bindingBonus = 0.08',
    replace: 'const bindingBonus = 0',
    killedBy: ['test/questions/priority.test.ts'],
  },
  {
    rule: 'SEMANTICS 6: a binding record raises the priority',
    file: 'src/questions/priority.ts',
    find: 'priority: binds ? raised(priority) : priority',
    replace: 'priority',
    killedBy: ['test/questions/priority.test.ts'],
  },
  {
    rule: 'SEMANTICS 6: the priority is raised by one step',
    file: 'src/questions/priority.ts',
    find: "priority === 'watching' ? 'tracking' : 'blocking'",
    replace: "priority === 'watching' ? 'blocking' : 'blocking'",
    killedBy: ['test/questions/priority.test.ts'],
  },
]
