/** A task of a file that is imported. It names its parent and decisions by their ids or external ids. */
import { z } from 'zod'
import { executorName, instructions } from '../runs/schema.ts'
import { atMost, name } from '../validation/schema.ts'
import { createTaskInput, mostDecisions, refuseReversedDates, updateTaskInput } from './write-schema.ts'

const { status, inbox_status, visibility } = createTaskInput.shape
const { description, priority, assignees, project, labels, start_at, due_at, repo_full_name } = updateTaskInput.shape
const reference = name()
/** Without the mode: an import must start no run, so a task of a file has mode none. */
const execution = z.strictObject({
  executor: executorName().exactOptional(),
  instructions: instructions().exactOptional(),
})

/** A field that is left out stays as it is; null returns it to its default. */
export const taskImportItem = z
  .strictObject({
    ...{ name: createTaskInput.shape.name, description, status, priority, assignees, project, labels },
    ...{ start_at, due_at, repo_full_name, inbox_status, visibility },
    parent_id: reference.nullable().exactOptional(),
    decision_ids: atMost(mostDecisions, z.array(reference)).nullable().exactOptional(),
    execution: execution.nullable().exactOptional(),
    external_id: name(),
  })
  .check(refuseReversedDates)
export type TaskImportItem = z.output<typeof taskImportItem>
