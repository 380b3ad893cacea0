/** What happened to tasks: comments and changes. An outcome carries them, and projection inserts them once. */
import type { Audience, RecordId, WorkspaceId } from '../ids.ts'
import type { Collection } from '../ports/documents.ts'

export interface Activity {
  id: RecordId
  workspace: WorkspaceId
  /** That of the task. */
  audience: Audience
  task: RecordId
  type: 'comment' | 'change'
  at: string
  /** The user, or `key:<id>`. */
  by: string
  /** Of a comment. */
  text: string | null
  /** Of a change: the revision that it made, and what differs from the one before. */
  revision: number | null
  changes: FieldChange[] | null
  /** The number of the entry that made it: with the id it gives the order. */
  entry: number
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
    entry: 'integer',
  },
  unique: [],
  indexes: [['workspace', 'audience', 'task', 'type', 'entry', 'id']],
}
