/**
 * Claims that were superseded while their record stays in force. Each search hit on such a record carries a conflict
 * that names the claim and its replacement (SEMANTICS 6).
 */

import { chunks } from '../../ports/chunks.ts'
import type { Documents } from '../../ports/documents.ts'
import type { AnyMutable } from '../body.ts'
import { type StoredClaim, supersededClaims } from '../projections/superseded-claims.ts'
import type { Envelope } from '../record.ts'
import { claimsIn, tellsClaim } from '../superseded-claims.ts'
import { cut } from '../title.ts'
import {
  type ConflictResponse,
  type Presenting,
  type SourceResponse,
  sourceOf,
  sourcesOfAll,
  titleWithStatus,
} from './present.ts'

const rowsAtOnce = 200
/** Code points shown of each claim. */
const longestClaim = 2000
/** Code points of a claim in the message of a conflict. */
const longestNamed = 500
const longestMessage = 2000

export interface ClaimResponse {
  claim: string
  /** The head of the chain of the record that superseded the claim. */
  by: SourceResponse
  since?: string
}

/** The superseded claims of one row for its answer, the one superseded last at the end. */
export async function claimResponsesOf(mutable: AnyMutable, presenting: Presenting): Promise<ClaimResponse[]> {
  const gone = claimsIn(mutable)
  const heads = await presenting.reader.heads(gone.map(({ by }) => by))
  const shown = gone.flatMap(({ claim, by, since }) => {
    const newer = heads.get(by)
    return newer ? [{ claim: cut(claim, longestClaim), newer, since }] : []
  })
  const sources = await sourcesOfAll(
    shown.map(({ newer }) => newer),
    presenting,
  )
  return shown.map(({ claim, since }, at) => ({
    claim,
    by: sources[at] as SourceResponse,
    ...(since === undefined ? {} : { since }),
  }))
}

/**
 * One conflict for each superseded claim of these records, with the head of its replacement's chain. `asOf`: only
 * replacements that had begun by then.
 */
export async function claimConflictsOf(
  records: readonly Envelope[],
  presenting: Presenting,
  documents: Documents,
  asOf?: string,
): Promise<ConflictResponse[]> {
  const { reader } = presenting
  const byRow = new Map(records.map((record) => [record.id, record]))
  const gone: StoredClaim[] = []
  for (const rows of chunks([...byRow.keys()], rowsAtOnce)) {
    const where = { workspace: reader.workspace, row: { in: rows } }
    gone.push(...(await documents.find(supersededClaims, { where, limit: rowsAtOnce, sort: [['id', 'asc']] })))
  }
  if (gone.length === 0) return []
  const had = ({ valid_from }: Envelope) => asOf === undefined || valid_from <= asOf
  const ids = gone.map(({ by }) => by)
  const heads = await reader.heads(ids, had)
  const direct = await reader.records(ids)
  const conflicts = gone.map(async ({ row, claim, by }): Promise<ConflictResponse[]> => {
    const [record, first, newer] = [byRow.get(row), direct.get(by), heads.get(by)]
    // a later record of the chain may be dated earlier; only the direct replacement's date counts
    if (!record || !first || !newer || !had(first)) return []
    const since = newer.valid_from.slice(0, 10)
    const named = `“${cut(claim, longestNamed)}”`
    const said = tellsClaim(record.title, claim) ? named : `${named} in “${titleWithStatus(record)}”`
    const message = cut(`${said} was superseded by “${titleWithStatus(newer)}” (${since}).`, longestMessage)
    const [source, superseded_by] = [await sourceOf(record, presenting), await sourceOf(newer, presenting)]
    return [{ source, superseded_by, message }]
  })
  return (await Promise.all(conflicts)).flat()
}
