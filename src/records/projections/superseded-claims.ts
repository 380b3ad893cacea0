/** Index of superseded claims by row, so that search finds the claims of all its hits in one query (SEMANTICS 6). */
import type { RecordId, WorkspaceId } from '../../ids.ts'
import type { Collection } from '../../ports/documents.ts'
import { claimsIn } from '../superseded-claims.ts'
import { defineProjection } from './projection.ts'

export interface StoredClaim {
  /** `<row>/<by>` */
  id: string
  workspace: WorkspaceId
  /** The id of a row, not of a record: another revision may not contain the claim. */
  row: string
  claim: string
  by: RecordId
}

export const supersededClaims: Collection<StoredClaim> = {
  name: 'superseded_claims',
  fields: { id: 'string', workspace: 'string', row: 'string', claim: 'string', by: 'string' },
  unique: [],
  indexes: [['workspace', 'row', 'id']],
}

/** Superseded claims are only ever added, so projecting twice has the same result. */
export const projectClaims = defineProjection({
  writes: [supersededClaims],
  write(writes, { workspace, records: changes }) {
    const gone = changes.flatMap((change): StoredClaim[] => {
      if (change.type !== 'changed') return []
      return claimsIn(change.set.mutable ?? {}).map(({ claim, by }) => {
        return { id: `${change.id}/${by}`, workspace, row: change.id, claim, by }
      })
    })
    const once = new Map(gone.map((one) => [one.id, one]))
    if (once.size > 0) writes.insertMany(supersededClaims, [...once.values()])
  },
})
