/** Claims of a record that were superseded while the rest of it holds, with what corrects them. */
import type { SupersededClaim } from '../../../records/body.ts'
import type { RecordReader } from '../../../records/read/reader.ts'
import type { SeenRecord } from '../../../records/read/seen-record.ts'

export interface Correction {
  /** Verbatim. */
  claim: string
  /** The newest record of its chain. */
  by: SeenRecord
  /** The text of that record. */
  text: string
}

/** Corrections told of one record, the newest. */
const mostOfOne = 5

/** By row id. Leaves out corrections that the caller doesn't see. */
export async function correctionsOf(
  rows: readonly (readonly [row: string, claims: readonly SupersededClaim[]])[],
  reader: RecordReader,
): Promise<Map<string, Correction[]>> {
  const heads = await reader.heads(rows.flatMap(([, claims]) => claims.map(({ by }) => by)))
  const ids = [...heads.values()].map(({ id }) => id)
  const texts = await reader.rows(ids, ['text'])
  return new Map(
    rows.flatMap(([row, claims]): [string, Correction[]][] => {
      const found = claims.slice(-mostOfOne).flatMap(({ claim, by }) => {
        const head = heads.get(by)
        return head ? [{ claim, by: head, text: texts.get(head.id)?.text ?? head.title }] : []
      })
      return found.length === 0 ? [] : [[row, found]]
    }),
  )
}
