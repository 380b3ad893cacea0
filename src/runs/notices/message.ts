/** What a receiver is told of a run. docs/runs.md describes it. */
import type { NoticeMessage } from '../../ports/notifier.ts'
import { pathOf } from '../../records/kinds.ts'
import type { RecordOf } from '../../records/record.ts'
import type { Notice } from '../stored/notice.ts'

export type NoticedRun = Pick<RecordOf<'run'>, 'record_id' | 'workspace' | 'audience' | 'title' | 'body'>

/**
 * The receiver belongs to the operator, not to those who see the task. So it gets ids, and the name only of a task that
 * the whole workspace sees.
 */
export function messageOf({ id, type, at }: Notice, run: NoticedRun, publicUrl: string): NoticeMessage {
  const taskUrl = `${publicUrl}${pathOf('task', run.body.task)}`
  const data = {
    workspace_id: run.workspace,
    run_id: run.record_id,
    run_number: run.body.number,
    run_url: `${taskUrl}/run`,
    task_id: run.body.task,
    task_url: taskUrl,
    ...(run.audience === 'workspace' ? { task_name: run.title } : {}),
    state: type,
    at,
  }
  return { id, body: JSON.stringify({ type: `run.${type}`, data }) }
}
