/** How receipts are worded for people. */
import type { Receipt } from '../service/service.ts'

export const statesTold: Readonly<Record<Receipt['state'], string>> = {
  accepted: 'Accepted',
  processing: 'Processing',
  applied: 'Applied',
  failed: 'Failed',
  rejected: 'Rejected',
  expired: 'Expired',
}

/** Of writes that a key can make. Others, such as those of run workers, are shown by their names. */
export const operationsTold: Readonly<Record<string, string>> = {
  'context.remember': 'Remember',
  'context.resolve': 'Answer a question',
  'decision.record': 'Record a decision',
  'decision.import': 'Import a decision',
  'decision.supersede': 'Supersede a decision',
  'decision.outcome': 'Record an outcome',
  'task.create': 'Create a task',
  'task.update': 'Change a task',
  'task.comment': 'Comment on a task',
  'task.run': 'Run a task',
  'task.approve': 'Approve a run',
  'task.cancel': 'Cancel a run',
}

export function operationTold({ operation }: Pick<Receipt, 'operation'>): string {
  return Object.hasOwn(operationsTold, operation) ? (operationsTold[operation] as string) : operation
}

export function lookOf({ state }: Pick<Receipt, 'state'>): string {
  if (state === 'applied') return 'tag good'
  return state === 'accepted' || state === 'processing' ? 'tag' : 'tag alert'
}
