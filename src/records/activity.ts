/** What happened to tasks: comments, changes, and the states of their runs. An outcome carries them, and projection inserts them once. */
import type { Audience, RecordId, WorkspaceId } from '../ids.ts'
import type { Collection } from '../ports/documents.ts'
import type { RunPhase, RunState } from './run.ts'

export interface Activity {
  id: RecordId
  workspace: WorkspaceId
  /** That of the task. */
  audience: Audience
  task: RecordId
  type: 'comment' | 'change' | 'run'
  at: string
  /** The user, or `key:<id>`. */
  by: string
  /** Of a comment. Of a run: why, in words. */
  text: string | null
  /** Of a change: the revision that it made, and what differs from the one before. */
  revision: number | null
  changes: FieldChange[] | null
  /** Of a run: its new state, and the one before. */
  run: RunStep | null
  /** The number of the entry that made it: with the id it gives the order. */
  entry: number
}

export interface RunStep {
  id: RecordId
  number: number
  /** Absent: it was started. */
  from?: RunState
  state: RunState
  /** Tells the two meanings of `queued` apart. */
  phase: RunPhase
}

export interface FieldChange {
  field: string
  /** Absent: the field had no value. Long texts are cut. */
  from?: string | string[]
  to?: string | string[]
}

export const activities: Collection<Activity> = {
  name: 'activities',
  fields: {
    id: 'string',
    workspace: 'interned',
    audience: 'interned',
    task: 'string',
    type: 'interned',
    at: 'instant',
    by: 'interned',
    text: 'string',
    revision: 'integer',
    changes: 'json',
    run: 'json',
    entry: 'integer',
  },
  unique: [],
  indexes: [['workspace', 'audience', 'task', 'type', 'entry', 'id']],
}
