/** Successors that the row of a record has no room for: a row names only its earliest (deciding/supersession.ts). */
import type { Audience, RecordId, WorkspaceId } from '../ids.ts'
import type { Collection } from '../ports/documents.ts'

export interface Succession {
  /** `<successor>/<target>`. */
  id: string
  workspace: WorkspaceId
  /** The superseded record. */
  target: RecordId
  successor: RecordId
  /** Audience of the successor. */
  audience: Audience
  valid_from: string
  reason: string | null
  /** The number of the entry that wrote it last. It only increases. */
  entry: number
}

export const successions: Collection<Succession> = {
  name: 'successions',
  fields: {
    id: 'string',
    workspace: 'interned',
    target: 'string',
    successor: 'string',
    audience: 'interned',
    valid_from: 'instant',
    reason: 'string',
    entry: 'integer',
  },
  unique: [],
  indexes: [
    // the earliest that a caller sees
    ['workspace', 'target', 'audience', 'valid_from', 'entry', 'id'],
    ['workspace', 'successor'],
  ],
}

/** As an outcome proposes it: its entry does not exist yet. */
export type DraftSuccession = Omit<Succession, 'workspace' | 'entry'>

export function successionId(successor: RecordId, target: RecordId): string {
  return `${successor}/${target}`
}

export function successionOf({ target, successor, ...rest }: Omit<DraftSuccession, 'id'>): DraftSuccession {
  return { id: successionId(successor, target), target, successor, ...rest }
}
