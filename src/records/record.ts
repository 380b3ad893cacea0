/** A record (SEMANTICS 1) and its rows: one row for each record, of a decision one row for each revision. */
import type { Collection } from '../ports/documents.ts'
import { type Bodies, type MemoryKind, memoryKindOf, type QuestionBody, type RecordBody } from './body.ts'
import type { Audience, RecordId, WorkspaceId } from './ids.ts'

export type RecordKind = keyof Bodies
export type DecisionStatus = 'proposed' | 'accepted' | 'rejected' | 'deprecated'
/**
 * The array of a sync page that holds the record. none: not in the feed (questions, revisions that are not current).
 */
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

/** A record that supersedes this one. `superseded_by` is the successor with the earliest valid_from. */
export interface Successor {
  id: RecordId
  valid_from: string
  reason: string | null
}

/** A row as entries and the store hold it. Its kind determines the type of its body. */
export type PrecedentRecord = { [Kind in RecordKind]: RecordOf<Kind> }[RecordKind]
export type RecordOf<Kind extends RecordKind> = Fields & { kind: Kind; body: Bodies[Kind] }

interface Fields {
  /** The row id: the record's id, for a later revision `<id>~<revision>` (rowIdOf). */
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
  /** `accepted` for every record that is not a decision. */
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
  /** orderOfAcceptance of its receipt. It determines which revision is current (revisions.ts). */
  accepted: string
  /**
   * The kind of a memory, copied from its body so that the store can find memories by it. Only projection writes it;
   * entries lack it, so that older workers can read them. null: no memory, or an older memory that maintain has not
   * filled in yet.
   */
  memory_kind?: MemoryKind | null
}

/** Changes of a row. Changes of a question name its kind, so that projection need not read its row. */
export type ChangedFields = Partial<Omit<Fields, 'seq' | 'memory_kind'>> &
  ({ kind: 'question'; body?: QuestionBody } | { kind?: never; body?: RecordBody })

/** A row with changes applied. Changes never change its kind. */
export function changedRow<Row extends object>(row: Row, ...changes: readonly ChangedFields[]): Row {
  return Object.assign({ ...row }, ...changes)
}

/** A row as projection writes it. */
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
    // last: an engine that stores fields in order need not read past these large ones for the others
    body: 'json',
    text: 'string',
  },
  unique: [],
  indexes: [
    // by id; with the audience, so that a record which the caller can't see is never loaded
    ['workspace', 'record_id', 'audience', 'accepted'],
    // sync
    ['workspace', 'audience', 'feed', 'seq'],
    // newest in force and lists; the id orders rows of one instant
    ['workspace', 'audience', 'kind', 'valid_from', 'id'],
    // the newest memories of a kind, and those of a workspace whose kind is not filled in yet
    ['workspace', 'kind', 'memory_kind', 'audience', 'valid_from', 'id'],
    ['workspace', 'audience', 'content_hash'],
    ['workspace', 'audience', 'external_id', 'accepted'],
    // rebuild of the index, in the order of the journal
    ['workspace', 'seq'],
  ],
}

/**
 * All fields except memory_kind, which is only for queries. Older stores hold it behind the large text, so reading it
 * is slow.
 */
export const recordFields = Object.keys(records.fields).filter((field) => field !== 'memory_kind') as Exclude<
  keyof PrecedentRecord,
  'memory_kind'
>[]

/** Fields without text and body, for lists, sync and look-ups. */
export const envelopeFields = recordFields.filter((field) => field !== 'text' && field !== 'body') as Exclude<
  (typeof recordFields)[number],
  'text' | 'body'
>[]

export type Envelope = Omit<PrecedentRecord, 'text' | 'body' | 'memory_kind'>

/** Whether a record is in force at the instant t (SEMANTICS 1). */
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

/**
 * Whether valid_from is in the future, beyond a difference of clocks. Such a row is not found until then (SEMANTICS 3).
 */
export function isDatedAhead(row: Pick<Envelope, 'valid_from' | 'created_at'>, now: string): boolean {
  return row.valid_from > now && row.valid_from > row.created_at
}
