/** Inputs and outputs of tasks. */
import { z } from 'zod'
import { listFields, listOutput } from '../access/list.ts'
import { cursor } from '../context/schema.ts'
import { inboxStatuses, taskPriorities, taskStatuses } from '../records/body.ts'
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
const mostDecisions = 50
const label = () => text(1, 100)

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

function refuseReversedDates({ value, issues }: z.core.ParsePayload<object>): void {
  const { start_at, due_at } = value as { start_at?: string | null; due_at?: string | null }
  if (!start_at || !due_at || due_at >= start_at) return
  issues.push({ code: 'custom', path: ['due_at'], message: reversedDates, input: due_at })
}

/** Values of one filter. */
const mostValues = 20
const anyOf = <Value extends z.ZodType>(value: Value) => atMost(mostValues, z.array(value).min(1)).exactOptional()

export const taskSorts = ['updated', 'created', 'due', 'priority'] as const
export type TaskSort = (typeof taskSorts)[number]

export const listTasksInput = z
  .strictObject({
    q: text(1, 2000).exactOptional().describe('Words of the name or the description. The best match comes first.'),
    status: anyOf(z.enum(taskStatuses)).describe('Only tasks with one of these statuses.'),
    assignee: anyOf(name()).describe('Only tasks of one of these users or agents. `me` is the user of the key.'),
    project: anyOf(name()).describe('Only tasks of one of these projects.'),
    inbox_status: anyOf(z.enum(inboxStatuses)).describe('Only tasks with one of these inbox statuses.'),
    priority: anyOf(z.enum(taskPriorities)).describe('Only tasks with one of these priorities.'),
    label: anyOf(label()).describe('Only tasks with one of these labels.'),
    parent_id: anyOf(uuid).describe('Only subtasks of one of these tasks.'),
    updated_since: instant.exactOptional().describe('Only tasks that changed at this instant or later.'),
    sort: z
      .enum(taskSorts)
      .exactOptional()
      .describe(
        'updated (default), created: the oldest first. due: the soonest first, undated ones last. priority: urgent first. A list by updated can be polled: its last page has a cursor too.',
      ),
    ...listFields,
  })
  .check(({ value: { q, sort }, issues }) => {
    if (q === undefined || sort === undefined) return
    const message = 'does not apply with q, which puts the best match first: leave one of them out'
    issues.push({ code: 'custom', path: ['sort'], message, input: sort })
  })
export type ListTasksInput = z.output<typeof listTasksInput>

/** What lists show. The description may be long, and only task.get shows it. */
const listedTask = z.strictObject({
  id: uuid,
  url: z.string().exactOptional(),
  name: z.string(),
  status: z.enum(taskStatuses),
  priority: z.enum(taskPriorities),
  assignees: z.array(z.string()),
  project: z.string().exactOptional(),
  labels: z.array(z.string()),
  start_at: instant.exactOptional(),
  due_at: instant.exactOptional(),
  parent_id: uuid.exactOptional(),
  repo_full_name: z.string().exactOptional(),
  decision_ids: z.array(uuid),
  inbox_status: z.enum(inboxStatuses),
  visibility,
  external_id: z.string().exactOptional(),
  revision: z.int().min(1).describe('Counts changes of every field but inbox_status. `If-Match` compares it.'),
  created_at: instant,
  created_by: z.string(),
  updated_at: instant.describe('When it changed, got a comment, or was read.'),
})

export const listTasksOutput = listOutput(listedTask)
export type ListTasksOutput = z.output<typeof listTasksOutput>

const page = <Item extends z.ZodType>(item: Item, parameter: string) =>
  z.strictObject({
    items: z.array(item),
    next_cursor: cursor.exactOptional().describe(`Send it as ${parameter} to get older ones.`),
  })

const commentShown = z.strictObject({ id: uuid, body: z.string(), created_at: instant, created_by: z.string() })

const value = z.union([z.string(), z.array(z.string())])
const changeShown = z.strictObject({
  id: uuid,
  at: instant,
  by: z.string(),
  revision: z.int().min(1).describe('The revision that it made.'),
  changes: z.array(
    z.strictObject({
      field: z.string(),
      from: value.exactOptional().describe('Left out: it had no value. A long text is cut.'),
      to: value.exactOptional().describe('Left out: it has no value any more.'),
    }),
  ),
})

export const getTaskInput = z.strictObject({
  id: uuid.describe('The task.'),
  comments_cursor: cursor.exactOptional().describe('comments.next_cursor of the page before, for the same task.'),
  activity_cursor: cursor.exactOptional().describe('activity.next_cursor of the page before, for the same task.'),
})
export type GetTaskInput = z.output<typeof getTaskInput>

export const getTaskOutput = listedTask.extend({
  description: z.string().describe('Empty if it has none.'),
  subtasks: z
    .strictObject({
      items: z.array(listedTask).describe('At most 50, the oldest first. task.list with parent_id shows all.'),
      count: z.int().min(0).describe('Of all its subtasks, up to 10,000.'),
    })
    .describe('The tasks that are a part of it.'),
  comments: page(commentShown, 'comments_cursor').describe('The newest first, 50 a page.'),
  activity: page(changeShown, 'activity_cursor').describe('Its changes, the newest first, 50 a page.'),
})
export type GetTaskOutput = z.output<typeof getTaskOutput>
