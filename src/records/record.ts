/** A record: one thing that is kept (SEMANTICS 1). One row a record; of a decision one row a revision. */
import assert from 'node:assert/strict'
import type { Collection } from '../ports/documents.ts'
import type { Audience, RecordId, WorkspaceId } from './ids.ts'

export type RecordKind = 'memory' | 'decision' | 'question' | 'task'
export type MemoryKind = 'fact' | 'constraint' | 'commitment' | 'correction' | 'session_outcome'
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

/** What may be said of any record once it is there. */
export interface AnyBody {
  /** When it was last said again (repeats; resolve: confirm). */
  confirmed_at?: string
  /** Claims of it that were superseded while it stays in force: at most 50, the newest. */
  superseded_claims?: SupersededClaim[]
}

export interface SupersededClaim {
  /** Verbatim, of that row's text. */
  claim: string
  by: RecordId
}

export interface MemoryBody extends AnyBody {
  memory_kind: MemoryKind
  /** The memory that this one corrects. */
  corrects?: RecordId
}

export interface DecisionBody extends AnyBody {
  judgment: string
  /** As given: one text, or its parts. */
  context: string | DecisionContext | null
  rationale: string | null
  consequences: string | null
  decided_by: string[]
  supersession_reason: string | null
  /** `supersedes` as it was sent; left out: it names none. */
  names?: string[]
  /** A person rejected the proposal: what it, and those before it, were to supersede is let go. */
  dismissed?: true
  /** Targets named in `supersedes` that have no effect, and why. */
  void_links: { target: string; reason: 'narrower_audience' | 'would_cycle' }[]
}

export interface DecisionContext {
  summary?: string
  constraints?: string[]
  alternatives?: { title: string; why_not?: string }[]
  assumptions?: string[]
}

export interface QuestionBody extends AnyBody {
  question_id: string
  reason: Reason
  /** The first is the one whose claim is shown: of a contradiction the newer. */
  about: About[]
  claim: string
  priority: Priority
  confidence: number
  score: number
  /** The record, or the entity, that it is about, and words by which it is found. */
  subject: { kind: string; query?: string; entity_kind?: string; id?: string }
  /** null: nobody answered it. It may be closed all the same, because its records are no longer in force. */
  answer: Answer | null
  /** Of a judgment: what was answered to proposals before this one, at most 50, the newest. */
  earlier?: { claim: string; answer: Answer }[]
}

/** The rule that found it. */
export type Reason =
  | 'explicit_question'
  | 'low_confidence'
  | 'contradiction'
  | 'ambiguous_identity'
  | 'high_grade_supersession'
  | 'single_source'
  | 'loss_ledger_gap'
  | 'pending_judgment'
export type Priority = 'blocking' | 'tracking' | 'watching'
export type Resolution = 'confirm' | 'correct' | 'dismiss' | 'answer'

/** A record that a question is about, and what is asked about of it. */
export interface About {
  record: RecordId
  /** Verbatim, of the record. */
  claim: string
  /** The claim is all that the record says. */
  whole: boolean
}

export interface Answer {
  resolution: Resolution
  note: string | null
  /** The user, or `key:<id>`. */
  by: string
  at: string
  receipt: string
  /** The record that the note became. */
  made: RecordId | null
}

interface Bodies {
  memory: MemoryBody
  decision: DecisionBody
  question: QuestionBody
  /** None is kept yet. */
  task: AnyBody
}

export type RecordBody = Bodies[RecordKind]

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

export interface Bodied {
  kind: RecordKind
  body: RecordBody
}

/** Of a row whose kind its caller knows. */
export function bodyOf<Kind extends RecordKind>(row: Bodied, kind: Kind): Bodies[Kind] {
  assert(row.kind === kind, `a row of kind ${row.kind} has no body of a ${kind}`)
  return row.body as Bodies[Kind]
}

/** As projection writes it. */
export function storedRecord(record: PrecedentRecord): PrecedentRecord {
  return { ...record, memory_kind: record.kind === 'memory' ? memoryKindOf(record.body) : null }
}

export function memoryKindOf({ memory_kind }: Partial<MemoryBody>): MemoryKind {
  return memory_kind ?? 'fact'
}

/** It obliges whoever reads it; the other kinds tell. */
export function isBindingKind(kind: MemoryKind | undefined): kind is 'constraint' | 'commitment' {
  return kind === 'constraint' || kind === 'commitment'
}

export const records: Collection<PrecedentRecord> = {
  name: 'records',
  fields: {
    id: 'string',
    workspace: 'symbol',
    record_id: 'string',
    kind: 'symbol',
    seq: 'integer',
    revision: 'integer',
    audience: 'symbol',
    feed: 'symbol',
    title: 'string',
    status: 'symbol',
    invalidated_at: 'instant',
    valid_from: 'instant',
    valid_to: 'instant',
    superseded_by: 'string',
    successors: 'json',
    supersedes: 'json',
    sources: 'json',
    topics: 'json',
    category: 'symbol',
    significance: 'symbol',
    surface: 'symbol',
    entities: 'json',
    confidence: 'number',
    external_id: 'string',
    content_hash: 'string',
    created_at: 'instant',
    created_by: 'symbol',
    updated_at: 'instant',
    accepted: 'string',
    memory_kind: 'symbol',
    // last, so that an engine that stores rows in order reads past them only when they are asked for
    body: 'json',
    text: 'string',
  },
  unique: [],
  indexes: [
    ['workspace', 'record_id', 'accepted'],
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
