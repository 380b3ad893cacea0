/**
 * A checkpoint of the vectors of each workspace. Receipts do not wait for it. It names the index and the space, so a
 * rebuilt index or another model starts from the beginning.
 */

import type { Audience, WorkspaceId } from '../ids.ts'
import type { Checkpoint } from '../journal/checkpoint.ts'
import { serving } from '../journal/shown-in.ts'
import type { Collection, Documents } from '../ports/documents.ts'
import type { SearchEngine } from '../ports/search.ts'
import { feeds } from '../records/kinds.ts'
import { records } from '../records/record.ts'
import { modelOf } from '../text/space.ts'

export interface Embedded {
  /** The workspace. */
  id: WorkspaceId
  /** The index that holds the vectors, with its version: another version starts without vectors. */
  live: string
  space: string
  /** Rows up to this sequence have vectors. */
  sequence: number
  /** The worker that holds the lease, and when the lease expires. */
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

/** The sequence up to which rows have vectors, in this index and space. */
export function sequenceOf(
  known: Pick<Embedded, 'live' | 'space' | 'sequence'> | undefined,
  live: string,
  space: string,
): number {
  return known?.live === live && known.space === space ? known.sequence : 0
}

/** Like the function above, by the model's name: the space is unknown until the embedder has answered once. */
export function sequenceOfModel(
  known: Pick<Embedded, 'live' | 'space' | 'sequence'> | undefined,
  live: string,
  model: string,
): number {
  return known?.live === live && modelOf(known.space) === model ? known.sequence : 0
}

/** Since when a record that the caller may see has lacked a vector; undefined: none lacks one. */
export async function lackingSince(
  documents: Documents,
  search: Pick<SearchEngine, 'version'>,
  checkpoint: Pick<Checkpoint, 'id' | 'live' | 'indexed' | 'shown_in'>,
  audiences: readonly Audience[],
  model: string,
): Promise<string | undefined> {
  const workspace = checkpoint.id
  const sequence = sequenceOfModel(await documents.get(embedded, workspace), serving(search, checkpoint), model)
  const where = {
    workspace,
    audience: { in: audiences },
    feed: { in: feeds },
    seq: { gt: sequence },
  }
  const [first] = await documents.find(records, { where, sort: [['seq', 'asc']], limit: 1, fields: ['updated_at'] })
  return first?.updated_at
}
