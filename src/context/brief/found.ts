/**
 * What a brief is made from: records with what they are worth to it. Found by search (matching.ts) or in the store
 * (standing.ts).
 */

import { type Bodied, bodyOf, isBindingKind, type MemoryBody } from '../../records/body.ts'
import type { RecordReader, SeenRecord } from '../../records/read.ts'
import type { Envelope } from '../../records/record.ts'
import { type EvidenceKind, freshnessOf } from '../trust.ts'

export interface Item {
  record: Envelope
  kind: EvidenceKind
  /** As the scorer has it; null: there is no query, or search is away. */
  match: number | null
  /** The latest of when it was said, decided and confirmed. */
  said_at: string
  worth: number
}

export interface Found {
  /** In force. */
  decisions: Item[]
  /** Decisions that matched and are not in force: proposed, rejected, deprecated. */
  others: Item[]
  memories: Item[]
  /** Superseded records that were found; the head of their chain stands in their place. */
  replaced: Envelope[]
  /** Records in force of which it is told what they superseded, beside those that are told themselves. */
  superseding: Envelope[]
  relevance: 'matched' | 'weak' | 'none' | 'unscoped' | 'unknown'
  /** What is in force, of which some are told. null: not counted. */
  chosenFrom: { readonly [kind in Counted]: Choice } | null
  /** Proposals among all that was found, on which a judgment is waited for. */
  held: number
  /** Tokens of the query. */
  terms: string[]
  /** What is wrong, as callers are told. */
  failures: string[]
  /** It may be more in a moment: not to be handed out again. */
  passing: boolean
}

/** Kinds of which a brief says from how many it chose; corrections of facts are facts. */
export type Counted = 'decision' | 'constraint' | 'commitment' | 'fact'

export interface Choice {
  count: number
  /** There are no others, older than those that were looked at. */
  isAll: boolean
}

const significances: Record<string, number> = { strategic: 1, significant: 0.6, routine: 0.2 }
/** Nobody said: between routine and significant. */
const unsaid = 0.4

/** What binds comes before what is told. */
const kindWorth: { readonly [kind in EvidenceKind]: number } = {
  constraint: 1,
  commitment: 1,
  decision: 0.8,
  correction: 0.6,
  fact: 0.4,
  session_outcome: 0.2,
}

/** Together 1; in the order of SEMANTICS 5: match, significance, freshness, kind. */
const weights = { match: 0.6, significance: 0.2, freshness: 0.15, kind: 0.05 }

type Bodies = ReadonlyMap<string, Bodied>

/** Best first. */
export async function itemsOf(
  hits: readonly { record: Envelope; score: number | null }[],
  reader: RecordReader,
): Promise<Item[]> {
  const memories = hits.map(({ record }) => record).filter(({ kind }) => kind === 'memory')
  const bodies = await reader.rows(
    memories.map(({ id }) => id),
    ['kind', 'body'],
  )
  const corrected = await correctedKinds(memories, bodies, reader)
  return hits
    .map(({ record, score }) => {
      const { memory_kind = 'fact', confirmed_at } = bodyIn(bodies, record)
      const kind = record.kind === 'memory' ? (corrected.get(record.record_id) ?? memory_kind) : 'decision'
      return itemOf(record, kind, score, confirmed_at, reader.now)
    })
    .sort(byWorth)
}

/** A correction of a constraint or a commitment binds as that one did, over any number of corrections. */
async function correctedKinds(
  memories: readonly Envelope[],
  bodies: Bodies,
  reader: RecordReader,
): Promise<Map<string, EvidenceKind>> {
  const corrections = memories.filter((record) => bodyIn(bodies, record).memory_kind === 'correction')
  const behind = await reader.behind(corrections.map(({ record_id }) => record_id))
  const older = [...behind.values()].flat().filter(({ kind }) => kind === 'memory')
  const said = await reader.rows(
    older.map(({ id }) => id),
    ['kind', 'body'],
  )
  return new Map(
    [...behind].flatMap(([id, chain]): [string, EvidenceKind][] => {
      const kinds = chain.map((record) => bodyIn(said, record).memory_kind)
      const binding = kinds.find(isBindingKind)
      return binding ? [[id, binding]] : []
    }),
  )
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
  const worth =
    weights.match * (match ?? 0) +
    weights.significance * (significances[record.significance ?? ''] ?? unsaid) +
    weights.freshness * freshnessOf({ kind, said_at }, now) +
    weights.kind * kindWorth[kind]
  return { record, kind, match, said_at, worth }
}

/** Of equals the newest, then by id: a total order. */
export function byWorth(a: Item, b: Item): number {
  if (a.worth !== b.worth) return b.worth - a.worth
  if (a.said_at !== b.said_at) return a.said_at < b.said_at ? 1 : -1
  return a.record.record_id < b.record.record_id ? -1 : 1
}

/** A decision that gave way took what was proposed beside it with it. */
export function heldAmong(seen: Iterable<SeenRecord>): number {
  return [...seen].filter(
    ({ proposal, superseded_by, invalidated_at }) =>
      proposal !== undefined && superseded_by === null && invalidated_at === null,
  ).length
}
