/** Index of superseded claims by row, so that search finds the claims of all its hits in one query (SEMANTICS 6). */
import type { RecordId, WorkspaceId } from '../../ids.ts'
import type { Collection } from '../../ports/documents.ts'
import { exactHash } from '../content-hash.ts'
import { claimsIn } from '../superseded-claims.ts'
import { defineProjection } from './projection.ts'

export interface StoredClaim {
  /** `<row>/<by>/<hash of the claim>` */
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
      // a new revision has those of the revision before it
      const [row, mutable] =
        change.type === 'new' ? [change.row.id, change.row.mutable] : [change.id, change.set.mutable]
      return claimsIn(mutable ?? {}).map(({ claim, by }) => {
        return { id: `${row}/${by}/${exactHash(claim)}`, workspace, row, claim, by }
      })
    })
    const once = new Map(gone.map((one) => [one.id, one]))
    if (once.size > 0) writes.insertMany(supersededClaims, [...once.values()])
  },
})
