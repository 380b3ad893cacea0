/** Users and teams that have records of their own in a workspace: a record for all is compared with theirs too. */
import type { Audience, WorkspaceId } from '../../ids.ts'
import type { Collection, Documents } from '../../ports/documents.ts'
import type { Envelope } from '../../records/record.ts'

interface ComparedAudience {
  /** `<workspace>/<audience>`. */
  id: string
  workspace: WorkspaceId
  audience: Audience
}

/** Written when a record of the audience is compared, never changed. */
export const comparedAudiences: Collection<ComparedAudience> = {
  name: 'compared_audiences',
  fields: { id: 'string', workspace: 'string', audience: 'string' },
  unique: [],
  indexes: [['workspace', 'audience']],
}

/** The most users and teams whose own rows are compared with a workspace row, besides other workspace rows. */
const mostAudiences = 50

/**
 * The users and teams that `rows` are compared with besides the workspace: those of earlier rows, and of `rows` themselves.
 * Of more than 50 those with the last ids.
 */
export async function audiencesBeside(
  documents: Documents,
  workspace: WorkspaceId,
  rows: readonly Pick<Envelope, 'audience'>[],
): Promise<Audience[]> {
  if (rows.length === 0) return []
  const own = [...new Set(rows.map(({ audience }) => audience))].filter((audience) => audience !== 'workspace')
  if (own.length > 0) {
    const added = own.map((audience) => ({ id: `${workspace}/${audience}`, workspace, audience }))
    await documents.insertMany(comparedAudiences, added)
  }
  const found = await documents.find(comparedAudiences, {
    where: { workspace },
    sort: [['audience', 'desc']],
    limit: mostAudiences,
    fields: ['audience'],
  })
  return found.map(({ audience }) => audience)
}
