/** A record: one thing that is kept (SEMANTICS 1). One row a record; of a decision one row a revision. */
import type { Collection } from '../ports/documents.ts'
import { type Bodies, type MemoryKind, memoryKindOf, type QuestionBody, type RecordBody } from './body.ts'
import type { Audience, RecordId, WorkspaceId } from './ids.ts'

export type RecordKind = keyof Bodies
export type DecisionStatus = 'proposed' | 'accepted' | 'rejected' | 'deprecated'
/** Where a sync reader finds it; none: not in the feed (questions, revisions that are not the current one). */
export type Feed = 'knowledge' | 'decisions' | 'work' | 'none'

export type Provenance =
  | { class: 'repo'; path: string }
  | { class: 'conversation' }
  | { class: 'meeting' }
  | { class: 'decision' }
  | { class: 'external' }

/** Source reference of the specification, as stored. */
export interface Source {
  type: string
  id?: string
  title?: string
  url?: string
  occurred_at?: string
  provenance: Provenance
}

export interface Entity {
  type: string
  id?: string
  name?: string
}

/** One of several that supersede the same record; `superseded_by` is the earliest of them by valid_from. */
export interface Successor {
  id: RecordId
  valid_from: string
  reason: string | null
}

/** A row, as entries and the store hold it: its kind says what its body is. */
export type PrecedentRecord = { [Kind in RecordKind]: RecordOf<Kind> }[RecordKind]
export type RecordOf<Kind extends RecordKind> = Fields & { kind: Kind; body: Bodies[Kind] }

interface Fields {
  /** The row: the record's id, and of a later revision `<id>~<revision>` (rowIdOf). */
  id: string
  workspace: WorkspaceId
  record_id: RecordId
  /** Sequence of the last change of this row. */
  seq: number
  revision: number
  audience: Audience
  feed: Feed
  title: string
  text: string
  /** accepted for everything that is not a decision. */
  status: DecisionStatus
  invalidated_at: string | null
  valid_from: string
  valid_to: string | null
  superseded_by: RecordId | null
  successors: Successor[]
  supersedes: RecordId[]
  sources: Source[]
  topics: string[]
  category: string | null
  significance: string | null
  surface: string | null
  entities: Entity[]
  confidence: number | null
  external_id: string | null
  content_hash: string
  created_at: string
  created_by: string
  updated_at: string
  /** By orderOfAcceptance of its receipt. Which revision is current: revisions.ts. */
  accepted: string
  /**
   * Of a memory, as its body says: the store finds those of a kind by it. Projection writes it, and entries are without it:
   * older workers know how to read them. null: no memory, or one of before it was kept that maintain has yet to fill in.
   */
  memory_kind?: MemoryKind | null
}

/** What changes in a row. The changes of a question name its kind, so that its row need not be read. */
export type ChangedFields = Partial<Omit<Fields, 'seq' | 'memory_kind'>> &
  ({ kind: 'question'; body?: QuestionBody } | { kind?: never; body?: RecordBody })

/** A row as changes leave it: they never make another kind of it. */
export function changedRow<Row extends object>(row: Row, ...changes: readonly ChangedFields[]): Row {
  return Object.assign({ ...row }, ...changes)
}

/** As projection writes it. */
export function storedRecord(record: PrecedentRecord): PrecedentRecord {
  return { ...record, memory_kind: record.kind === 'memory' ? memoryKindOf(record.body) : null }
}

export const records: Collection<PrecedentRecord> = {
  name: 'records',
  fields: {
    id: 'string',
    workspace: 'interned',
    record_id: 'string',
    kind: 'interned',
    seq: 'integer',
    revision: 'integer',
    audience: 'interned',
    feed: 'interned',
    title: 'string',
    status: 'interned',
    invalidated_at: 'instant',
    valid_from: 'instant',
    valid_to: 'instant',
    superseded_by: 'string',
    successors: 'json',
    supersedes: 'json',
    sources: 'json',
    topics: 'json',
    category: 'interned',
    significance: 'interned',
    surface: 'interned',
    entities: 'json',
    confidence: 'number',
    external_id: 'string',
    content_hash: 'string',
    created_at: 'instant',
    created_by: 'interned',
    updated_at: 'instant',
    accepted: 'string',
    memory_kind: 'interned',
    // last, so that an engine that stores rows in order reads past them only when they are asked for
    body: 'json',
    text: 'string',
  },
  unique: [],
  indexes: [
    // by id: with the audience, so that a record which the caller can't see is never loaded
    ['workspace', 'record_id', 'audience', 'accepted'],
    // sync
    ['workspace', 'audience', 'feed', 'seq'],
    // newest in force; lists: the id parts those of one instant
    ['workspace', 'audience', 'kind', 'valid_from', 'id'],
    // the newest memories of a kind; those of a workspace that have none yet
    ['workspace', 'kind', 'memory_kind', 'audience', 'valid_from', 'id'],
    ['workspace', 'audience', 'content_hash'],
    ['workspace', 'audience', 'external_id', 'accepted'],
    // rebuild of the index, in the order of the journal
    ['workspace', 'seq'],
  ],
}

/** All but what is only looked up: in a store that had no such field it stands behind the text. */
export const recordFields = Object.keys(records.fields).filter((field) => field !== 'memory_kind') as Exclude<
  keyof PrecedentRecord,
  'memory_kind'
>[]

/** Envelope fields without text and body: what lists, sync and look-ups read. */
export const envelopeFields = recordFields.filter((field) => field !== 'text' && field !== 'body') as Exclude<
  (typeof recordFields)[number],
  'text' | 'body'
>[]

export type Envelope = Omit<PrecedentRecord, 'text' | 'body' | 'memory_kind'>

/** Holds at the instant t (SEMANTICS 1). */
export function inForce(
  record: Pick<PrecedentRecord, 'status' | 'invalidated_at' | 'valid_from' | 'valid_to' | 'kind'>,
  t: string,
): boolean {
  return (
    (record.kind === 'memory' || record.kind === 'decision') &&
    record.status === 'accepted' &&
    record.invalidated_at === null &&
    record.valid_from <= t &&
    (record.valid_to === null || t < record.valid_to)
  )
}

/** valid_from in the future, and not only by the difference of two clocks: not found until its time (SEMANTICS 3). */
export function isDatedAhead(row: Pick<Envelope, 'valid_from' | 'created_at'>, now: string): boolean {
  return row.valid_from > now && row.valid_from > row.created_at
}
