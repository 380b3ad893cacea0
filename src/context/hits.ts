/** Ranked hits: what context.search and decision.search share (SEMANTICS 3). */
import { checkpoints } from '../journal/entry.ts'
import type { Reads } from '../operation.ts'
import type { SearchFilter } from '../ports/search.ts'
import type { RecordId } from '../records/ids.ts'
import { supersededUntil } from '../records/planned.ts'
import type { RecordReader, SeenRecord } from '../records/read.ts'
import { type Envelope, envelopeFields, inForce, isDatedAhead, type RecordKind } from '../records/record.ts'
import { termsOf } from '../text/query.ts'
import { compareRanks, type Rank, rankOf, type Scored, score } from '../text/scorer.ts'
import { joined, nearTo } from './fusion.ts'

/** Where a page ended in the ranking, and which records the pages so far have shown: none is shown again. */
export interface RankPosition extends Rank {
  /** 6 bytes of each id, base64. */
  shown: string
  /** Nearness in meaning had its share in the ranking. */
  meant?: true
}

export interface Wanted {
  q: string
  filter: Omit<SearchFilter, 'workspace' | 'audiences' | 'as_of'>
  /** Only what was in force then, as it was then. */
  asOf?: string | undefined
  /** The least score; 0 where left out. */
  threshold?: number
  /**
   * What is shown in place of a superseded hit is the newest of its chain that is of this kind; of any, where left out.
   */
  headKind?: RecordKind
  /** Tells whether a record is shown that is not itself what was found: the head of a chain, a later revision. */
  accepts?(record: Envelope): boolean
  limit: number
  after: RankPosition | undefined
}

export interface Hit {
  record: Envelope
  score: number
}

export interface Hits {
  hits: Hit[]
  /** Records that were found, and in whose place the head of their chain is shown, on this page or one before. */
  replaced: SeenRecord[]
  /** Where the next page goes on; undefined: there is nothing more. */
  next: RankPosition | undefined
  /** The tokens asked for: none where the query has nothing but signs and stop words. */
  terms: string[]
  /** There is an embedder, and nearness in meaning was not to be had. */
  byWordsAlone: boolean
}

/** What the engine may propose for one query; also the bound of all its pages together. */
const mostCandidates = 200

/** Throws EngineUnavailable where the search engine is away. */
export async function rankedHits(wanted: Wanted, reader: RecordReader, reads: Reads): Promise<Hits> {
  const { terms, weights } = termsOf(wanted.q)
  const { ranked, meant, byWordsAlone } =
    terms.length === 0 ? nothing : await rank(wanted, terms, weights, reader, reads)
  const shown = shownBefore(wanted.after)
  const found: Hits = { hits: [], replaced: [], next: undefined, terms, byWordsAlone }
  let last: Scored | undefined
  const atOnce = Math.max(wanted.limit + 1, 20)
  for (let from = 0; from < ranked.length; from += atOnce) {
    const some = ranked.slice(from, from + atOnce)
    const records =
      wanted.asOf === undefined
        ? await current(some, wanted, reader)
        : await inForceAt(wanted.asOf, some, reader, reads)
    for (const scored of some) {
      const { head, replaced } = records.get(scored.candidate.id) ?? {}
      if (head && isAccepted(head, scored, wanted)) {
        const isNew = !shown.has(markOf(head.record_id))
        if (isNew && found.hits.length === wanted.limit) {
          return { ...found, next: positionOf(last as Scored, shown, meant) }
        }
        if (isNew) found.hits.push({ record: head, score: scored.score })
        if (replaced && !found.replaced.includes(replaced)) found.replaced.push(replaced)
        shown.add(markOf(head.record_id))
      }
      last = scored
    }
  }
  return found
}

interface Ranked {
  ranked: Scored[]
  /** Nearness in meaning had its share. */
  meant: boolean
  byWordsAlone: boolean
}

const nothing: Ranked = { ranked: [], meant: false, byWordsAlone: false }

