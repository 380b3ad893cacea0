/** The fields of a task: their defaults, how a write changes them, and what differs between two revisions. */
import { invalid } from '../problem.ts'
import type { FieldChange } from '../records/activity.ts'
import type { Execution, TaskMutable } from '../records/body.ts'
import type { TaskContent } from '../records/task.ts'
import { cut } from '../records/title.ts'
import { reversedDates } from './write-schema.ts'

/** What a write says of a task. A field that is left out stays; null clears it. */
export type Given = { readonly [Field in keyof TaskContent]?: unknown }

/** The value of a field that a new task does not give, or that a change clears with null. */
const defaults: Omit<TaskContent, 'name'> = {
  description: '',
  status: 'todo',
  priority: 'none',
  assignees: [],
  project: null,
  labels: [],
  start_at: null,
  due_at: null,
  parent_id: null,
  repo_full_name: null,
  decision_ids: [],
  inbox_status: 'unread',
  execution: { mode: 'none' },
}
const fields = ['name', ...Object.keys(defaults)] as (keyof TaskContent)[]

/** The name of the caller in assignees and in filters. */
const caller = 'me'

export function newContent(given: Given & { name: string }, user: string): TaskContent {
  return changedContent({ ...defaults, name: given.name }, given, user)
}

/** Throws invalid_request if the dates contradict each other. `given` is validated. */
export function changedContent(before: TaskContent, given: Given, user: string): TaskContent {
  const after: Record<string, unknown> = { ...before }
  for (const field of fields) {
    const value = given[field]
    if (value === undefined) continue
    after[field] = value === null ? defaults[field as keyof typeof defaults] : withoutRepeats(value)
  }
  const content = after as unknown as TaskContent
  if (content.start_at !== null && content.due_at !== null && content.due_at < content.start_at) {
    throw invalid(
      given.due_at === undefined ? 'start_at' : 'due_at',
      given.due_at === undefined ? 'must not be after due_at' : reversedDates,
    )
  }
  return { ...content, assignees: namedUsers(content.assignees, user) }
}

/** `me` becomes the user of the caller. */
export function namedUsers(names: readonly string[], user: string): string[] {
  return [...new Set(names.map((name) => (name === caller ? user : name)))]
}

function withoutRepeats(value: unknown): unknown {
  return Array.isArray(value) ? [...new Set(value)] : value
}

/** What the row of a task holds of its content, besides the two texts. */
export function mutableOf({ name: _, description: __, ...mutable }: TaskContent): TaskMutable {
  return mutable
}

/** Code points of a text in an activity. */
const mostShown = 500

/** The fields that make a revision, with both values. inbox_status makes none. */
export function changesBetween(before: TaskContent, after: TaskContent): FieldChange[] {
  return fields.flatMap((field) => {
    const [from, to] = [before[field], after[field]]
    if (field === 'inbox_status' || JSON.stringify(from) === JSON.stringify(to)) return []
    return [{ field, ...(hasValue(from) ? { from: shown(from) } : {}), ...(hasValue(to) ? { to: shown(to) } : {}) }]
  })
}

type Value = TaskContent[keyof TaskContent]

function hasValue(value: Value): value is NonNullable<Value> {
  return value !== null && shown(value).length > 0
}

function shown(value: NonNullable<Value>): string | string[] {
  if (typeof value === 'string') return cut(value, mostShown)
  return Array.isArray(value) ? value : shownExecution(value)
}

/** Empty if it is the default. */
function shownExecution({ mode, executor, instructions }: Execution): string[] {
  return [
    ...(mode === 'none' ? [] : [`mode: ${mode}`]),
    ...(executor === undefined ? [] : [`executor: ${executor}`]),
    ...(instructions ? [`instructions: ${cut(instructions, mostShown)}`] : []),
  ]
}
