/** References to what changed since a cursor, and the next cursor (specification 4; PROTOCOL 5; SEMANTICS 5). */
import type { Actor } from '../access/actor.ts'
import { feedEpoch } from '../access/settings.ts'
import { checkpoints } from '../journal/entry.ts'
import { headOf } from '../journal/head.ts'
import { defineQuery, type Reads } from '../operation.ts'
import { invalid } from '../problem.ts'
import { type ChangeResponse, changesOf } from '../records/present-changes.ts'
import { type RecordReader, recordReader } from '../records/read.ts'
import { type Envelope, envelopeFields, type Feed, records } from '../records/record.ts'
import { audienceMark } from './cursor.ts'
import { type SyncInput, type SyncOutput, syncInput, syncOutput } from './schema.ts'

/** A place in the feed. Sequences; what is after `position` is yet to come. */
interface Place {
  /** The last sequence examined. */
  position: number
  /**
   * Where the pass may end: the position, as long as each page ended where the projection had wholly arrived when it
   * began. The first page that ended beyond that sets it, and there it stays for the rest of the pass.
   */
  safe: number
  /** A pass that was started anew: it may wait until the projection is beyond this sequence. */
  beyond: number | null
}

interface SyncCursor extends Place {
  workspace: string
  epoch: string
  audiences: string
}

const feeds: readonly Feed[] = ['knowledge', 'decisions', 'work']
/** How long a page may be held back until the projection moves, and how often it looks, in ms. */
const longestHold = 1_000
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
    // first: what is read afterwards holds at least everything up to it
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

/** undefined: it is ours, but of another feed or other audiences, or ahead of the journal: the reader starts over. */
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
  // never compared with the checkpoint: a page may well have ended beyond it
  const head = await headOf(reads.documents, actor.workspace)
  if (cursor.position > head.last_seq) return undefined
  return { position: cursor.position, safe: cursor.safe, beyond: cursor.beyond }
}

/** checkpoint.projected_seq; after `beyond` it is waited for, but not for long. */
async function projectedBeyond(beyond: number | null, { workspace }: Actor, reads: Reads): Promise<number> {
  for (let held = 0; ; held += lookEvery) {
    const checkpoint = await reads.documents.get(checkpoints, workspace, ['projected_seq'])
    const projected_seq = checkpoint?.projected_seq ?? 0
    if (beyond === null || projected_seq > beyond || held >= longestHold) return projected_seq
    await reads.clock.sleep(lookEvery)
  }
}

/** Visible rows of the feeds after a sequence, without an upper bound, in the order of their sequences. */
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
  // something between may have been projected after it was passed: once more from where nothing can have been
  return { next: { position: safe, safe, beyond: projected }, ended: false }
}

function grouped(rows: readonly Envelope[], shown: ChangeResponse[]): SyncOutput['changes'] {
  const changes: SyncOutput['changes'] = { knowledge: [], decisions: [], work: [] }
  rows.forEach((row, at) => {
    if (row.feed !== 'none') changes[row.feed].push(shown[at] as ChangeResponse)
  })
  return changes
}