async function rank(
  wanted: Wanted,
  terms: string[],
  weights: number[],
  reader: RecordReader,
  reads: Reads,
): Promise<Ranked> {
  const checkpoint = await reads.documents.get(checkpoints, reader.workspace, ['live'])
  // nothing was ever written
  if (!checkpoint) return nothing
  const filter: SearchFilter = {
    ...wanted.filter,
    workspace: reader.workspace,
    audiences: reader.audiences,
    ...(wanted.asOf === undefined ? {} : { as_of: wanted.asOf }),
  }
  const { after, threshold = 0 } = wanted
  const [found, near] = await Promise.all([
    reads.search.candidates(checkpoint.live, filter, terms, mostCandidates),
    // pages go on in the order in which they began: else a record might be on none
    after === undefined || after.meant ? nearTo(wanted.q, checkpoint.live, filter, terms, reads) : undefined,
  ])
  const ranked = score(joined(found, near), found.statistics, weights, near?.nearness).filter(
    (scored) => scored.score >= threshold && (after === undefined || compareRanks(rankOf(scored), after) > 0),
  )
  const meant = near !== undefined
  return { ranked, meant, byWordsAlone: reads.queryEmbedder !== undefined && !meant }
}

function positionOf(scored: Scored, shown: ReadonlySet<string>, meant: boolean): RankPosition {
  const marks = Buffer.concat([...shown].map((mark) => Buffer.from(mark, 'hex')))
  const position = { ...rankOf(scored), shown: marks.toString('base64') }
  return meant ? { ...position, meant } : position
}

function shownBefore(position: RankPosition | undefined): Set<string> {
  const marks = Buffer.from(position?.shown ?? '', 'base64').toString('hex')
  return new Set(marks.match(/.{12}/g) ?? [])
}

/** The end of a uuid, which is its random part; with at most 200 of them two never meet. */
function markOf(recordId: RecordId): string {
  return recordId.slice(-12)
}

interface Found {
  head: Envelope
  /** What was found itself, where it is superseded. */
  replaced?: SeenRecord
}

/** Now: the record's revision of now, or of what supersedes it the head. */
async function current(
  some: readonly Scored[],
  { headKind }: Wanted,
  reader: RecordReader,
): Promise<Map<string, Found>> {
  const ids = some.map(({ candidate }) => candidate.record_id as RecordId)
  const heads = await reader.heads(ids, ({ kind }) => headKind === undefined || kind === headKind)
  const records = await reader.records(ids)
  return new Map(
    some.flatMap(({ candidate }): [string, Found][] => {
      const record = records.get(candidate.record_id as RecordId)
      const head = heads.get(candidate.record_id as RecordId)
      if (!record || !head || !isFound(record, reader.now) || !isFound(head, reader.now)) return []
      return [[candidate.id, head.record_id === record.record_id ? { head } : { head, replaced: record }]]
    }),
  )
}

/** Invalidated ones are not found, nor what is dated ahead. */
function isFound(record: Envelope, now: string): boolean {
  return record.invalidated_at === null && !isDatedAhead(record, now)
}

/** Then: the very revision that the engine proposes, if it was in force, or will be. */
async function inForceAt(
  asOf: string,
  some: readonly Scored[],
  reader: RecordReader,
  { documents }: Reads,
): Promise<Map<string, Found>> {
  const rows = await reader.rows(
    some.map(({ candidate }) => candidate.id),
    envelopeFields,
  )
  const found = [...rows].filter(([, row]) => inForce(row, asOf))
  const records = found.map(([, row]) => row.record_id)
  const gone = await supersededUntil(asOf, records, reader, documents)
  return new Map(found.flatMap(([id, head]): [string, Found][] => (gone.has(head.record_id) ? [] : [[id, { head }]])))
}

function isAccepted(head: Envelope, { candidate }: Scored, { accepts }: Wanted): boolean {
  return head.id === candidate.id || accepts === undefined || accepts(head)
}
