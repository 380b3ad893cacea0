/**
 * The records that a brief is made from, with their ranking. Found by search (matching.ts) or in the store
 * (standing.ts).
 */
import type { Actor } from '../../../access/actor.ts'
import type { Reads } from '../../../operation.ts'
import { type Bodied, bodyOf, isBindingKind, type MemoryBody } from '../../../records/body.ts'
import { isUndated } from '../../../records/imported.ts'
import type { Presenting } from '../../../records/present/present.ts'
import type { RecordReader } from '../../../records/read/reader.ts'
import type { SeenRecord } from '../../../records/read/seen-record.ts'
import type { Envelope } from '../../../records/record.ts'
import { type EvidenceKind, freshnessOf } from '../../trust.ts'
import { isKept } from '../text/kept.ts'

export interface With {
  actor: Actor
  reads: Reads
  presenting: Presenting
}

export interface Item {
  record: Envelope
  kind: EvidenceKind
  /** The score of the search; null: no query, or search is unavailable. */
  match: number | null
  /** When it was said, decided or last confirmed, whichever is latest. */
  said_at: string
  /** Orders the items: the weighted sum of SEMANTICS 5. */
  rankScore: number
}

/** A constraint or a commitment, or what replaced one. */
export function binds({ kind }: Pick<Item, 'kind'>): boolean {
  return kind !== 'decision' && isBindingKind(kind)
}

export interface Found {
  /** In force, told in full. */
  decisions: Item[]
  /** Of these so many are told; one that may be outdated only if the others are too few. undefined: all are told. */
  mostDecisions?: number
  /** Decisions that matched and are not in force: proposed, rejected, deprecated. */
  others: Item[]
  memories: Item[]
  /** Told in one line each, best first. In force, or the title tells their status. */
  also: Item[]
  /** Constraints and commitments that match little or not at all, told in one line each. */
  binding: Item[]
  /** In force, told in one line each: they have words of what was found, rather than of the query. Best first. */
  related: Item[]
  /** In force: a newer statement among them may have outdated one that is told. */
  background: Pick<Item, 'kind' | 'record' | 'match'>[]
  /** Superseded records that were found. The brief shows the newest record of their chains instead. */
  replaced: Envelope[]
  /** More records in force. The brief names what they superseded. */
  superseding: Envelope[]
  relevance: 'matched' | 'weak' | 'none' | 'unscoped' | 'unknown'
  /** How many records in force the brief chose from. null: not counted. */
  chosenFrom: { readonly [kind in Counted]: Choice } | null
  /** Number of proposals found that wait for a judgment. */
  held: number
  /** The place of each hit of the search, by record id, from 0. Many of the best have the same match: 1. */
  places: ReadonlyMap<string, number>
  /** Tokens of the query. */
  terms: string[]
  /** Messages to the caller about unavailable engines. */
  failures: string[]
  /** Why nothing was searched for. */
  unsearched?: string
  /** true: the brief may soon be more complete, so it must not be cached. */
  passing: boolean
}

export const nothingFound: Omit<Found, 'relevance'> = {
  ...{ decisions: [], others: [], memories: [], also: [], binding: [], related: [] },
  ...{ background: [], replaced: [], superseding: [] },
  ...{ chosenFrom: null, held: 0, places: new Map(), terms: [], failures: [], passing: false },
}

/** Kinds for which a brief says how many it chose from. Corrections of facts count as facts. */
export type Counted = 'decision' | 'constraint' | 'commitment' | 'fact'

export interface Choice {
  count: number
  /** `count` is complete: there are no older records beyond those examined. */
  isAll: boolean
}

const significances: Record<string, number> = { strategic: 1, significant: 0.6, routine: 0.2 }
/** For a record without significance: between routine and significant. */
const unsaid = 0.4

/** Binding kinds rank before informative ones. */
const kindScores: { readonly [kind in EvidenceKind]: number } = {
  constraint: 1,
  commitment: 1,
  decision: 0.8,
  correction: 0.6,
  fact: 0.4,
  session_outcome: 0.2,
}

/** Their sum is 1 (SEMANTICS 5). */
const weights = { match: 0.6, significance: 0.2, freshness: 0.15, kind: 0.05 }

