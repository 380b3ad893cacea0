/** Inputs and outputs of the calls that read tasks. */
import { z } from 'zod'
import { listFields, listOutput } from '../access/list.ts'
import { cursor } from '../context/schema.ts'
import { runPhases, runStates } from '../records/run.ts'
import { neverRan } from '../records/task.ts'
import { inboxStatuses, taskPriorities, taskStatuses } from '../records/task-values.ts'
import { runShown } from '../runs/shown.ts'
import { atMost, characters, instant, name, uuid, visibility } from '../validation/schema.ts'
import { enrichment } from './enrichment-schema.ts'
import { label, mode } from './write-schema.ts'

/** Values of one filter. */
const mostValues = 20
const anyOf = <Value extends z.ZodType>(value: Value) => atMost(mostValues, z.array(value).min(1)).exactOptional()

export const taskSorts = ['updated', 'created', 'due', 'priority'] as const
export type TaskSort = (typeof taskSorts)[number]

export const listTasksInput = z
  .strictObject({
    q: characters(1, 2000)
      .exactOptional()
      .describe('Words of the name or the description. The best match comes first.'),
    status: anyOf(z.enum(taskStatuses)).describe('Only tasks with one of these statuses.'),
    assignee: anyOf(name()).describe('Only tasks of one of these users or agents. `me` is the user of the key.'),
    project: anyOf(name()).describe('Only tasks of one of these projects.'),
    inbox_status: anyOf(z.enum(inboxStatuses)).describe('Only tasks with one of these inbox statuses.'),
    priority: anyOf(z.enum(taskPriorities)).describe('Only tasks with one of these priorities.'),
    label: anyOf(label()).describe('Only tasks with one of these labels.'),
    parent_id: anyOf(uuid).describe('Only subtasks of one of these tasks.'),
    run_state: anyOf(z.enum([...runStates, neverRan])).describe(
      'Only tasks whose newest run is in one of these states. none: it never ran.',
    ),
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
  execution: z
    .strictObject({ mode, executor: z.string().exactOptional() })
    .describe('How it is run. task.get shows the instructions too.'),
  run: z
    .strictObject({ id: uuid, number: z.int().min(1), state: z.enum(runStates) })
    .exactOptional()
    .describe('Its newest run. Left out: it never ran.'),
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
const activityShown = z.strictObject({
  id: uuid,
  type: z.enum(['change', 'run']).describe('run: the state of a run has changed.'),
  at: instant,
  by: z.string(),
  revision: z.int().min(1).exactOptional().describe('Of a change: the revision that it made.'),
  changes: z
    .array(
      z.strictObject({
        field: z.string(),
        from: value.exactOptional().describe('Left out: it had no value. A long text is cut.'),
        to: value.exactOptional().describe('Left out: it has no value any more.'),
      }),
    )
    .exactOptional(),
  run: z
    .strictObject({
      id: uuid,
      number: z.int().min(1),
      from: z.enum(runStates).exactOptional().describe('Left out: it was started.'),
      state: z.enum(runStates),
      phase: z.enum(runPhases),
    })
    .exactOptional(),
  note: z.string().exactOptional().describe('Of a run: why.'),
})

export const getTaskInput = z.strictObject({
  id: uuid.describe('The task.'),
  comments_cursor: cursor.exactOptional().describe('comments.next_cursor of the page before, for the same task.'),
  activity_cursor: cursor.exactOptional().describe('activity.next_cursor of the page before, for the same task.'),
  enrichment: z.enum(['none']).exactOptional().describe('none: leave enrichment out.'),
})
export type GetTaskInput = z.output<typeof getTaskInput>

export const getTaskOutput = listedTask.extend({
  description: z.string().describe('Empty if it has none.'),
  execution: z.strictObject({ mode, executor: z.string().exactOptional(), instructions: z.string().exactOptional() }),
  subtasks: z
    .strictObject({
      items: z.array(listedTask).describe('At most 50, the oldest first. task.list with parent_id shows all.'),
      count: z.int().min(0).describe('Of all its subtasks, up to 10,000.'),
    })
    .describe('The tasks that are a part of it.'),
  comments: page(commentShown, 'comments_cursor').describe('The newest first, 50 a page.'),
  run: runShown.nullable().describe('The newest run; null: it never ran.'),
  activity: page(activityShown, 'activity_cursor').describe(
    'Its changes and the states of its runs, the newest first, 50 a page.',
  ),
  enrichment: enrichment
    .exactOptional()
    .describe(
      'What bears on it: decisions, constraints, commitments, open questions and past outcomes, at most 5 of each. Left out if the key lacks the scope context:read. The ETag does not cover it.',
    ),
})
export type GetTaskOutput = z.output<typeof getTaskOutput>
