/** Decisions that say from when until when they hold, such as a freeze: while it lasts and shortly before, everybody must know. */
import type { Reads } from '../../../operation.ts'
import { bodyOf } from '../../../records/body.ts'
import { inForce } from '../../../records/in-force.ts'
import type { RecordReader } from '../../../records/read/reader.ts'
import type { SeenRecord } from '../../../records/read/seen-record.ts'
import type { Envelope } from '../../../records/record.ts'
import { lastsOrBeginsSoon, periodIn } from '../text/due.ts'
import { type Item, unscored } from './found.ts'
import { newest } from './newest.ts'

/** The newest decisions that are read: a period is announced shortly before it begins. */
const mostRead = 30
const mostTold = 5
/** ms: older decisions are not read. */
const longestAgo = 200 * 86_400_000

/** `but`: ids of records to leave out. */
export async function currentDecisions(but: ReadonlySet<string>, reader: RecordReader, reads: Reads): Promise<Item[]> {
  const rows = await newest({ kind: 'decision' }, mostRead, reader, reads)
  const current = (await currentAmong(rows, reader)).filter((row) => !but.has(row.record_id))
  return unscored(current.slice(0, mostTold), reader)
}

/** `rows`: newest first; only the first ones are read. Returns those whose period includes today or begins within a month. */
export async function currentAmong(rows: readonly Envelope[], reader: RecordReader): Promise<SeenRecord[]> {
  const since = new Date(Date.parse(reader.now) - longestAgo).toISOString()
  const recent = rows.slice(0, mostRead).filter((row) => row.valid_from > since)
  const records = await reader.records(recent.map((row) => row.record_id))
  const holding = [...records.values()].filter((row) => inForce(row, reader.now))
  const ids = holding.map(({ id }) => id)
  const bodies = await reader.rows(ids, ['kind', 'body'])
  return holding.filter(({ id }) => {
    const row = bodies.get(id)
    const period = row && periodIn(bodyOf(row, 'decision').judgment)
    return period !== undefined && lastsOrBeginsSoon(period, reader.now)
  })
}
