/** The parents of tasks, as decide follows them up and down. An outcome carries each parent that it sets. */
import type { Audience, RecordId, WorkspaceId } from '../ids.ts'
import type { Collection } from '../ports/documents.ts'

export interface TaskParent {
  /** The task. */
  id: RecordId
  workspace: WorkspaceId
  /** That of the task. */
  audience: Audience
  /** '': it has no parent any more. */
  parent: RecordId | ''
  /** The number of the entry that changed it last. */
  entry: number
}

export const taskParents: Collection<TaskParent> = {
  name: 'task_parents',
  fields: { id: 'string', workspace: 'interned', audience: 'interned', parent: 'string', entry: 'integer' },
  unique: [],
  indexes: [['workspace', 'parent']],
}
