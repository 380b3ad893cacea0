/** A record (SEMANTICS 1) and its rows: one row for each record, of a decision one row for each revision. */

import type { Audience, RecordId, RecordKind, WorkspaceId } from '../ids.ts'
import type { Collection } from '../ports/documents.ts'
import {
  type Bodies,
  type MemoryKind,
  type Mutables,
  memoryKindOf,
  type OutcomeStatus,
  type QuestionBody,
} from './body.ts'
import type { Feed } from './kinds.ts'

export type DecisionStatus = 'proposed' | 'accepted' | 'rejected' | 'deprecated'
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

/** A row names its earliest successors only. The others are documents of their own (succession.ts). */
export const mostSuccessors = 50

/** A row as entries and the store hold it. Its kind determines the type of its body. */
export type PrecedentRecord = { [Kind in RecordKind]: RecordOf<Kind> }[RecordKind]
export type RecordOf<Kind extends RecordKind> = Fields & { kind: Kind; body: Bodies[Kind]; mutable: Mutables[Kind] }

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
  /** Of an outcome: that of its decision. `accepted` for every other record that is not a decision. */
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
  /**
   * Of a decision, in all its revisions: the status of its leading outcome, or none. Of an outcome: that of its decision.
   * null for every other record.
   */
  outcome_status: OutcomeStatus | 'none' | null
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
   * entries lack it. null: no memory.
   */
  memory_kind?: MemoryKind | null
}

/**
 * Changes of a row. It has no field for the title, the text or the body of a record, which never change: a change would
 * write them into the journal again. Only the texts of a task change. Changes of a question or a task name its kind, so
 * that projection need not read its mutable fields.
 */
export type ChangedFields = Partial<Pick<Fields, ChangingField>> &
  (ChangeOfQuestion | ChangeOfTask | ChangeOfRun | ChangeOfOther)

type ChangingField =
  | 'feed'
  | 'status'
  | 'invalidated_at'
  | 'valid_from'
  | 'valid_to'
  | 'superseded_by'
  | 'successors'
  | 'supersedes'
  | 'sources'
  | 'topics'
  | 'confidence'
  | 'category'
  | 'significance'
  | 'surface'
  | 'entities'
  | 'outcome_status'
  | 'updated_at'

type ChangeOfQuestion = { kind: 'question'; mutable: Mutables['question'] } & (Reworded | Partial<Unchanged>)
/** A question that is asked again. It quotes single claims of its records. */
type Reworded = Pick<Fields, 'title' | 'text' | 'created_at'> & { body: QuestionBody }

/** Of the texts only those that have changed: the description may be long. */
type ChangeOfTask = Pick<Fields, 'updated_at'> &
  Partial<Pick<Fields, 'title' | 'text' | 'revision'>> &
  Partial<Pick<Unchanged, 'body' | 'created_at'>> & { kind: 'task'; mutable: Mutables['task'] }

type ChangeOfRun = Pick<Fields, 'updated_at'> & Partial<Unchanged> & { kind: 'run'; mutable: Mutables['run'] }

type ChangeOfOther = Partial<Unchanged> & {
  kind?: never
  mutable?: Mutables[Exclude<RecordKind, 'question' | 'task' | 'run'>]
}
/** Named, because a spread object may have more fields than its type allows. */
type Unchanged = Record<'title' | 'text' | 'body' | 'created_at' | 'revision', never>

/**
 * A new row is stored whole. A change stores only the changed fields, never a text again. Each has its own sequence.
 */
export type RowChange =
  | { type: 'new'; row: PrecedentRecord }
  | { type: 'changed'; id: string; seq: number; set: ChangedFields & { seq?: number } }

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
    outcome_status: 'interned',
    confidence: 'number',
    external_id: 'string',
    content_hash: 'string',
    created_at: 'instant',
    created_by: 'interned',
    updated_at: 'instant',
    accepted: 'string',
    memory_kind: 'interned',
    mutable: 'json',
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
    // the newest decisions with an outcome
    ['workspace', 'audience', 'kind', 'outcome_status', 'valid_from', 'id'],
    // the newest memories of a kind
    ['workspace', 'kind', 'memory_kind', 'audience', 'valid_from', 'id'],
    ['workspace', 'audience', 'content_hash'],
    ['workspace', 'audience', 'kind', 'external_id', 'accepted'],
    // rebuild of the index, in the order of the journal
    ['workspace', 'seq'],
  ],
}

/** All fields except memory_kind, which is only for queries. */
export const recordFields = Object.keys(records.fields).filter((field) => field !== 'memory_kind') as Exclude<
  keyof PrecedentRecord,
  'memory_kind'
>[]

const largeFields = ['text', 'body', 'mutable'] as const
type LargeField = (typeof largeFields)[number]

export function isLarge(field: string): field is LargeField {
  return (largeFields as readonly string[]).includes(field)
}

/** Fields without those that may be large, for lists, sync and look-ups. */
export const envelopeFields = recordFields.filter((field) => !isLarge(field)) as Exclude<
  (typeof recordFields)[number],
  LargeField
>[]

export type Envelope = Omit<PrecedentRecord, LargeField | 'memory_kind'>
