/** A task: its content, and the keys by which lists and searches find it. */
import type { AnyMutable, Execution, TaskMutable } from './body.ts'
import { exactHash } from './content-hash.ts'
import type { RecordOf } from './record.ts'
import { taskPriorities } from './task-values.ts'

/** Everything of a task that a caller can change. */
export interface TaskContent extends Omit<TaskMutable, keyof AnyMutable | 'run' | 'status_by'> {
  name: string
  /** Empty: none. */
  description: string
  execution: Execution
}

/** The filters of lists, which are also the tags of a task in the search index. */
export type TaskFilter =
  | 'status'
  | 'priority'
  | 'assignee'
  | 'project'
  | 'label'
  | 'parent_id'
  | 'inbox_status'
  | 'run_state'

/** The value of run_state of a task that never ran. */
export const neverRan = 'none'

/** Every task has it. */
export const anyTask = 'all'

/** The most keys of a task: of 20 assignees, 30 labels, and one for each other filter. */
export const mostTaskKeys = 57

/** Names are hashed: some are too long for the key of an index. */
export function taskKey(filter: TaskFilter, value: string): string {
  const isName = filter === 'assignee' || filter === 'project' || filter === 'label'
  return `${filter}:${isName ? exactHash(value) : value}`
}

export function taskKeysOf(task: TaskMutable): string[] {
  return [
    anyTask,
    taskKey('status', task.status),
    taskKey('priority', task.priority),
    taskKey('inbox_status', task.inbox_status),
    taskKey('run_state', task.run?.state ?? neverRan),
    ...task.assignees.map((one) => taskKey('assignee', one)),
    ...task.labels.map((one) => taskKey('label', one)),
    ...(task.project === null ? [] : [taskKey('project', task.project)]),
    ...(task.parent_id === null ? [] : [taskKey('parent_id', task.parent_id)]),
  ]
}

/** How a task is run. One that says nothing is not run by itself. */
export function executionOf({ execution }: { execution?: Execution | undefined }): Execution {
  return execution ?? { mode: 'none' }
}

/** Orders tasks by the soonest instant at which they are due. Undated ones come last. */
export function dueRank(due_at: string | null): number {
  return due_at === null ? Number.MAX_SAFE_INTEGER : Date.parse(due_at)
}

/** Orders tasks by the most urgent. */
export function priorityRank(priority: TaskMutable['priority']): number {
  return taskPriorities.indexOf(priority)
}

export function contentOf({ title, text, mutable }: Pick<RecordOf<'task'>, 'title' | 'text' | 'mutable'>): TaskContent {
  const { run: _, status_by: __, execution, ...content } = mutable
  return { name: title, description: text, ...content, execution: executionOf({ execution }) }
}
