/** Mutants of tasks and their lists. */
import type { Mutant } from './mutant.ts'

export const tasks: readonly Mutant[] = [
  {
    rule: 'a key that a task has lost is closed',
    file: 'src/records/projections/tasks.ts',
    find: 'if (known && !known.keys.has(key))',
    replace: "if (known && known.keys.has(''))",
    killedBy: ['test/tasks/list-model.test.ts'],
  },
  {
    rule: 'a list by updated ends at checkpoint.projected',
    file: 'src/tasks/scan.ts',
    find: 'lte: upTo',
    replace: 'lte: Number.MAX_SAFE_INTEGER',
    killedBy: ['test/tasks/list.test.ts'],
  },
  {
    rule: 'a list checks each row against its record',
    file: 'src/tasks/list.ts',
    find: '!known.has(key.task) && passes(row, wanted)',
    replace: '!known.has(key.task)',
    killedBy: ['test/tasks/list-model.test.ts'],
  },
  {
    rule: 'the journal compares the revision of a conditional change again',
    file: 'src/tasks/update.ts',
    find: '    assertRevision(task, input.if_revision)\n    return changeTask',
    replace: '    return changeTask',
    killedBy: ['test/tasks/update.test.ts'],
  },
  {
    rule: 'subtasks that the caller does not see do not count',
    file: 'src/tasks/place.ts',
    find: 'if (audiences.includes(audience)) subtasks.push(id)',
    replace: 'if (audience) subtasks.push(id)',
    killedBy: ['test/tasks/create.test.ts'],
  },
  {
    rule: 'briefs with and without tasks are cached separately',
    file: 'src/context/brief/brief.ts',
    find: ", actor.scopes.includes('tasks:read')]",
    replace: ']',
    killedBy: ['test/context/brief/work.test.ts'],
  },
  {
    rule: 'work in hand counts only tasks that the caller sees',
    file: 'src/context/brief/write/work.ts',
    find: 'audience: { in: reader.audiences }, ',
    replace: '',
    killedBy: ['test/context/brief/work.test.ts'],
  },
  {
    rule: 'what bears on a task is told only to callers who may read the context',
    file: 'src/tasks/get.ts',
    find: " && actor.scopes.includes('context:read')",
    replace: '',
    killedBy: ['test/tasks/enrichment.test.ts'],
  },
]
