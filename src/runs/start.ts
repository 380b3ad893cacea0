/** task.run: starts a run of a task. One run of a task at a time. */
import { nothingChanged } from '../deciding/outcome.ts'
import { defineOperation } from '../operation.ts'
import { textsIn } from '../secrets/texts.ts'
import { assertStartable, awaitsIn, chosenExecutor, newRun, wantedOf } from './deciding/new-run.ts'
import { storedTask, taskAtHead } from './deciding/newest.ts'
import { entityOfRun } from './deciding/transition.ts'
import { type StartRunInput, startRunInput } from './schema.ts'

export const startRun = defineOperation<StartRunInput>({
  name: 'task.run',
  scope: 'tasks:run',
  summary: 'Starts a run of a task: an executor of the operator plans it, or carries it out, as the policy says.',
  format: 2,
  raisesQuestions: false,
  input: startRunInput,

  texts: ({ executor, instructions }) => [
    ...textsIn('executor', executor ?? ''),
    ...textsIn('instructions', instructions ?? ''),
  ],

  async check(context) {
    const { input } = context
    const task = await storedTask(context, input.id)
    assertStartable(task)
    const { executors } = await context.runRules()
    chosenExecutor(executors, wantedOf(input, task.execution).executor)
  },

  async decide(context) {
    const { input, at } = context
    const task = await taskAtHead(context, input.id)
    assertStartable(task.mutable)
    const run = await newRun(context, task, wantedOf(input, task.mutable.execution))
    const mutable = { ...task.mutable, ...run.task }
    return {
      ...nothingChanged,
      entity: { ...entityOfRun(run.row, task.record_id), ...awaitsIn(run) },
      created: [run.row],
      changed: [{ id: task.id, set: { kind: 'task', mutable, updated_at: at } }],
      documents: run.documents,
    }
  },
})