type Bodies = ReadonlyMap<string, Bodied>

export const rowIdsOf = (items: readonly { record: Pick<Envelope, 'id'> }[]) => items.map(({ record }) => record.id)

/** The same as itemsOf, for records that no search has scored. */
export function unscored(records: readonly Envelope[], reader: RecordReader): Promise<Item[]> {
  return itemsOf(
    records.map((record) => ({ record, score: null })),
    reader,
  )
}

/** Best first. */
export async function itemsOf(
  hits: readonly { record: Envelope; score: number | null }[],
  reader: RecordReader,
): Promise<Item[]> {
  const memories = hits.filter(({ record }) => record.kind === 'memory')
  const bodies = await reader.rows(rowIdsOf(memories), ['kind', 'body', 'mutable'])
  const replaced = await replacedKinds(memories, bodies, reader)
  return hits
    .map(({ record, score }) => {
      const { memory_kind = 'fact' } = bodyIn(bodies, record)
      const confirmed_at = bodies.get(record.id)?.mutable.confirmed_at
      const kind = record.kind === 'memory' ? (replaced.get(record.record_id) ?? memory_kind) : 'decision'
      return itemOf(record, kind, score, confirmed_at, reader.now)
    })
    .sort(byRankScore)
}

/**
 * What replaced a constraint or a commitment counts as that kind, also if it replaced another replacement. What says that a
 * promise was kept promises nothing.
 */
async function replacedKinds(
  memories: readonly { record: Envelope }[],
  bodies: Bodies,
  reader: RecordReader,
): Promise<Map<string, EvidenceKind>> {
  const replacing = memories.flatMap(({ record }) => {
    const { memory_kind = 'fact' } = bodyIn(bodies, record)
    return record.supersedes.length > 0 && !isBindingKind(memory_kind) ? record.record_id : []
  })
  const behind = await reader.behind(replacing)
  const older = [...behind.values()].flat().filter(({ kind }) => kind === 'memory')
  const ids = older.map(({ id }) => id)
  const said = await reader.rows(ids, ['kind', 'body'])
  const found = new Map(
    [...behind].flatMap(([id, chain]): [string, EvidenceKind][] => {
      const kinds = chain.map((record) => bodyIn(said, record).memory_kind)
      const binding = kinds.find(isBindingKind)
      return binding ? [[id, binding]] : []
    }),
  )
  const promises = memories.filter(({ record }) => found.get(record.record_id) === 'commitment')
  const texts = await reader.rows(rowIdsOf(promises), ['text'])
  for (const { record } of promises) if (isKept(texts.get(record.id)?.text ?? '')) found.delete(record.record_id)
  return found
}

function bodyIn(bodies: Bodies, { id }: Pick<Envelope, 'id'>): Partial<MemoryBody> {
  const row = bodies.get(id)
  return row ? bodyOf(row, 'memory') : {}
}

function itemOf(
  record: Envelope,
  kind: EvidenceKind,
  match: number | null,
  confirmedAt: string | undefined,
  now: string,
): Item {
  const said_at = confirmedAt !== undefined && confirmedAt > record.valid_from ? confirmedAt : record.valid_from
  const rankScore =
    weights.match * (match ?? 0) +
    weights.significance * (significances[record.significance ?? ''] ?? unsaid) +
    // an undated record seems to be as new as its import
    weights.freshness * (isUndated(record) ? 0 : freshnessOf({ kind, said_at }, now)) +
    weights.kind * kindScores[kind]
  return { record, kind, match, said_at, rankScore }
}

/** By rank score, then newest, then id: a total order. */
export function byRankScore(a: Item, b: Item): number {
  if (a.rankScore !== b.rankScore) return b.rankScore - a.rankScore
  if (a.said_at !== b.said_at) return a.said_at < b.said_at ? 1 : -1
  return a.record.record_id < b.record.record_id ? -1 : 1
}

/**
 * Counts proposals that wait for a judgment. A superseded or invalidated decision has none: its pending revision is
 * void.
 */
export function heldAmong(seen: Iterable<SeenRecord>): number {
  return [...seen].filter(
    ({ proposal, superseded_by, invalidated_at }) =>
      proposal !== undefined && superseded_by === null && invalidated_at === null,
  ).length
}
