/** context.sync: what changed since a cursor, and the next cursor (specification 4; PROTOCOL 5; SEMANTICS 5). */

import type { Actor } from '../access/actor.ts'
import { audienceMark } from '../access/bound-cursor.ts'
import { feedEpoch } from '../access/settings.ts'
import { checkpoints } from '../journal/checkpoint.ts'
import { headOf } from '../journal/head.ts'
import { defineQuery, type Reads } from '../operation.ts'
import { invalid } from '../problem.ts'
import { feeds } from '../records/kinds.ts'
import { type ChangeResponse, changesOf } from '../records/present/changes.ts'
import { type RecordReader, recordReader } from '../records/read/reader.ts'
import { type Envelope, envelopeFields, records } from '../records/record.ts'
import { type SyncInput, type SyncOutput, syncInput, syncOutput } from './schema.ts'

/** A place in the feed, in sequences. The next page begins after `position`. */
interface Place {
  /** The last sequence examined. */
  position: number
  /**
   * The sequence up to which this pass can have missed no row. It equals `position` until a page ends beyond the
   * projected sequence; then it stays at that sequence for the rest of the pass.
   */
  safe: number
  /** Set if the pass is repeated: the page waits until the projection is beyond this sequence. */
  beyond: number | null
}

interface SyncCursor extends Place {
  workspace: string
  epoch: string
  audiences: string
}

/** ms that a page waits for the projection. */
const longestHold = 1_000
/** ms between two looks at the checkpoint. */
const lookEvery = 25

export const syncContext = defineQuery<SyncInput, SyncOutput>({
  name: 'context.sync',
  scope: 'context:read',
  summary: 'What changed since a cursor, and the next cursor for another agent or session.',
  input: syncInput,
  output: syncOutput,

  async run({ input, actor, reads }) {
    const epoch = await feedEpoch(reads.documents, () => reads.clock.id())
    const bound = { workspace: actor.workspace, epoch, audiences: audienceMark(actor) }
    const from = input.cursor === undefined ? undefined : await placeOf(input.cursor, bound, actor, reads)
    const place = from ?? { position: 0, safe: 0, beyond: null }
    // read first: later reads contain at least everything up to this sequence
    const projected = await projectedBeyond(place.beyond, actor, reads)
    const reader = recordReader(reads.documents, actor, reads.clock)
    const rows = await rowsAfter(place.position, input.limit + 1, reader, reads)
    const page = rows.slice(0, input.limit)
    const { next, ended } = placeAfter(place, page.at(-1)?.seq, projected, rows.length > page.length)
    const changes = await changesOf(page, { reader, publicUrl: reads.publicUrl })
    return {
      cursor: reads.cursors.seal('sync', { ...bound, ...next } satisfies SyncCursor),
      has_more: !ended,
      generated_at: reader.now,
      changes: grouped(page, changes),
      ...(input.cursor !== undefined && from === undefined ? { reset_required: true } : {}),
    }
  },
})

/** undefined: the epoch or the audiences differ, or the cursor is ahead of the journal; the reader must start over. */
async function placeOf(
  sealed: string,
  bound: Omit<SyncCursor, keyof Place>,
  actor: Actor,
  reads: Reads,
): Promise<Place | undefined> {
  const cursor = reads.cursors.open('sync', sealed) as SyncCursor | undefined
  if (cursor?.workspace !== bound.workspace) {
    throw invalid('cursor', 'is not one that sync returned in this workspace: send the last one unchanged, or none')
  }
  if (cursor.epoch !== bound.epoch || cursor.audiences !== bound.audiences) return undefined
  // compare with the head, not with the checkpoint: a page may end beyond the checkpoint
  const head = await headOf(reads.documents, actor.workspace)
  if (cursor.position > head.last_seq) return undefined
  return { position: cursor.position, safe: cursor.safe, beyond: cursor.beyond }
}

/** checkpoint.projected_seq. Waits up to `longestHold` until it is greater than `beyond`. */
async function projectedBeyond(beyond: number | null, { workspace }: Actor, reads: Reads): Promise<number> {
  for (let held = 0; ; held += lookEvery) {
    const checkpoint = await reads.documents.get(checkpoints, workspace, ['projected_seq'])
    const projected_seq = checkpoint?.projected_seq ?? 0
    if (beyond === null || projected_seq > beyond || held >= longestHold) return projected_seq
    await reads.clock.sleep(lookEvery)
  }
}

/** Visible rows of the feeds after a sequence, in the order of sequences. Has no upper bound. */
async function rowsAfter(position: number, limit: number, reader: RecordReader, reads: Reads): Promise<Envelope[]> {
  return reads.documents.find(records, {
    where: {
      workspace: reader.workspace,
      audience: { in: reader.audiences },
      feed: { in: feeds },
      seq: { gt: position },
    },
    sort: [['seq', 'asc']],
    limit,
    fields: envelopeFields,
  })
}

function placeAfter(
  place: Place,
  lastSeq: number | undefined,
  projected: number,
  more: boolean,
): { next: Place; ended: boolean } {
  const position = lastSeq ?? place.position
  const clean = place.safe === place.position
  const safe = clean ? Math.min(position, projected) : place.safe
  if (more) return { next: { position, safe, beyond: null }, ended: false }
  if (safe === position) return { next: { position, safe, beyond: null }, ended: true }
  // rows after `safe` may have been projected after this pass went by: repeat the pass from there
  return { next: { position: safe, safe, beyond: projected }, ended: false }
}

function grouped(rows: readonly Envelope[], shown: ChangeResponse[]): SyncOutput['changes'] {
  const changes: SyncOutput['changes'] = { knowledge: [], decisions: [], work: [] }
  rows.forEach((row, at) => {
    if (row.feed !== 'none') changes[row.feed].push(shown[at] as ChangeResponse)
  })
  return changes
}
