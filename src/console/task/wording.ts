/** How tasks and their runs are worded for people. */
import type { ListedTask, Run } from '../service/service.ts'

export const statusesTold: Readonly<Record<ListedTask['status'], string>> = {
  todo: 'To do',
  in_progress: 'In progress',
  blocked: 'Blocked',
  done: 'Done',
  cancelled: 'Cancelled',
}

export const prioritiesTold: Readonly<Record<ListedTask['priority'], string>> = {
  urgent: 'Urgent',
  high: 'High',
  medium: 'Medium',
  low: 'Low',
  none: 'None',
}

export const runStatesTold: Readonly<Record<Run['state'], string>> = {
  queued: 'Waits for a worker',
  planning: 'Makes a plan',
  awaiting_approval: 'Waits for approval',
  running: 'Runs',
  succeeded: 'Succeeded',
  failed: 'Failed',
  cancelled: 'Cancelled',
  expired: 'Expired: nobody approved it in time',
}

const ended: ReadonlySet<Run['state']> = new Set(['succeeded', 'failed', 'cancelled', 'expired'])

export function hasEnded({ state }: Pick<Run, 'state'>): boolean {
  return ended.has(state)
}

/** It should have been done by now. */
export function isLate(task: Pick<ListedTask, 'due_at' | 'status'>): boolean {
  return task.due_at !== undefined && !isClosed(task) && Date.parse(task.due_at) < Date.now()
}

/** Nobody works on it any more, so it can't be run. */
export function isClosed({ status }: Pick<ListedTask, 'status'>): boolean {
  return status === 'done' || status === 'cancelled'
}
