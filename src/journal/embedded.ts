/**
 * How far the vectors of a workspace have come: a checkpoint of its own, outside the way to applied. It names index and
 * space, so that a rebuilt index and another model begin at the start.
 */
import type { Collection, Documents } from '../ports/documents.ts'
import type { Audience, WorkspaceId } from '../records/ids.ts'
import { records } from '../records/record.ts'
import { modelOf } from '../text/space.ts'
import type { Checkpoint } from './entry.ts'

export interface Embedded {
  /** The workspace. */
  id: WorkspaceId
  /** Name of the index that the vectors are in. */
  live: string
  space: string
  /** Rows up to this sequence have their vectors. */
  sequence: number
  /** The worker whose turn it is, and until when, should it die. */
  holder: string
  held_until: string
}

export const embedded: Collection<Embedded> = {
  name: 'embedded',
  fields: {
    id: 'string',
    live: 'string',
    space: 'string',
    sequence: 'integer',
    holder: 'string',
    held_until: 'instant',
  },
  unique: [],
  indexes: [['id']],
}

/** Up to which sequence rows have their vectors, in this index and space. */
export function sequenceOf(
  known: Pick<Embedded, 'live' | 'space' | 'sequence'> | undefined,
  live: string,
  space: string,
): number {
  return known?.live === live && known.space === space ? known.sequence : 0
}

/** The same by the name of the model: all that is known of a space whose embedder was away since the start. */
export function sequenceOfModel(
  known: Pick<Embedded, 'live' | 'space' | 'sequence'> | undefined,
  live: string,
  model: string,
): number {
  return known?.live === live && modelOf(known.space) === model ? known.sequence : 0
}

/** Since when a record that the caller sees has had no vector; undefined: all have theirs. */
export async function lackingSince(
  documents: Documents,
  { id: workspace, live }: Pick<Checkpoint, 'id' | 'live'>,
  audiences: readonly Audience[],
  model: string,
): Promise<string | undefined> {
  const sequence = sequenceOfModel(await documents.get(embedded, workspace), live, model)
  const where = {
    workspace,
    audience: { in: audiences },
    feed: { in: ['knowledge', 'decisions', 'work'] },
    seq: { gt: sequence },
  }
  const [first] = await documents.find(records, { where, sort: [['seq', 'asc']], limit: 1, fields: ['updated_at'] })
  return first?.updated_at
}
