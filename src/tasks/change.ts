/** Changes a task: by PATCH, or by posting its external_id again. */
import assert from 'node:assert/strict'
import type { DecideContext } from '../deciding/context.ts'
import { type NewRow, type Outcome, outcomeAbout } from '../deciding/outcome.ts'
import { wholeOf } from '../deciding/state-at-head.ts'
import type { FieldChange } from '../records/activity.ts'
import type { TaskMutable } from '../records/body.ts'
import type { Draft } from '../records/entry-documents.ts'
import type { EnvelopeOf } from '../records/read/visible.ts'
import type { RecordOf } from '../records/record.ts'
import { hasEnded } from '../records/run.ts'
import { contentOf, type TaskContent } from '../records/task.ts'
import { runAtHead } from '../runs/deciding/newest.ts'
import { movedRun } from '../runs/deciding/transition.ts'
import { changedContent, changesBetween, type Given, mutableOf } from './content.ts'
import { checkNamed, checkPlace } from './place.ts'

type Context = Pick<DecideContext<unknown>, 'state' | 'actor' | 'visible' | 'at' | 'newId' | 'runRules'>

/** Returns an outcome without changes if everything that is given is so already. */
export async function changeTask(context: Context, task: EnvelopeOf<'task'>, given: Given): Promise<Outcome> {
  const { state, actor, at } = context
  const whole = await wholeOf(state, task)
  assert(whole.kind === 'task', 'a record keeps its kind')
  const before = contentOf(whole)
  const after = changedContent(before, given, actor.user)
  const changes = changesBetween(before, after)
  if (changes.length === 0 && after.inbox_status === before.inbox_status) return outcomeAbout(task)
  await checkNamed(after, task.audience, context.visible, before)
  const isMoved = after.parent_id !== before.parent_id
  if (isMoved && after.parent_id !== null) await checkPlace(after.parent_id, task.record_id, actor.audiences, state)
  const revision = task.revision + (changes.length > 0 ? 1 : 0)
  const isNewStatus = after.status !== before.status
  const cancelled = isNewStatus && after.status === 'cancelled' ? await cancelRunOf(context, whole) : undefined
  const set = {
    kind: 'task' as const,
    mutable: {
      ...(isNewStatus ? withoutStatusBy(whole.mutable) : whole.mutable),
      ...mutableOf(after),
      ...cancelled?.task,
    },
    updated_at: at,
    ...(changes.length > 0 ? { revision } : {}),
    ...(after.name === before.name ? {} : { title: after.name }),
    ...(after.description === before.description ? {} : { text: after.description }),
  }
  return outcomeAbout(
    { ...task, title: after.name },
    {
      changed: [{ id: task.id, set }, ...(cancelled?.changed ?? [])],
      documents: {
        ...cancelled?.documents,
        ...(changes.length > 0
          ? { activities: [changeOf(context, task, revision, changes), ...(cancelled?.documents.activities ?? [])] }
          : {}),
        ...(isMoved ? { task_parents: [placeOf(task, after)] } : {}),
      },
    },
  )
}

/** Forgets which run has set the status, so that runs leave the status as the caller has set it. */
function withoutStatusBy({ status_by: _, ...mutable }: TaskMutable): TaskMutable {
  return mutable
}

/** undefined: it has no run that could be cancelled. */
async function cancelRunOf(context: Context, { mutable: { run } }: RecordOf<'task'>) {
  if (run === undefined || hasEnded(run.state)) return undefined
  const why = 'The task was cancelled.'
  const moved = await movedRun(context, await runAtHead(context.state, run.id), { set: { state: 'cancelled' }, why })
  const task: Pick<TaskMutable, 'run'> = { run: { ...run, state: moved.mutable.state } }
  return { task, changed: [moved.changed], documents: moved.documents }
}

type Task = Pick<NewRow, 'record_id' | 'audience'>

/** The parent of a task, as projection stores it. */
export function placeOf({ record_id, audience }: Task, { parent_id }: TaskContent): Draft<'task_parents'> {
  return { id: record_id, audience, parent: parent_id ?? '' }
}

function changeOf(
  { at, actor, newId }: Context,
  { record_id, audience }: Task,
  revision: number,
  changes: FieldChange[],
): Draft<'activities'> {
  const by = actor.user
  return { id: newId(), audience, task: record_id, type: 'change', at, by, text: null, revision, changes, run: null }
}
