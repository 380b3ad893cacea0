/** Inputs of the calls that make and change tasks. */
import { z } from 'zod'
import { runModes } from '../records/run.ts'
import { inboxStatuses, taskPriorities, taskStatuses } from '../records/task-values.ts'
import { executorName, instructions } from '../runs/schema.ts'
import {
  atMost,
  idempotencyKey,
  ifRevision,
  instant,
  mostTextCharacters,
  name,
  text,
  uuid,
  visibility,
} from '../validation/schema.ts'

const mostDescriptionCharacters = 50_000
const mostAssignees = 20
const mostLabels = 30
export const mostDecisions = 50
export const label = () => text(1, 100)

/** `none`: a new task starts no run. */
export const mode = z.enum(['none', ...runModes])
const execution = z.strictObject({
  mode: mode.describe(
    'plan: a run makes a plan and waits for approval. auto: the policy decides. none: it starts no run. Default: none.',
  ),
  executor: executorName().exactOptional().describe('The executor, by its name. Left out: the only one.'),
  instructions: instructions().exactOptional(),
})

/** The values of the fields that can be cleared. */
const values = {
  description: text(0, mostDescriptionCharacters).describe('What is to be done, in Markdown.'),
  priority: z.enum(taskPriorities).describe('How urgent it is. Default: none.'),
  assignees: atMost(mostAssignees, z.array(name())).describe(
    'Users or agents who work on it, by name. `me` is the user of the key.',
  ),
  project: name().describe('The project that it belongs to.'),
  labels: atMost(mostLabels, z.array(label())).describe('Labels to filter by.'),
  start_at: instant.describe('When work on it starts.'),
  due_at: instant.describe('When it must be done. Not before start_at.'),
  parent_id: uuid.describe('The task that it is a part of. Everyone who sees the task must see its parent.'),
  repo_full_name: name().describe('The repository that it is about, such as owner/name.'),
  decision_ids: atMost(mostDecisions, z.array(uuid)).describe(
    'Decisions that bear on it. Everyone who sees the task must see them.',
  ),
  execution: execution.describe(
    'How it is run. A new task with a mode other than none starts a run, which needs the scope tasks:run too. A change starts none.',
  ),
}
const given = <Value extends z.ZodType>(value: Value) => value.exactOptional().describe(value.description ?? '')
/** null: back to the default. */
const clearable = <Value extends z.ZodType>(value: Value) =>
  value
    .nullable()
    .exactOptional()
    .describe(value.description ?? '')
const standing = {
  status: z.enum(taskStatuses).exactOptional().describe('Default of a new task: todo.'),
  inbox_status: z.enum(inboxStatuses).exactOptional().describe('Whether somebody has looked at it. Default: unread.'),
}

export const createTaskInput = z
  .strictObject({
    name: name().describe('What is to be done, in a few words.'),
    description: given(values.description),
    priority: given(values.priority),
    assignees: given(values.assignees),
    project: given(values.project),
    labels: given(values.labels),
    start_at: given(values.start_at),
    due_at: given(values.due_at),
    parent_id: given(values.parent_id),
    repo_full_name: given(values.repo_full_name),
    decision_ids: given(values.decision_ids),
    execution: given(values.execution),
    ...standing,
    visibility: visibility
      .exactOptional()
      .describe('Who sees the task; never changes. Left out: workspace, or private in a personal workspace.'),
    external_id: name()
      .exactOptional()
      .describe('Its id in another system. Posting it again changes the task that has it, by the fields given.'),
    idempotency_key: idempotencyKey.exactOptional(),
  })
  .check(refuseReversedDates)
export type CreateTaskInput = z.output<typeof createTaskInput>

export const updateTaskInput = z
  .strictObject({
    id: uuid.describe('The task.'),
    name: name().exactOptional().describe('What is to be done, in a few words.'),
    description: clearable(values.description),
    priority: clearable(values.priority),
    assignees: clearable(values.assignees),
    project: clearable(values.project),
    labels: clearable(values.labels),
    start_at: clearable(values.start_at),
    due_at: clearable(values.due_at),
    parent_id: clearable(values.parent_id),
    repo_full_name: clearable(values.repo_full_name),
    decision_ids: clearable(values.decision_ids),
    execution: clearable(values.execution),
    ...standing,
    if_revision: ifRevision,
    idempotency_key: idempotencyKey.exactOptional(),
  })
  .check(refuseReversedDates)
export type UpdateTaskInput = z.output<typeof updateTaskInput>

export const commentInput = z.strictObject({
  id: uuid.describe('The task.'),
  body: text(1, mostTextCharacters).describe('The comment, in Markdown. It never changes.'),
  idempotency_key: idempotencyKey.exactOptional(),
})
export type CommentInput = z.output<typeof commentInput>

export const reversedDates = 'must not be before start_at'

export function refuseReversedDates({ value, issues }: z.core.ParsePayload<object>): void {
  const { start_at, due_at } = value as { start_at?: string | null; due_at?: string | null }
  if (!start_at || !due_at || due_at >= start_at) return
  issues.push({ code: 'custom', path: ['due_at'], message: reversedDates, input: due_at })
}
