/** task.get_run: the newest run of a task. */
import type { RecordId } from '../ids.ts'
import { defineQuery } from '../operation.ts'
import { problem } from '../problem.ts'
import { taskRows } from '../records/present/tasks.ts'
import { recordReader } from '../records/read/reader.ts'
import { noSuch } from '../records/read/visible.ts'
import { presentRun } from './present.ts'
import { type GetRunInput, getRunInput, type RunShown, runShown } from './shown.ts'

export const getRun = defineQuery<GetRunInput, RunShown>({
  name: 'task.get_run',
  scope: 'tasks:read',
  summary: 'The newest run of a task: its state, plan, sessions and result.',
  input: getRunInput,
  output: runShown,

  async run({ input, actor, reads }) {
    const { documents, publicUrl, clock } = reads
    const reader = recordReader(documents, actor, clock)
    const id = input.id as RecordId
    const task = (await taskRows([id], reader)).get(id)
    if (!task) throw noSuch('task')
    const run = await presentRun(id, task.mutable.run, { reader, publicUrl, documents, actor })
    if (!run) throw problem('not_found', 'This task has never run.')
    return run
  },
})
