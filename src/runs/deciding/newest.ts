/** Finds runs: by id for internal operations, and the newest run of a task for calls. */
import assert from 'node:assert/strict'
import { type StateAtHead, wholeOf } from '../../deciding/state-at-head.ts'
import type { RecordId } from '../../ids.ts'
import type { CheckContext } from '../../operation.ts'
import { problem } from '../../problem.ts'
import type { TaskMutable } from '../../records/body.ts'
import { noSuch, type Visible } from '../../records/read/visible.ts'
import { type RecordOf, records } from '../../records/record.ts'
import type { Run } from './transition.ts'

/** Throws not_found. */
export async function runAtHead(state: StateAtHead, id: string): Promise<Run> {
  const found = await state.record(id as RecordId)
  const whole = found && (await wholeOf(state, found))
  if (whole?.kind !== 'run') throw noSuch('run')
  return whole
}

/** A task that the actor sees, at head. Throws not_found. */
export async function taskAtHead(
  { visible, state }: { visible: Visible; state: StateAtHead },
  id: string,
): Promise<RecordOf<'task'>> {
  const whole = await wholeOf(state, await visible(id, 'task', 'id'))
  assert(whole.kind === 'task', 'a record keeps its kind')
  return whole
}

/** The newest run of a task that the actor sees, at head. Throws not_found. */
export async function newestRun(context: { visible: Visible; state: StateAtHead }, task: string): Promise<Run> {
  const { mutable } = await taskAtHead(context, task)
  return runAtHead(context.state, runOf(mutable))
}

/** What a task that the caller sees stores besides its envelope. Throws not_found. */
export async function storedTask(
  { documents, visible }: Pick<CheckContext<unknown>, 'documents' | 'visible'>,
  id: string,
): Promise<TaskMutable> {
  const task = await visible(id, 'task', 'id')
  const row = await documents.get(records, task.id, ['kind', 'mutable'])
  assert(row?.kind === 'task', 'rows are never deleted, and a record keeps its kind')
  return row.mutable
}

/** The newest run of a task that the caller sees, as stored. Throws not_found. */
export async function storedRun(
  context: Pick<CheckContext<unknown>, 'documents' | 'visible'>,
  task: string,
): Promise<Pick<Run, 'body' | 'mutable'>> {
  const row = await context.documents.get(records, runOf(await storedTask(context, task)), ['kind', 'body', 'mutable'])
  assert(row?.kind === 'run', 'a run is stored before its task names it')
  return row
}

function runOf({ run }: TaskMutable): RecordId {
  if (run === undefined) throw problem('not_found', 'This task has never been run.')
  return run.id
}
